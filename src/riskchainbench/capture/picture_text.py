"""Paints over what names somebody in pictures, found by reading them (the extra ``ocr``).

The reader knows Latin and Chinese letters, and runs on this machine with the models that come
in its package. What it cannot read it cannot paint over: a person has to look all the same.
"""

from __future__ import annotations

import io
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from riskchainbench.capture.masking import Masker
from riskchainbench.capture.picture_files import UNREADABLE
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_bytes

MIN_SIDE = 12
MAX_PIXELS = 25_000_000
"""Pictures that are smaller hold no text to read; larger ones are left out of the website."""

_QUALITY = 90

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True)
class Line:
    """One line that a picture shows, with the place of each letter."""

    text: str
    boxes: tuple[Box, ...]


Read = Callable[[Image.Image], Sequence[Line]]


def require_reader() -> None:
    """Check that the extra is installed.

    Raises:
        InputError: it is not.
    """
    if find_spec("rapidocr_onnxruntime") is None:
        raise InputError(
            "text in pictures is read by an extra: pip install 'riskchainbench[ocr]', or leave "
            "--ocr out"
        )


class PicturePainter:
    """Paints stand-ins over the identifiers in a website's pictures; `painted` counts the kinds.

    Args:
        masker: of the website, so that pictures and text get the same stand-ins.
        read: returns the lines of a picture; the extra's reader if left out.
    """

    def __init__(self, masker: Masker, read: Read | None = None) -> None:
        self._masker = masker
        self._read = read or read_lines
        self._known: dict[Sha256, bytes] = {}
        self.painted: Counter[str] = Counter()

    def paint(self, body: bytes, kind: str) -> bytes:
        """Return the picture painted over; as it is where it shows nothing, or is none.

        Of a moving picture the first frame stays, if that shows something to paint over.
        """
        del kind  # the bytes tell
        key = sha256_bytes(body)
        if key not in self._known:
            self._known[key] = self._painted(body)
        return self._known[key]

    def _painted(self, body: bytes) -> bytes:
        try:
            with Image.open(io.BytesIO(body)) as picture:
                if min(picture.size) < MIN_SIDE:
                    return body
                if picture.width * picture.height > MAX_PIXELS:
                    return b""
                form = picture.format or "PNG"
                shown = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
        except UNREADABLE:
            return body
        flat = Image.new("RGB", shown.size, "white")
        flat.paste(shown, mask=shown.getchannel("A") if shown.mode == "RGBA" else None)
        found = False
        for line in self._read(flat):
            for start, end, kind, stand_in in self._masker.spans(line.text):
                box = _around(line.boxes[start:end])
                if box is not None:
                    _cover(shown, flat, box, stand_in)
                    self.painted[kind] += 1
                    found = True
        return _written(shown, form) if found else body


def read_lines(picture: Image.Image) -> Sequence[Line]:
    """Return the lines of text that a picture shows.

    Raises:
        InputError: the extra is not installed.
    """
    import numpy as np

    result, _ = _reader()(np.asarray(picture)[:, :, ::-1], return_word_box=True)
    lines = []
    for _, text, _, corners, letters, *_ in result or ():
        boxes = tuple(_box(each) for each in corners)
        if len(boxes) == len(letters):
            text = "".join(letters)
        lines.append(Line(text, boxes))
    return lines


@cache
def _reader() -> Callable[..., tuple[list[Any] | None, object]]:
    require_reader()
    from rapidocr_onnxruntime import RapidOCR

    # One thread: captures are imported side by side.
    reader: Callable[..., tuple[list[Any] | None, object]] = RapidOCR(
        intra_op_num_threads=1, inter_op_num_threads=1
    )
    return reader


def _box(corners: Sequence[Sequence[float]]) -> Box:
    across, down = [c[0] for c in corners], [c[1] for c in corners]
    return min(across), min(down), max(across), max(down)


def _around(boxes: Sequence[Box]) -> tuple[int, int, int, int] | None:
    """Return the box around several, a little larger; None around none."""
    if not boxes:
        return None
    left, top, right, bottom = (min(b[0] for b in boxes), min(b[1] for b in boxes),
                                max(b[2] for b in boxes), max(b[3] for b in boxes))  # fmt: skip
    margin = max(2.0, (bottom - top) * 0.12)
    return int(left - margin), int(top - margin), int(right + margin), int(bottom + margin)


def _cover(
    shown: Image.Image, flat: Image.Image, box: tuple[int, int, int, int], text: str
) -> None:
    left, top, right, bottom = box
    edge = [
        flat.getpixel((x, y))
        for x in range(max(0, left), min(flat.width, right), 3)
        for y in (top, bottom)
        if 0 <= y < flat.height
    ]
    ground = tuple(int(statistics.median(c)) for c in zip(*edge, strict=True)) or (255, 255, 255)
    ink = "black" if sum(ground) > 380 else "white"
    draw = ImageDraw.Draw(shown)
    draw.rectangle(box, fill=ground)
    size = max(6, int((bottom - top) * 0.7))
    font = ImageFont.load_default(size)
    wide = draw.textlength(text, font)
    if wide > right - left:
        font = ImageFont.load_default(max(6, int(size * (right - left) / wide)))
    draw.text((left, (top + bottom) / 2), text, fill=ink, font=font, anchor="lm")


def _written(picture: Image.Image, form: str) -> bytes:
    out = io.BytesIO()
    if form == "JPEG":
        picture.convert("RGB").save(out, form, quality=_QUALITY)
    elif form in ("WEBP", "AVIF"):
        picture.save(out, form, quality=_QUALITY)
    else:
        picture.save(out, form if form in ("PNG", "GIF", "BMP") else "PNG")
    return out.getvalue()
