"""Reads a tab and aims at its controls, from an isolated world that the page cannot see.

One pass in each frame builds text and inventory; see ``data/page.js``. Nothing here acts.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from playwright.sync_api import CDPSession, Page
from playwright.sync_api import Error as PlaywrightError

from riskchainbench.browser.calls import called
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.investigation import Box, Element, Scroll
from riskchainbench.core.text import gate

_SPACES = re.compile(r" {2,}")
WORLD = "reader"
"""The name of the isolated world that pages are read from."""
_MAX_FRAMES = 20


class PageGoneError(Exception):
    """The document that was to be read or acted on is there no more."""


@cache
def script(name: str) -> str:
    """Return a script of this room."""
    path = resources.files("riskchainbench.browser") / "data" / name
    return path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class FrameContext:
    """One document's isolated world, and where its frame stands in the viewport."""

    context_id: int
    frame_id: str
    left: float = 0.0
    top: float = 0.0
    clip: dict[str, float] | None = None


@dataclass
class Reading:
    """What one pass over a tab found."""

    title: str = ""
    text: str = ""
    elements: list[Element] = field(default_factory=list)
    left_out: int = 0
    scroll: Scroll = field(default_factory=lambda: Scroll(top=0, page_height=0, viewport_height=0))
    inner_scroll: float = 0.0
    owners: dict[str, FrameContext] = field(default_factory=dict)


@dataclass(frozen=True)
class Glance:
    """What a tab's main frame held in the moment that its quiet was over."""

    page: Page
    frame: FrameContext
    found: dict[str, Any]


