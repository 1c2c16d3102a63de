"""A code drawn as an image: a model that reads it back sees images.

Seven-segment digits, dark on light; drawn from rectangles, so that no font is needed.
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

_DIGITS = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")
_WIDTH, _HEIGHT, _THICK, _GAP, _MARGIN = 80, 150, 18, 44, 60
_SEGMENTS = {
    "a": (0, 0, _WIDTH, _THICK),
    "b": (_WIDTH - _THICK, 0, _WIDTH, _HEIGHT // 2),
    "c": (_WIDTH - _THICK, _HEIGHT // 2, _WIDTH, _HEIGHT),
    "d": (0, _HEIGHT - _THICK, _WIDTH, _HEIGHT),
    "e": (0, _HEIGHT // 2, _THICK, _HEIGHT),
    "f": (0, 0, _THICK, _HEIGHT // 2),
    "g": (0, (_HEIGHT - _THICK) // 2, _WIDTH, (_HEIGHT + _THICK) // 2),
}


def draw_code(code: str) -> bytes:
    """Return a PNG that shows the decimal digits of `code`."""
    size = (
        2 * _MARGIN + len(code) * _WIDTH + (len(code) - 1) * _GAP,
        2 * _MARGIN + _HEIGHT,
    )
    image = Image.new("RGB", size, (246, 246, 242))
    draw = ImageDraw.Draw(image)
    for place, digit in enumerate(code):
        left = _MARGIN + place * (_WIDTH + _GAP)
        for name in _DIGITS[int(digit)]:
            x0, y0, x1, y1 = _SEGMENTS[name]
            box = (left + x0, _MARGIN + y0, left + x1 - 1, _MARGIN + y1 - 1)
            draw.rectangle(box, fill=(24, 32, 58))
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()
