"""Measures which characters look alike in print, for the rules restorer.

Every character is drawn in Noto Sans CJK and Noto Serif CJK (Debian's fonts-noto-cjk), blurred
and compared with each common one: the likeness of two is the correlation of their pictures. Kept
are the characters of each grade of likeness; no glyph is contained. The result stands in the
restorer's data folder and need not be made again: python tools/collect_glyphs.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from riskchainbench.models.restorer.lexicon import lexicon
from riskchainbench.models.restorer.tables import GLYPHS

FOLDER = Path("/usr/share/fonts/opentype/noto")
FONTS = ("NotoSansCJK-Regular.ttc", "NotoSerifCJK-Regular.ttc")
SIMPLIFIED_CHINESE = 2
COMMON = 3500
SIDE, SMALL, POINTS, BLUR = 48, 24, 44, 1.5
GRADES = (0.8, 0.7, 0.6, 0.5)


def pictures(chars: list[str], path: Path) -> npt.NDArray[np.float32]:
    """Return a row of unit length a character, the average picture taken off."""
    font = ImageFont.truetype(str(path), POINTS, index=SIMPLIFIED_CHINESE)
    drawn = []
    for char in chars:
        image = Image.new("L", (SIDE, SIDE), 0)
        middle = (SIDE // 2, SIDE // 2)
        ImageDraw.Draw(image).text(middle, char, fill=255, font=font, anchor="mm")
        image = image.filter(ImageFilter.GaussianBlur(BLUR))
        small = image.resize((SMALL, SMALL), Image.Resampling.BOX)
        drawn.append(np.asarray(small, dtype=np.float32).ravel())
    rows = np.array(drawn)
    rows -= rows.mean(axis=0)
    unit: npt.NDArray[np.float32] = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6)
    return unit


def main() -> None:
    """Write for each character the common ones of each grade of likeness."""
    known = lexicon().chars
    chars = sorted(known, key=lambda char: (-known[char], char))
    drawn = [pictures(chars, FOLDER / font) for font in FONTS]
    likeness = np.mean([rows @ rows[:COMMON].T for rows in drawn], axis=0)
    lines = []
    for row, char in zip(likeness, chars, strict=True):
        edges = zip((1.01, *GRADES), GRADES, strict=False)
        grades = [
            "".join(
                chars[i] for i in np.flatnonzero((row < high) & (row >= low)) if chars[i] != char
            )
            for high, low in edges
        ]
        if any(grades):
            lines.append(" ".join([char, *(grade or "-" for grade in grades)]))
    GLYPHS.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    print(len(lines), "characters", GLYPHS.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
