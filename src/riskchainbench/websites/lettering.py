"""Words as outlines: what an image must hold so that it looks the same on every machine.

An image cannot load a typeface, so its letters are shaped by HarfBuzz with the shipped faces
and drawn as paths. The words themselves are kept as the label of their line.
"""

from __future__ import annotations

import html
import io
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import uharfbuzz as hb
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

from riskchainbench.websites.faces import face_files
from riskchainbench.websites.fonts import font_file

_THAI_LEADING = "เแโใไ"


@dataclass(frozen=True)
class _Face:
    name: str
    font: hb.Font
    letters: frozenset[int]
    units: int


@dataclass(frozen=True)
class Line:
    """Words set in one line: its width, and its glyphs as (face, glyph, x, y), all in ems."""

    words: str
    width: float
    glyphs: tuple[tuple[str, int, float, float], ...]


@cache
def _face(name: str) -> _Face:
    data = font_file(name)
    if data is None:
        raise ValueError(f"{name}: no such typeface; run tools/subset_fonts.py")
    font = TTFont(io.BytesIO(data), recalcTimestamp=False)
    font.flavor = None
    plain = io.BytesIO()
    font.save(plain, reorderTables=None)
    face = hb.Face(plain.getvalue())
    return _Face(name, hb.Font(face), frozenset(font.getBestCmap()), face.upem)


@lru_cache(maxsize=1 << 15)
def _outline(face: str, glyph: int) -> str:
    pen = SVGPathPen(None, ntos=lambda value: str(round(value)))
    _face(face).font.draw_glyph_with_pen(glyph, pen)
    return str(pen.getCommands())


@lru_cache(maxsize=1 << 12)
def line(words: str, language: str, weight: int) -> Line:
    """Set `words` in one line with the sans faces of `language`."""
    glyphs: list[tuple[str, int, float, float]] = []
    x = 0.0
    for face, run in _runs(words, tuple(map(_face, face_files(language, weight)))):
        buffer = hb.Buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        buffer.language = language
        hb.shape(face.font, buffer, {"kern": True, "liga": False})
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            left = x + place.x_offset / face.units
            glyphs.append((face.name, info.codepoint, left, place.y_offset / face.units))
            x += place.x_advance / face.units
    return Line(words, x, tuple(glyphs))


def _runs(words: str, faces: tuple[_Face, ...]) -> Iterator[tuple[_Face, str]]:
    chosen, run = faces[0], ""
    for char in words:
        best = next((face for face in faces if ord(char) in face.letters), chosen)
        if char == " ":
            best = chosen
        if best is not chosen and run:
            yield chosen, run
            run = ""
        chosen = best
        run += char
    if run:
        yield chosen, run


def drawn_line(set_line: Line, x: float, y: float, size: float, fill: str) -> str:
    """Return a line as SVG with its baseline at `y`; `size` is the em in pixels."""
    parts = []
    for face, glyph, left, up in set_line.glyphs:
        outline = _outline(face, glyph)
        if outline:
            unit = size / _face(face).units
            place = f"{x + left * size:.2f} {y - up * size:.2f}"
            matrix = f"translate({place})scale({unit:.5f} -{unit:.5f})"
            parts.append(f'<path transform="{matrix}" d="{outline}"/>')
    label = html.escape(set_line.words)
    return f'<g aria-label="{label}" fill="{fill}">{"".join(parts)}</g>'


def wrapped(words: str, ems: float, language: str, weight: int) -> list[Line]:
    """Break `words` into lines of at most `ems`, where the language's writers would."""
    lines: list[Line] = []
    text = ""
    for piece in pieces(words, language):
        if text and line((text + piece).rstrip(), language, weight).width > ems:
            lines.append(line(text.strip(), language, weight))
            text = ""
        text += piece
    return [*lines, line(text.strip(), language, weight)] if text.strip() else lines


def pieces(words: str, language: str) -> list[str]:
    """Return `words` cut wherever a line may end.

    That is after spaces everywhere, between wide characters of Chinese and Japanese but not
    before closing nor after opening marks, and in Thai before the vowels that open a syllable.
    """
    found: list[str] = []
    for char in words:
        if found and not _breaks(found[-1], char, language):
            found[-1] += char
        else:
            found.append(char)
    return found


def _breaks(before: str, char: str, language: str) -> bool:
    last = before[-1]
    if last == " ":
        return char != " "
    if language == "th":
        return char in _THAI_LEADING and len(before) > 2
    if language == "ko" or not (_wide(char) or _wide(last)):
        return False
    closes = (
        unicodedata.category(char) in ("Po", "Pe", "Pf") or char in "ー々ゃゅょっぁぃぅぇぉャュョッ"
    )
    opens = unicodedata.category(last) in ("Ps", "Pi")
    return not closes and not opens


def _wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in ("W", "F")
