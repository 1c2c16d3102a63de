"""Images as a provider takes them: scaled down to its limits, and said so.

A PNG within the limits is sent as it is, byte for byte.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from PIL import Image

from riskchainbench.models.provider.profiles import ImageLimits

_SMALLER = 0.75
_SMALLEST_EDGE = 64

T = TypeVar("T")


@dataclass(frozen=True)
class FittedImage:
    """A PNG within the limits; `scaled` tells whether it had to be made smaller."""

    png: bytes
    scaled: bool

    @property
    def data_uri(self) -> str:
        """The image as a data URI."""
        return "data:image/png;base64," + base64.b64encode(self.png).decode("ascii")


def fitted(png: bytes, limits: ImageLimits) -> FittedImage:
    """Return `png` made to fit `limits`: first its edge, then its encoded size."""
    image = Image.open(io.BytesIO(png))
    edge = max(image.size)
    if edge <= limits.edge and len(png) <= limits.encoded_bytes:
        return FittedImage(png, scaled=False)
    wanted = min(edge, limits.edge)
    while True:
        data = _resized(image, wanted / edge)
        if len(data) <= limits.encoded_bytes or wanted <= _SMALLEST_EDGE:
            return FittedImage(data, scaled=True)
        wanted = max(_SMALLEST_EDGE, int(wanted * _SMALLER))


def _resized(image: Image.Image, factor: float) -> bytes:
    size = tuple(max(1, round(length * factor)) for length in image.size)
    smaller = image.convert("RGB").resize((size[0], size[1]), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    smaller.save(out, format="PNG")
    return out.getvalue()


def kept(items: Sequence[T], count: int) -> frozenset[int]:
    """Return the positions of at most `count` items: the last, the first, the rest evenly."""
    if len(items) <= count:
        return frozenset(range(len(items)))
    if count == 1:
        return frozenset({len(items) - 1})
    return frozenset(round(place * (len(items) - 1) / (count - 1)) for place in range(count))
