"""What of a reply is its answer: a model's reasoning, where it is marked, is none of it.

Marks are pairs of tags in several spellings, a closing tag alone after reasoning whose opening
one a server swallowed, and channels. A mark inside a JSON object is part of that object.
"""

from __future__ import annotations

import json
import re

_NAMES = r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)"
_MARK = re.compile(
    rf"(?P<open><{_NAMES}>|\[THINK\]|◁think▷|<\|channel\|>\s*(?:analysis|commentary)\b)"
    rf"|(?P<close></{_NAMES}>|\[/THINK\]|◁/think▷)"
    r"|(?P<final><\|channel\|>\s*final\b(?:\s*<\|constrain\|>\s*\w+)?(?:\s*<\|message\|>)?"
    # What is left of channels where a server drops their marks.
    r"|assistantfinal(?=\s*\{))",
    re.IGNORECASE,
)
_END = re.compile(r"(?:\s*<\|(?:return|end|call)\|>)+\s*\Z")
_OBJECT = json.JSONDecoder()
_MAX_ATTEMPTS = 500


def without_reasoning(text: str) -> str:
    """Return `text` without marked reasoning; reasoning that never ends takes all the rest."""
    objects = _object_spans(text)
    marks = [
        mark
        for mark in _MARK.finditer(text)
        if not any(start <= mark.start() < end for start, end in objects)
    ]
    if not marks:
        return text
    answer = _answer(text, marks, nested=True)
    # Reasoning that only mentions a tag opens one more than it closes.
    if answer is None:
        answer = _answer(text, marks, nested=False)
    return _END.sub("", answer if answer is not None else _before_open(text, marks))


def _answer(text: str, marks: list[re.Match[str]], *, nested: bool) -> str | None:
    """Return what stands outside of reasoning; None if reasoning is open at the end."""
    kept: list[str] = []
    start = depth = 0
    for mark in marks:
        if mark["open"]:
            if not depth:
                kept.append(text[start : mark.start()])
            depth = depth + 1 if nested else 1
        elif mark["final"] or not depth:
            kept, depth, start = [], 0, mark.end()
        else:
            depth -= 1
            start = mark.end()
    return None if depth else "".join([*kept, text[start:]])


def _before_open(text: str, marks: list[re.Match[str]]) -> str:
    """Return what stands outside of reasoning that is still open at the end of `text`."""
    last = [mark for mark in marks if mark["open"]][-1]
    earlier = [mark for mark in marks if mark.start() < last.start()]
    return _answer(text[: last.start()], earlier, nested=False) or ""


def _object_spans(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = text.find("{")
    for _ in range(_MAX_ATTEMPTS):
        if position < 0:
            break
        try:
            end = _OBJECT.raw_decode(text, position)[1]
            spans.append((position, end))
        except (ValueError, RecursionError):
            end = position + 1
        position = text.find("{", end)
    return spans
