"""Images drawn as SVG: brand marks, illustrations, and words that stand in pixels only.

An SVG shown through ``<img>`` is painted by the browser, so its words are in no document
tree. Attributes only, no style elements: the content policy forbids inline styles.
"""

from __future__ import annotations

import html
import unicodedata
from random import Random

from riskchainbench.websites.families import Palette

SVG = "image/svg+xml"
_FIGURE = 190
_OPEN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
    'font-family="{face}">'
)
_PLAIN = "Noto Sans, DejaVu Sans, sans-serif"


def mark(palette: Palette, kind: int) -> str:
    """Return a brand mark of 40 by 40 pixels."""
    shapes = (
        '<circle cx="20" cy="20" r="15"/>',
        '<rect x="6" y="6" width="28" height="28" rx="8"/>',
        '<path d="M20 4 36 34H4Z"/>',
        '<path d="M20 3 35 12v16L20 37 5 28V12Z"/>',
        '<circle cx="14" cy="20" r="10"/><circle cx="27" cy="20" r="9" opacity=".55"/>',
        '<path d="M5 30V10h10l5 8 5-8h10v20h-8V20l-7 9-7-9v10Z"/>',
    )
    body = f'<g fill="{palette.accent}">{shapes[kind % len(shapes)]}</g>'
    return _OPEN.format(w=40, h=40, face=_PLAIN) + body + "</svg>"


def illustration(palette: Palette, rng: Random, width: int, height: int) -> str:
    """Return a decorative picture without words."""
    parts = [f'<rect width="{width}" height="{height}" fill="{palette.line}"/>']
    for _ in range(7):
        x, y = rng.randrange(width), rng.randrange(height)
        size, opacity = rng.randrange(height // 8, height // 2), rng.choice((0.12, 0.2, 0.3))
        if rng.random() < 0.5:
            shape = f'<circle cx="{x}" cy="{y}" r="{size}"'
        else:
            shape = f'<rect x="{x}" y="{y}" width="{size * 2}" height="{size}" rx="10"'
        parts.append(f'{shape} fill="{palette.accent}" opacity="{opacity}"/>')
    ground = f"M0 {height} L0 {height * 0.75:.0f} Q{width / 2:.0f} {height * 0.5:.0f} {width} "
    parts.append(f'<path d="{ground}{height * 0.8:.0f} V{height}Z" fill="{palette.accent}"/>')
    return _OPEN.format(w=width, h=height, face=_PLAIN) + "".join(parts) + "</svg>"


def poster(
    palette: Palette,
    title: str,
    paragraphs: tuple[str, ...],
    width: int,
    *,
    face: str,
    figure: bool = False,
) -> str:
    """Return a poster that shows the words at reading size, wrapped to `width` pixels.

    `face` lists its font families. With `figure`, neutral outlines of two people stand above
    the words.
    """
    title_size, size = (34, 21) if width > 500 else (25, 18)
    margin = 36 if width > 500 else 20
    y = margin + title_size + (_FIGURE if figure else 0)
    parts: list[str] = [_outlines(width, palette.accent_ink)] if figure else []
    for line in wrapped(title, (width - 2 * margin) / title_size):
        parts.append(_line(line, margin, y, title_size, palette.accent_ink, "bold"))
        y += round(title_size * 1.35)
    for paragraph in paragraphs:
        y += size // 2
        for line in wrapped(paragraph, (width - 2 * margin) / size):
            parts.append(_line(line, margin, y, size, palette.accent_ink, "normal"))
            y += round(size * 1.5)
    height = y + margin - size // 2
    back = (
        f'<rect width="{width}" height="{height}" fill="{palette.accent}"/>'
        f'<circle cx="{width}" cy="0" r="{height // 2}" fill="{palette.accent_ink}" opacity=".08"/>'
        f'<circle cx="{width - 60}" cy="{height}" r="{height // 3}" fill="{palette.accent_ink}" '
        'opacity=".06"/>'
    )
    opening = _OPEN.format(w=width, h=height, face=face.replace('"', "'"))
    return opening + back + "".join(parts) + "</svg>"


def _outlines(width: int, ink: str) -> str:
    middle = width // 2
    people = "".join(
        f'<circle cx="{x}" cy="62" r="26"/><path d="M{x - 44} 168q0-66 44-66t44 66Z"/>'
        for x in (middle - 52, middle + 52)
    )
    frame = f'<rect x="20" y="16" width="{width - 40}" height="{_FIGURE - 20}" rx="10"/>'
    return f'<g fill="{ink}" opacity=".14">{frame}</g><g fill="{ink}" opacity=".5">{people}</g>'


def height_of(svg: str) -> int:
    """Return the height that a drawing made here declares, in pixels."""
    return int(svg.split(' height="', 1)[1].split('"', 1)[0])


def code_picture(palette: Palette, code: str) -> str:
    """Return a short code, drawn."""
    digits = "".join(
        f'<text x="{18 + 30 * i}" y="{36 + (i % 2) * 5}" font-size="28" fill="{palette.text}">'
        f"{html.escape(char)}</text>"
        for i, char in enumerate(code)
    )
    back = f'<rect width="150" height="54" fill="{palette.line}"/>'
    strokes = (
        f'<path d="M4 30Q75 6 146 32M4 44Q70 20 146 20" fill="none" stroke="{palette.muted}"/>'
    )
    return _OPEN.format(w=150, h=54, face=_PLAIN) + back + strokes + digits + "</svg>"


def wrapped(text: str, ems: float) -> list[str]:
    """Break `text` into lines at most `ems` wide, at spaces or between wide characters."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line and _width(line + piece.rstrip()) > ems:
            lines.append(line.strip())
            line = ""
        line += piece
    return [*lines, line.strip()] if line.strip() else lines


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for char in text:
        closes = unicodedata.category(char) in ("Po", "Pe", "Pf")
        joins = pieces and not pieces[-1].endswith(" ") and (closes or not _wide(char))
        if joins and (closes or not _wide(pieces[-1][-1])):
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def _wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in ("W", "F")


def _width(text: str) -> float:
    return sum(1.0 if _wide(char) else 0.56 for char in text)


def _line(text: str, x: int, y: int, size: int, fill: str, weight: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}">'
        f"{html.escape(text)}</text>"
    )
