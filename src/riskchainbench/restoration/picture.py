"""A message session as an image: chat bubbles with emoji in place of the platform's codes.

It shows what a reader of the platform sees, for systems that look instead of read: a variant
of Task 1 beyond the paper, which gives the codes as text.
"""

from __future__ import annotations

import io
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import regex
from PIL import Image, ImageDraw

from riskchainbench.core.restoration import Message, RestorationTask
from riskchainbench.core.text import clusters
from riskchainbench.restoration.fonts import EMOJI_SIZE, Face, emoji_face, text_faces

WIDTH = 760
_SIZE, _LINE, _PADDING, _MARGIN, _GAP = 30, 46, 18, 24, 20
_AVATAR, _LABEL = 56, 20
_BUBBLE_WIDTH = WIDTH - 2 * _MARGIN - _AVATAR - 16 - 60
_BACKGROUND, _BUBBLE, _INK, _PALE = (237, 237, 237), (255, 255, 255), (25, 25, 25), (140, 140, 140)

_CODE = regex.compile(r"\[(\w[\w?]*)\]|#\((\w+)\)|/(\w+) ")
_PICTOGRAPH = regex.compile(r"\p{Emoji_Presentation}|\p{Emoji}\ufe0f")


@cache
def _emoji() -> dict[str, str]:
    file = resources.files("riskchainbench.restoration") / "data" / "emoji.toml"
    found: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))["emoji"]
    return found


def shown_text(content: str) -> str:
    """Return `content` with an emoji for each known platform code, as a reader sees it."""

    def drawn(match: regex.Match[str]) -> str:
        name = next(group for group in match.groups() if group is not None)
        return _emoji().get(name, match.group())

    return _CODE.sub(drawn, content)


@dataclass(frozen=True)
class _Glyph:
    """One cluster with the font it is drawn in and the width it takes."""

    text: str
    face: Face
    width: float
    emoji: bool


def draw_session(task: RestorationTask) -> bytes:
    """Return a PNG of the task's messages, top down in their order, labelled by id.

    Raises:
        InputError: a font is missing.
    """
    laid = [(message, _lines(shown_text(message.content))) for message in task.messages]
    heights = [_bubble_height(lines) for _, lines in laid]
    image = Image.new("RGB", (WIDTH, _MARGIN + sum(h + _GAP for h in heights)), _BACKGROUND)
    top = _MARGIN
    for (message, lines), height in zip(laid, heights, strict=True):
        _draw_message(image, message, lines, top)
        top += height + _GAP
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def _bubble_height(lines: list[list[_Glyph]]) -> int:
    return _LABEL + 6 + 2 * _PADDING + _LINE * len(lines)


def _lines(text: str) -> list[list[_Glyph]]:
    """Break text into lines of glyphs that fit the bubble; newlines stay."""
    lines: list[list[_Glyph]] = []
    for paragraph in text.split("\n"):
        line: list[_Glyph] = []
        width = 0.0
        for cluster in clusters(paragraph):
            glyph = _glyph(cluster)
            if line and width + glyph.width > _BUBBLE_WIDTH - 2 * _PADDING:
                lines.append(line)
                line, width = [], 0.0
            line.append(glyph)
            width += glyph.width
        lines.append(line)
    return lines


@cache
def _glyph(cluster: str) -> _Glyph:
    if _PICTOGRAPH.search(cluster) and emoji_face().covers(cluster):
        return _Glyph(cluster, emoji_face(), _SIZE + 6.0, emoji=True)
    faces = text_faces(_SIZE)
    face = next((face for face in faces if face.covers(cluster)), faces[0])
    if face is faces[0] and not face.covers(cluster) and emoji_face().covers(cluster):
        return _Glyph(cluster, emoji_face(), _SIZE + 6.0, emoji=True)
    return _Glyph(cluster, face, face.font.getlength(cluster), emoji=False)


def _draw_message(
    image: Image.Image, message: Message, lines: list[list[_Glyph]], top: int
) -> None:
    draw = ImageDraw.Draw(image)
    left = _MARGIN + _AVATAR + 16
    draw.rounded_rectangle(
        (_MARGIN, top, _MARGIN + _AVATAR, top + _AVATAR), radius=8, fill=(154, 176, 197)
    )
    label = text_faces(_LABEL)[0]
    draw.text((left, top - 6), message.message_id, font=label.font, fill=_PALE)
    widest = max(sum(glyph.width for glyph in line) for line in lines)
    above = top + _LABEL + 6
    box = (left, above, left + widest + 2 * _PADDING, above + 2 * _PADDING + _LINE * len(lines))
    draw.rounded_rectangle(box, radius=10, fill=_BUBBLE)
    for number, line in enumerate(lines):
        x, y = float(left + _PADDING), above + _PADDING + number * _LINE
        for glyph in line:
            _draw_glyph(image, draw, glyph, x, y)
            x += glyph.width


def _draw_glyph(
    image: Image.Image, draw: ImageDraw.ImageDraw, glyph: _Glyph, x: float, y: float
) -> None:
    if not glyph.emoji:
        # One baseline for all fonts: the anchor is the left end of the baseline.
        place = (round(x), round(y + _LINE * 0.72))
        draw.text(place, glyph.text, font=glyph.face.font, fill=_INK, anchor="ls")
        return
    pasted = _bitmap(glyph.text)
    image.paste(pasted, (round(x) + 2, round(y) + (_LINE - pasted.height) // 2), pasted)


@cache
def _bitmap(cluster: str) -> Image.Image:
    size = EMOJI_SIZE + 27
    drawn = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    ImageDraw.Draw(drawn).text(
        (0, 0), cluster, font=emoji_face().font, embedded_color=True, anchor="lt"
    )
    return drawn.resize((_SIZE + 2, _SIZE + 2), Image.Resampling.LANCZOS)
