"""Pages of the check as pictures, for packages whose evidence stands in screenshots alone."""

from __future__ import annotations

import io
from functools import cache

from PIL import Image, ImageDraw

from riskchainbench.core.conclusion import BoxLocator
from riskchainbench.core.investigation import Viewport
from riskchainbench.judging.check.scenarios import Page
from riskchainbench.restoration.fonts import text_faces

VIEWPORT = Viewport(width=1280, height=720)
_MARGIN, _LINE, _FIRST = 60, 90, 150
_SIZE = 32
_INK, _PAPER, _FRAME = (30, 30, 40), (255, 255, 255), (120, 130, 150)


def place(line: int) -> BoxLocator:
    """Return where the page's sentence of that number is drawn."""
    return BoxLocator(
        x=_MARGIN - 20, y=_FIRST + _LINE * line - 20, width=VIEWPORT.width - 80, height=_LINE - 10
    )


@cache
def picture(page: Page) -> bytes:
    """Return the PNG of a page: title, sentences, controls.

    Raises:
        InputError: the font is missing.
    """
    image = Image.new("RGB", (VIEWPORT.width, VIEWPORT.height), _PAPER)
    draw = ImageDraw.Draw(image)
    font = text_faces(_SIZE)[0].font
    draw.text((_MARGIN, 60), page.title, font=font, fill=_INK)
    for number, line in enumerate(page.lines):
        draw.text((_MARGIN, _FIRST + _LINE * number), line, font=font, fill=_INK)
    left = float(_MARGIN)
    top = _FIRST + _LINE * (len(page.lines) + 1)
    for control in page.controls:
        width = draw.textlength(control, font=font)
        draw.rectangle((left - 12, top - 10, left + width + 12, top + 50), outline=_FRAME, width=2)
        draw.text((left, top), control, font=font, fill=_INK)
        left += width + 60
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()
