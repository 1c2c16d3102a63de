"""An environment without a browser: pages made up beforehand, each with a real screenshot."""

from __future__ import annotations

import contextlib
import io
import random
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

from PIL import Image

from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Action,
    Element,
    ElementKind,
    InvestigationTask,
    Outcome,
    OutcomeStatus,
    Scroll,
    Viewport,
)

VIEWPORT = Viewport(width=1280, height=720)
BROWSER = BrowserSettings(binary=Path("none"), version="recorded pages")


def cases(count: int) -> dict[str, InvestigationTask]:
    """Return so many cases, whose pages differ."""
    names = [f"w{number:05}" for number in range(count)]
    return {name: InvestigationTask(case_id=name, scaffold=(), viewport=VIEWPORT) for name in names}


def screenshot(rng: random.Random, noise: tuple[int, int]) -> bytes:
    """Return a picture with so much noise in it, which takes about three bytes a pixel."""
    image = Image.new("RGB", (VIEWPORT.width, VIEWPORT.height), (rng.randrange(256), 240, 240))
    width, height = noise
    image.paste(Image.frombytes("RGB", noise, rng.randbytes(width * height * 3)), (100, 100))
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def named(png: bytes, words: str) -> bytes:
    """Return the picture with a remark before its last chunk, which makes it another file."""
    chunk = b"tEXtpage\0" + words.encode()
    remark = (len(chunk) - 4).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    return png[:-12] + remark + png[-12:]


class RecordedPages:
    """Shows the next page at every action; no two pages of any case are alike."""

    def __init__(self, pictures: list[bytes], controls: int, words: int) -> None:
        self._pictures = pictures
        self._controls = controls
        self._words = words
        self._case = ""
        self._page = 0

    async def open(self, visit: Visit) -> tuple[PageView, bytes | None]:
        self._case, self._page = visit.host, 0
        return self._shown(None)

    async def act(self, action: Action) -> tuple[PageView, bytes | None]:
        self._page += 1
        return self._shown(Outcome(status=OutcomeStatus.DONE, detail=action.action.value))

    async def end(self) -> None:
        pass

    def _shown(self, outcome: Outcome | None) -> tuple[PageView, bytes]:
        place = f"page {self._page} of {self._case}"
        elements = tuple(
            Element(element_id=f"e{n}", kind=ElementKind.LINK, role="link", name=f"link {n}")
            for n in range(self._controls)
        )
        view = PageView(
            title=place,
            text=f"{place}. " + "words that a page shows " * self._words,
            elements=elements,
            elements_left_out=0,
            scroll=Scroll(top=0, page_height=2000, viewport_height=VIEWPORT.height),
            outcome=outcome,
            events=(),
            network=(),
            page_state=sha256_text(place),
        )
        return view, named(self._pictures[self._page % len(self._pictures)], place)


class RecordedPool:
    """Lends any number of environments with recorded pages."""

    def __init__(self, noise: tuple[int, int] = (8, 8), controls: int = 4, words: int = 4) -> None:
        rng = random.Random(1)
        self._pictures = [screenshot(rng, noise) for _ in range(6)]
        self._controls = controls
        self._words = words

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[RecordedPages]:
        yield RecordedPages(self._pictures, self._controls, self._words)

    async def close(self) -> None:
        pass


class CaseVisits:
    """Visits whose host tells the environment which case is looked at."""

    def open(self, case: InvestigationTask) -> Visit:
        return Visit(host=f"{case.case_id}.test", port=1)

    def close(self, visit: Visit) -> None:
        pass
