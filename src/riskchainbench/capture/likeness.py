"""How alike a captured page and its place in the imported website are, as text and as picture."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.capture.compiler import Compiled
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.record import Origin, PageLikeness
from riskchainbench.capture.rendering import render_capture, render_website
from riskchainbench.websites.records import Method, Show

MIN_TEXT = 0.8
MIN_IMAGE = 0.8
"""Below either bound a page is flagged for a person to look at."""

MAX_PAGES = 20
_SIDE = 64
_WORD = re.compile(r"[^\W_]+|[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def measure(
    path: Path, compiled: Compiled, policy: ImportPolicy, settings: BrowserSettings
) -> tuple[PageLikeness, ...]:
    """Return the likeness of the first pages of a website, both sides rendered sealed.

    A page that either side cannot show counts as unlike.
    """
    shown_at = {
        t.next.page: t.path
        for t in reversed(compiled.loaded.website.transitions)
        if t.method is Method.GET and isinstance(t.next, Show) and not t.form
    }
    pages = [
        page
        for page, origin in compiled.origins.items()
        if origin is Origin.OBSERVED and page in compiled.urls and page in shown_at
    ][:MAX_PAGES]
    before = render_capture(path, policy, settings, [compiled.urls[page] for page in pages])
    after = render_website(compiled.loaded, settings, [shown_at[page] for page in pages])
    found = []
    for page in pages:
        old, new = before.get(compiled.urls[page]), after.get(shown_at[page])
        text = image = 0.0
        if old is not None and new is not None:
            text = text_overlap(compiled.masker.text(old.text), new.text)
            image = image_similarity(old.png, new.png)
        found.append(PageLikeness(page_id=page, text_overlap=text, image_similarity=image))
    return tuple(found)


def flagged(likeness: PageLikeness) -> bool:
    """Tell whether a person should look at the page."""
    return likeness.text_overlap < MIN_TEXT or likeness.image_similarity < MIN_IMAGE


def text_overlap(first: str, second: str) -> float:
    """Return the Jaccard index of two texts as bags of words; 1 where both are empty.

    Scripts without spaces count by character.
    """
    one, two = Counter(_WORD.findall(first.lower())), Counter(_WORD.findall(second.lower()))
    union = sum((one | two).values())
    return 1.0 if union == 0 else sum((one & two).values()) / union


def image_similarity(first: bytes, second: bytes) -> float:
    """Return 1 less the mean difference of two pictures, both 64 x 64 in grey; 0 to 1."""
    try:
        one, two = (_small(data) for data in (first, second))
    except (UnidentifiedImageError, OSError):
        return 0.0
    return 1.0 - sum(abs(a - b) for a, b in zip(one, two, strict=True)) / (255.0 * len(one))


def _small(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("L").resize((_SIDE, _SIDE), Image.Resampling.BOX).tobytes()