class TabReader:
    """Reads one tab.

    Args:
        page: the tab.
        session: a debugging session of the tab that nobody else uses.
        settings: caps of what is read.
        frame_id: of the tab's main frame, where it is known; a tab keeps it for life.
    """

    def __init__(
        self,
        page: Page,
        session: CDPSession,
        settings: BrowserSettings,
        frame_id: str | None = None,
    ) -> None:
        self.page = page
        self.session = session
        self._settings = settings
        self._frame_id = frame_id
        self._drawn = True

    def call(self, frame: FrameContext, function: str, *arguments: Any) -> Any:
        """Call a function of the reader in one frame and return its JSON value.

        Raises:
            PageGoneError: the document is gone.
        """
        given = ",".join(json.dumps(argument) for argument in arguments)
        expression = f"{script('page.js')}.{function}({given})"
        answer = self._send(
            "Runtime.evaluate",
            expression=expression,
            contextId=frame.context_id,
            returnByValue=True,
            awaitPromise=True,
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description", details.get("text", ""))
            raise PageGoneError(f"{function}: {said[:200]}")
        return answer["result"].get("value")

    def listens_to(self, frame: FrameContext, element_id: str) -> frozenset[str]:
        """Return the kinds of events that the page's scripts listen to on a control itself.

        Raises:
            PageGoneError: the control is gone.
        """
        expression = f"{script('page.js')}.node({json.dumps(element_id)})"
        ours = self._send(
            "Runtime.evaluate", expression=expression, contextId=frame.context_id
        ).get("result", {})
        if "objectId" not in ours:
            raise PageGoneError("the control is gone")
        # An isolated world is told only of its own listeners; the page's see the page's.
        described = self._send("DOM.describeNode", objectId=ours["objectId"])
        theirs = self._send("DOM.resolveNode", backendNodeId=described["node"]["backendNodeId"])
        object_id = theirs["object"]["objectId"]
        found = self._send("DOMDebugger.getEventListeners", objectId=object_id)
        return frozenset(each["type"] for each in found["listeners"])

    def press_enter(self) -> None:
        """Press and release the Enter key, as a keyboard would."""
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        self._send("Input.dispatchKeyEvent", type="keyDown", **key)
        del key["text"]
        self._send("Input.dispatchKeyEvent", type="keyUp", **key)

    def main(self) -> FrameContext:
        """Return the isolated world of the tab's main frame."""
        if self._frame_id is None:
            self._frame_id = self._tree()["frame"]["id"]
        return self._world(self._frame_id)

    def quiet(
        self, still: float, cap: float, next_id: int | None = None
    ) -> tuple[bool, Glance | None]:
        """Wait until nothing changed for `still` seconds, at most `cap`; tell whether it did.

        Typefaces that are on their way are waited for up to the settings' load cap.

        Args:
            still: how long nothing is to change.
            cap: the longest wait.
            next_id: where given, the main frame is read in the very moment that the quiet is
                over; the glance that is returned then goes to `read`, or nowhere.
        """
        main = self.main()
        limits = None if next_id is None else self._limits(main, next_id, 0)
        longest = self._settings.load_cap
        answer = self.call(main, "quiet", still * 1000, cap * 1000, longest * 1000, limits)
        self._drawn = bool(answer["drawn"])
        found = answer["found"]
        return bool(answer["quiet"]), None if found is None else Glance(self.page, main, found)

    def read(self, next_id: int, glance: Glance | None = None) -> tuple[Reading, int]:
        """Read the tab; new controls are numbered from `next_id`, the next free one is returned.

        Args:
            next_id: above every number that was given before.
            glance: the main frame as it was read already from the same number.
        """
        reading = Reading()
        if glance is None or glance.page is not self.page:
            main = self.main()
            glance = Glance(self.page, main, self._seen(main, next_id, 0))
        main, found = glance.frame, glance.found
        self._add(found, main, reading)
        reading.title = gate(found["title"])[0]
        reading.scroll = Scroll(**found["scroll"])
        reading.inner_scroll = found["inner_scroll"]
        next_id = found["next"]
        if found["frames"]:
            for frame in self._frames(self._tree(), self._size(main)):
                try:
                    found = self._seen(frame, next_id, len(reading.elements))
                    self._add(found, frame, reading)
                    next_id = found["next"]
                except (PageGoneError, PlaywrightError):
                    reading.left_out += 1
        return reading, next_id

    def screenshot(self) -> bytes:
        """Return the viewport as PNG bytes, straight from the browser.

        Raises:
            PageGoneError: the tab draws nothing within the settings' cap, as happens where a
                script leads away before there is anything to draw.
        """
        cap = self._settings.screenshot_cap * (1.0 if self._drawn else 0.4)
        parameters = {"format": "png", "captureBeyondViewport": False, "optimizeForSpeed": True}
        taking = self.session._impl_obj.send("Page.captureScreenshot", parameters)
        try:
            answer = called(self.session, asyncio.wait_for(taking, cap))
        except (TimeoutError, PlaywrightError) as error:
            raise PageGoneError("no screenshot") from error
        return base64.b64decode(answer["data"])

    def bring_to_front(self) -> None:
        """Make the tab the one that is drawn."""
        self._send("Page.bringToFront")

    def stop_loading(self) -> None:
        """Give up what is still loading."""
        self._send("Page.stopLoading")

    def history(self) -> tuple[int, list[dict[str, Any]]]:
        """Return the place in the tab's history and its entries."""
        answer = self._send("Page.getNavigationHistory")
        return answer["currentIndex"], answer["entries"]

    def go_to_entry(self, entry_id: int) -> None:
        """Navigate to an entry of the history."""
        self._send("Page.navigateToHistoryEntry", entryId=entry_id)

    def insert_text(self, text: str) -> None:
        """Type into what has the focus, as a keyboard would."""
        self._send("Input.insertText", text=text)

    def _limits(self, frame: FrameContext, next_id: int, elements: int) -> dict[str, Any]:
        return {
            "next": next_id,
            "nodes": self._settings.max_nodes,
            "elements": max(0, self._settings.max_elements - elements),
            "text": self._settings.max_text,
            "clip": frame.clip,
        }

    def _seen(self, frame: FrameContext, next_id: int, elements: int) -> dict[str, Any]:
        found: dict[str, Any] = self.call(frame, "read", self._limits(frame, next_id, elements))
        return found

    def _add(self, found: dict[str, Any], frame: FrameContext, reading: Reading) -> None:
        for raw in found["elements"]:
            element = _element(raw, frame)
            reading.elements.append(element)
            reading.owners[element.element_id] = frame
        text = _SPACES.sub(" ", gate(found["text"])[0]).strip()
        reading.text = "\n".join(part for part in (reading.text, text) if part)
        reading.left_out += found["left_out"]

    def _tree(self) -> dict[str, Any]:
        tree: dict[str, Any] = self._send("Page.getFrameTree")["frameTree"]
        return tree

    def _size(self, main: FrameContext) -> tuple[float, float]:
        width, height = self.call(main, "size")
        return width, height

    def _frames(self, tree: dict[str, Any], size: tuple[float, float]) -> list[FrameContext]:
        ids: list[str] = []
        queue = list(tree.get("childFrames", ()))
        while queue and len(ids) < _MAX_FRAMES:
            node = queue.pop(0)
            ids.append(node["frame"]["id"])
            queue = [*node.get("childFrames", ()), *queue]
        frames: list[FrameContext] = []
        for frame_id in ids:
            try:
                frames.append(self._child(frame_id, size))
            except (PageGoneError, PlaywrightError):
                continue
        return frames

    def moved(self, frame: FrameContext) -> FrameContext:
        """Return a child frame where it stands now; the main frame as it is."""
        if frame.clip is None:
            return frame
        return self._child(frame.frame_id, self._size(self.main()))

    def _child(self, frame_id: str, size: tuple[float, float]) -> FrameContext:
        owner = self._send("DOM.getFrameOwner", frameId=frame_id)
        box = self._send("DOM.getBoxModel", backendNodeId=owner["backendNodeId"])["model"]
        left, top, _, _, right, bottom = box["content"][:6]
        clip = {
            "left": max(0.0, -left),
            "top": max(0.0, -top),
            "right": min(right, size[0]) - left,
            "bottom": min(bottom, size[1]) - top,
        }
        world = self._world(frame_id)
        return FrameContext(world.context_id, frame_id, left, top, clip)

    def _world(self, frame_id: str) -> FrameContext:
        answer = self._send("Page.createIsolatedWorld", frameId=frame_id, worldName=WORLD)
        return FrameContext(answer["executionContextId"], frame_id)

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        try:
            call = self.session._impl_obj.send(method, parameters)
            answer: dict[str, Any] = called(self.session, call)
        except PlaywrightError as error:
            raise PageGoneError(f"{method}: {error}") from error
        return answer


def _element(raw: dict[str, Any], frame: FrameContext) -> Element:
    raw = dict(raw)
    for name in ("name", "value", "role"):
        raw[name] = gate(raw[name])[0]
    raw["options"] = tuple(gate(option)[0] for option in raw["options"])
    if raw["box"] is not None:
        box = raw["box"]
        raw["box"] = Box(
            x=round(box["x"] + frame.left, 1),
            y=round(box["y"] + frame.top, 1),
            width=box["width"],
            height=box["height"],
        )
    return Element.model_validate(raw)
