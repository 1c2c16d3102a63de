"""Images drawn as SVG that mean something: brand marks, and words that stand in pixels only.

An SVG shown through ``<img>`` is painted by the browser, so its words are in no document
tree. Attributes only, no style elements: the content policy forbids inline styles. Letters are
outlines of the shipped typefaces; decoration is in `scenes`.
"""

from __future__ import annotations

from riskchainbench.websites.families import Palette
from riskchainbench.websites.lettering import Line, drawn_line, line, wrapped

SVG = "image/svg+xml"
_FIGURE = 190
_OPEN = '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'


def mark(palette: Palette, kind: int) -> str:
    """Return a brand mark of 40 by 40 pixels."""
    shapes = (
        '<circle cx="20" cy="20" r="15"/>',
        '<rect x="6" y="6" width="28" height="28" rx="8"/>',
        '<path d="M20 4 36 34H4Z"/>',
        '<path d="M20 3 35 12v16L20 37 5 28V12Z"/>',
        '<circle cx="14" cy="20" r="10"/><circle cx="27" cy="20" r="9" opacity=".55"/>',
        '<path d="M5 30V10h10l5 8 5-8h10v20h-8V20l-7 9-7-9v10Z"/>',
        '<path d="M20 5c9 9 13 14 13 20a13 13 0 0 1-26 0c0-6 4-11 13-20Z"/>',
        '<path d="M6 8h12v10H6ZM22 8h12v24H22ZM6 22h12v10H6Z"/>',
        '<path d="M5 20a15 15 0 0 1 30 0h-9a6 6 0 0 0-12 0ZM5 24h9v11H5ZM26 24h9v11h-9Z"/>',
        '<path d="M20 4l4 12 12 4-12 4-4 12-4-12-12-4 12-4Z"/>',
    )
    body = f'<g fill="{palette.accent}">{shapes[kind % len(shapes)]}</g>'
    return _OPEN.format(w=40, h=40) + body + "</svg>"


def poster(
    palette: Palette,
    title: str,
    paragraphs: tuple[str, ...],
    width: int,
    *,
    language: str,
    figure: bool = False,
) -> str:
    """Return a poster that shows the words at reading size, wrapped to `width` pixels.

    With `figure`, neutral outlines of two people stand above the words.
    """
    title_size, size = (34, 21) if width > 500 else (25, 18)
    margin = 36 if width > 500 else 20
    room = width - 2 * margin
    set_lines: list[tuple[Line, int, int]] = []
    y = margin + title_size + (_FIGURE if figure else 0)
    for set_line in wrapped(title, room / title_size, language, 700):
        set_lines.append((set_line, y, title_size))
        y += round(title_size * 1.35)
    for paragraph in paragraphs:
        y += size // 2
        for set_line in wrapped(paragraph, room / size, language, 400):
            set_lines.append((set_line, y, size))
            y += round(size * 1.5)
    height = y + margin - size // 2
    back = (
        f'<rect width="{width}" height="{height}" fill="{palette.accent}"/>'
        f'<circle cx="{width}" cy="0" r="{height // 2}" fill="{palette.accent_ink}" opacity=".08"/>'
        f'<circle cx="{width - 60}" cy="{height}" r="{height // 3}" fill="{palette.accent_ink}" '
        'opacity=".06"/>'
    )
    ink = palette.accent_ink
    words = "".join(drawn_line(shown, margin, at, em, ink) for shown, at, em in set_lines)
    people = _outlines(width, ink) if figure else ""
    return _OPEN.format(w=width, h=height) + back + people + words + "</svg>"


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
        drawn_line(line(char, "en", 700), 18 + 30 * i, 36 + (i % 2) * 5, 28, palette.text)
        for i, char in enumerate(code)
    )
    back = f'<rect width="150" height="54" fill="{palette.line}"/>'
    strokes = (
        f'<path d="M4 30Q75 6 146 32M4 44Q70 20 146 20" fill="none" stroke="{palette.muted}"/>'
    )
    return _OPEN.format(w=150, h=54) + back + strokes + digits + "</svg>"
