"""The fonts that messages are drawn in, found on the machine and known by their content.

Pillow draws no font behind another; which font a character is drawn in is decided here.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from PIL import ImageFont

from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_file, sha256_json

EMOJI_SIZE = 109
"""The only size that the emoji font has bitmaps of, in pixels."""

_TEXT, _EMOJI = "Noto Sans CJK SC", "Noto Color Emoji"
_MEND = "sudo apt-get install fontconfig fonts-noto-cjk fonts-noto-color-emoji"


class Face:
    """One font file at one size, and the characters it has."""

    def __init__(self, path: Path, index: int, size: int) -> None:
        # Here, since it takes long and only drawn messages need it.
        from matplotlib.ft2font import FT2Font

        self.font = ImageFont.truetype(str(path), size, index=index)
        # The fonts of one collection share their characters, so the first one tells of all.
        self._known = frozenset(FT2Font(str(path)).get_charmap())

    def covers(self, text: str) -> bool:
        """Tell whether the font has every character of `text`, joiners aside."""
        return all(ord(char) in self._known or _invisible(char) for char in text)


def _invisible(char: str) -> bool:
    return char in "\u200b\u200c\u200d\ufe0e\ufe0f"


@cache
def emoji_face() -> Face:
    """Return the emoji font.

    Raises:
        InputError: it is not installed.
    """
    return Face(*_found(_EMOJI), EMOJI_SIZE)


@cache
def text_faces(size: int) -> tuple[Face, ...]:
    """Return the fonts of text at `size` pixels, in the order they are tried.

    Raises:
        InputError: the CJK font is not installed.
    """
    return (Face(*_found(_TEXT), size), *(Face(path, 0, size) for path in _others()))


@cache
def fonts_sha256() -> Sha256:
    """Return the identity of all fonts together, recorded with what was drawn in them."""
    paths = (_found(_TEXT)[0], *_others(), _found(_EMOJI)[0])
    return sha256_json([sha256_file(path) for path in paths])


def _others() -> tuple[Path, ...]:
    """Return the fonts that come with matplotlib, for letters that no CJK font has."""
    from matplotlib import get_data_path

    folder = Path(get_data_path()) / "fonts" / "ttf"
    return tuple(
        folder / name for name in ("DejaVuSans.ttf", "STIXGeneral.ttf", "STIXGeneralBol.ttf")
    )


@cache
def _found(family: str) -> tuple[Path, int]:
    tool = shutil.which("fc-match")
    if tool is None:
        raise InputError(f"no fontconfig, so no fonts for --input image; {_MEND}")
    told = subprocess.run(
        [tool, "-f", "%{family}\n%{file}\n%{index}", family],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    ).stdout.splitlines()
    if len(told) != 3 or family not in told[0].split(","):
        raise InputError(f"the font {family} is needed for --input image; {_MEND}")
    return Path(told[1]), int(told[2])
