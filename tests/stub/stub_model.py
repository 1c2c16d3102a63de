"""A chat-completions server on loopback that answers from what it was sent.

It can be right only if the request was: it reads the digits drawn in an image, quotes the
inventory it was shown, echoes the message ids, and says so in prose where any of that is
missing. Faults are put in a queue and served one a call. It also runs as a process of its own:

    python tests/stub/stub_model.py [PATIENCE]
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import re
import sys
from collections import Counter, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

KEY = "stub-key"
"""What opens the stub, besides the word that clients of Ollama send as a key."""

MODEL = "stub-1"

_STATUS = {"400": 400, "401": 401, "403": 403, "404": 404, "408": 408, "500": 500, "503": 503}
_SEGMENTS = {
    "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4",
    "acdfg": "5", "acdefg": "6", "abc": "7", "abcdefg": "8", "abcdfg": "9",
}  # fmt: skip


@dataclass
class Seen:
    """What a request held."""

    system: str
    text: str
    images: list[bytes]
    turns: int


@dataclass
class StubModel:
    """The state of the server: its faults, its limits and what it was asked.

    `refused_formats` are response formats answered with 422; `blind` drops every image before
    reading; `sightless` answers an image with 400. `delay` is in seconds. `patience` is the
    number of steps after which it ends an investigation. `rejected` are words whose requests
    are answered with 400 and no reason. With `pictures` it judges by what stands in a package:
    they give the words of each picture by its hash and by the top of their place.
    """

    faults: deque[str] = field(default_factory=deque)
    refused_formats: set[str] = field(default_factory=set)
    blind: bool = False
    sightless: bool = False
    delay: float = 0.0
    patience: int = 3
    rejected: set[str] = field(default_factory=set)
    pictures: dict[str, dict[float, str]] = field(default_factory=dict)
    calls: int = 0
    answered: Counter[str] = field(default_factory=Counter)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keep_requests: bool = True

    def app(self) -> ASGIApp:
        routed = Starlette(
            routes=[
                Route("/v1/chat/completions", self._completions, methods=["POST"]),
                Route("/control", self._control, methods=["GET", "POST"]),
            ]
        )

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            # Without a lifespan the server can be stopped without a complaint in its log.
            if scope["type"] != "lifespan":
                await routed(scope, receive, send)

        return app

    async def _control(self, request: Request) -> Response:
        if request.method == "POST":
            told = await request.json()
            self.faults.extend(told.get("faults", []))
            self.delay = told.get("delay", self.delay)
        return JSONResponse({"calls": self.calls, "answered": dict(self.answered)})

    async def _completions(self, request: Request) -> Response:
        self.calls += 1
        body = await request.body()
        if request.headers.get("authorization") not in (f"Bearer {KEY}", "Bearer ollama"):
            return refused(401, "invalid_api_key")
        if self.faults:
            fault = self.faults.popleft()
            if fault != "ok":
                return await faulty(fault)
        asked = json.loads(body)
        if self.keep_requests:
            self.requests.append(asked)
        if asked["model"] != MODEL:
            return refused(404, "model_not_found")
        wanted = asked.get("response_format", {}).get("type")
        if wanted in self.refused_formats:
            return refused(422, "response_format_unsupported")
        seen = read(asked)
        if seen.images and self.sightless:
            return refused(400, "image_input_unsupported")
        if any(words in seen.text for words in self.rejected):
            return refused(400, "stub_fault")
        if self.blind:
            seen.images = []
        if self.delay:
            await asyncio.sleep(self.delay)
        self.answered[hashlib.sha256(body).hexdigest()] += 1
        # Digits are not counted, since a clock in the prompt has now more of them, now fewer.
        words = re.sub(r"\d", "", seen.system + seen.text)
        return completion(
            answer(seen, self.patience, self.pictures),
            prompt_tokens=len(words) // 2 + 1000 * len(seen.images),
        )


def read(asked: dict[str, Any]) -> Seen:
    system, texts, images, turns = "", [], [], 0
    for message in asked["messages"]:
        parts = message["content"]
        if isinstance(parts, str):
            parts = [{"type": "text", "text": parts}]
        if message["role"] == "assistant":
            turns += 1
        for part in parts:
            if part["type"] == "image_url":
                images.append(base64.b64decode(part["image_url"]["url"].partition(",")[2]))
            elif message["role"] in ("system", "developer"):
                system += part["text"]
            elif message["role"] == "user" and not turns:
                texts.append(part["text"])
    return Seen(system, "\n".join(texts), images, turns)


def answer(seen: Seen, patience: int, pictures: dict[str, dict[float, str]] | None = None) -> str:
    if '"faithfulness"' in seen.system:
        return judged(seen, pictures or {})
    if "scroll_down" in seen.system:
        return acted(seen, patience)
    if '"locator"' in seen.system:
        return concluded(seen)
    if '"message_id"' in seen.system:
        return restored(seen)
    return probed(seen)


def probed(seen: Seen) -> str:
    code = digits(seen.images[0]) if seen.images else ""
    given = re.search(r"[a-z]{4}-\d{4}", seen.text)
    return json.dumps({"code": code or (given.group() if given else "")})


def restored(seen: Seen) -> str:
    found = re.findall(r'"message_id":\s*"([^"]+)"', seen.text)
    if not found:
        return "I was given no messages."
    if '"content"' not in seen.text and not seen.images:
        return "I was given neither text nor image."
    contents = {}
    if '"content"' in seen.text:
        told = json.loads(seen.text)
        contents = {each["message_id"]: each["content"] for each in told["messages"]}
    entry = re.search(r"[a-z0-9]+\.[a-z0-9]+\.test", " ".join(contents.values()))
    return json.dumps(
        {
            "messages": [{"message_id": each, "text": contents.get(each, "")} for each in found],
            "intent": "OPEN_SITE",
            "candidates": [{"rank": 1, "value": entry.group(), "confidence": 0.5}] if entry else [],
            "abstain": entry is None,
            "uncertainties": [],
        },
        ensure_ascii=False,
    )


def acted(seen: Seen, patience: int) -> str:
    controls = re.findall(r"^\[(\w+)\] (\w+) \(", seen.text.rpartition("\n\n")[2], re.MULTILINE)
    if len(seen.images) != 1:
        return f"I see {len(seen.images)} images where one belongs."
    shown = hashlib.sha256(seen.images[0]).hexdigest()
    steps = len(set(re.findall(r"^\[[^\]\n]*?(\d+)[^\]\n]*\]$", seen.text, re.MULTILINE)))
    links = [control for control, kind in controls if kind in ("link", "button")]
    if steps >= patience or not links:
        return json.dumps({"action": "stop", "element": None, "option": None, "reason": shown})
    chosen = links[steps % len(links)]
    return json.dumps({"action": "click", "element": chosen, "option": None, "reason": shown})


def concluded(seen: Seen) -> str:
    step = re.search(r"^\[\D*(\d+)\D*\]$", seen.text, re.MULTILINE)
    control = re.search(r"^\[(\w+)\] \w+ \(", seen.text, re.MULTILINE)
    if not seen.images or step is None:
        return "I see no screenshots."
    locator = (
        {"kind": "element", "element_id": control.group(1)}
        if control
        else {"kind": "box", "x": 0, "y": 0, "width": 10, "height": 10}
    )
    return json.dumps(
        {
            "decision": "INSUFFICIENT_EVIDENCE",
            "violation_type": "UNKNOWN",
            "rationale": f"{len(seen.images)} screenshots were shown.",
            "evidence": [{"step": int(step.group(1)), "locator": locator}],
            "confidence": 0.5,
        }
    )


def judged(seen: Seen, pictures: dict[str, dict[float, str]]) -> str:
    package = json.loads(seen.text.partition("\n[screenshot")[0])
    scores = [1 + len(package["conclusion"]["citations"]) % 5] * 4
    if pictures:
        scores = [5 if right else 1 for right in discerned(seen, package, pictures)]
    names = ("faithfulness", "sufficiency", "completeness", "consistency")
    told = zip(names, scores, strict=True)
    return json.dumps({name: {"score": score, "reason": "counted"} for name, score in told})


def discerned(
    seen: Seen, package: dict[str, Any], pictures: dict[str, dict[float, str]]
) -> tuple[bool, bool, bool, bool]:
    """Tell, dimension by dimension, whether a rationale that quotes is borne out."""
    concluded, observed = package["conclusion"], package["observations"]
    quoted = re.findall(r"[“\"]([^”\"]+)[”\"]", concluded["rationale"])
    drawn = [pictures[hashlib.sha256(image).hexdigest()] for image in seen.images]
    shown = [each["text"] for each in observed]
    shown += [words for picture in drawn for words in picture.values()]
    cited = [each.get("content", "") for each in concluded["citations"]]
    cited += [
        drawn[each["step"]][each["box"]["y"]] for each in concluded["citations"] if "box" in each
    ]
    return (
        all(any(words in text for text in shown) for words in quoted),
        all(any(words in text for text in cited) for words in quoted),
        len(observed) > 1,
        bool(quoted),
    )


def digits(png: bytes) -> str:
    """Read seven-segment digits drawn dark on light in a row of equal cells."""
    image = Image.open(io.BytesIO(png)).convert("L")
    columns = [
        x
        for x in range(image.width)
        if any(image.getpixel((x, y)) < 128 for y in range(image.height))
    ]
    rows = [y for y in range(image.height) if any(image.getpixel((x, y)) < 128 for x in columns)]
    if not columns or not rows:
        return ""
    top, bottom = min(rows), max(rows)
    height = bottom - top
    found, start = "", columns[0]
    groups = []
    for before, after in zip(columns, [*columns[1:], columns[-1] + 10_000], strict=True):
        if after - before > 1:
            groups.append((start, before))
            start = after
    for left, right in groups:
        if right - left < height * 0.25:
            found += "1"
            continue
        middle, near, far = (left + right) // 2, left + 2, right - 2
        points = {
            "a": (middle, top + 2), "b": (far, top + height // 4),
            "c": (far, top + 3 * height // 4), "d": (middle, bottom - 2),
            "e": (near, top + 3 * height // 4), "f": (near, top + height // 4),
            "g": (middle, (top + bottom) // 2),
        }  # fmt: skip
        lit = "".join(name for name, point in points.items() if image.getpixel(point) < 128)
        found += _SEGMENTS.get(lit, "?")
    return found


def completion(
    text: str | None, *, finish: str = "stop", prompt_tokens: int = 10, choices: int = 1
) -> Response:
    message = {"role": "assistant", "content": text}
    told = {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}] * choices,
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": len(text or "") // 4,
            "total_tokens": prompt_tokens + len(text or "") // 4,
            "prompt_tokens_details": {"cached_tokens": 3},
            "completion_tokens_details": {"reasoning_tokens": 2},
        },
    }
    # ASCII escapes, so that a lone surrogate can be sent as a server would.
    return Response(json.dumps(told), media_type="application/json")


def refused(status: int, code: str, headers: dict[str, str] | None = None) -> Response:
    error = {"message": code.replace("_", " "), "code": code, "type": "error"}
    return JSONResponse({"error": error}, status_code=status, headers=headers)


async def faulty(fault: str) -> Response:  # noqa: C901
    kind, _, detail = fault.partition(":")
    if kind == "429":
        return refused(429, "rate_limit_exceeded", {"retry-after": detail or "0.05"})
    if kind == "quota":
        return refused(429, "insufficient_quota")
    if kind == "too-long-context":
        return refused(400, "context_length_exceeded")
    if kind == "rejects":
        status, _, words = detail.partition(":")
        return refused(int(status), words)
    if kind in _STATUS:
        return refused(_STATUS[kind], "stub_fault")
    if kind == "html":
        return Response("<html><body>Bad gateway</body></html>", media_type="text/html")
    if kind == "invalid-utf8":
        return Response(b'{"id": "\xff\xfe", "choices": [', media_type="application/json")
    if kind == "half-body":
        return StreamingResponse(half(), media_type="application/json")
    if kind == "truncated-json":
        return Response(b'{"id": "stub", "choices": [{"ind', media_type="application/json")
    if kind == "endless":
        return StreamingResponse(endless(), media_type="application/json")
    if kind == "hang":
        await asyncio.sleep(float(detail or 30))
        return refused(503, "woke_up")
    if kind == "empty-choices":
        return completion("", choices=0)
    if kind == "filtered":
        return completion("", finish="content_filter")
    if kind == "length":
        return completion('{"messages": [', finish="length")
    if kind == "null":
        return completion(None)
    if kind == "five-megabytes":
        return completion("x" * 5_000_000)
    if kind == "surrogate":
        return completion('{"code": "\ud800"}')
    if kind == "says":
        return completion(detail)
    raise ValueError(f"no fault {fault!r}")


async def half() -> AsyncIterator[bytes]:
    yield b'{"id": "stub", "choices": [{"index": 0, '
    raise ConnectionAbortedError("half a body is all there is")


async def endless() -> AsyncIterator[bytes]:
    yield b'{"id": "stub", "choices": [{"index": 0, "message": {"content": "'
    while True:
        yield b"and so on " * 100
        await asyncio.sleep(0.01)


def serve_alone() -> None:
    """Serve until standard input closes; prints the port."""
    from riskchainbench.sandbox.server import SandboxServer

    patience = int(sys.argv[1]) if len(sys.argv) > 1 else StubModel.patience
    with SandboxServer(StubModel(keep_requests=False, patience=patience).app()) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    serve_alone()
