"""Cut the typefaces of the websites out of Debian's Noto packages.

Run it when a test says that a letter is missing: ``python tools/subset_fonts.py`` (up to six
minutes; a face that is as it should be is left alone). It needs ``apt-get install
fonts-noto-core fonts-noto-cjk`` and writes ``src/riskchainbench/websites/data/fonts/``. Every
face holds a common set of its script. What the texts and phrases of a language use beyond it is
in the same face, or for Chinese, Japanese and Korean in a small one beside it (``sc2`` and so
on), so that a new word never changes a large file.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

DATA = Path(__file__).parent.parent / "src/riskchainbench/websites/data"
TRUETYPE = Path("/usr/share/fonts/truetype/noto")
OPENTYPE = Path("/usr/share/fonts/opentype/noto")
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl"]
WEIGHTS = {400: "Regular", 700: "Bold"}
COLLECTION = {"jp": 0, "kr": 1, "sc": 2, "tc": 3, "jp2": 0, "kr2": 1, "sc2": 2, "tc2": 3}
"""Places of the regional faces inside Noto's CJK collections."""

LANGUAGES = {
    "latin": ("en", "es", "pt", "id", "vi"),
    "symbols": ("en", "es", "pt", "id", "vi", "th"),
    "thai": ("th",),
    "sc": ("zh-CN",),
    "tc": ("zh-TW",),
    "jp": ("ja",),
    "kr": ("ko",),
}
LANGUAGES |= {f"{script}2": LANGUAGES[script] for script in ("sc", "tc", "jp", "kr")}


@dataclass(frozen=True)
class Face:
    """One file to write: a family, a weight and a script."""

    family: str
    weight: int
    script: str

    @property
    def target(self) -> Path:
        return DATA / "fonts" / f"{self.family}-{self.weight}-{self.script}.woff2"

    @property
    def source(self) -> tuple[Path, int]:
        """The Debian file that the face is cut from, and its number inside a collection."""
        style, family = WEIGHTS[self.weight], self.family.capitalize()
        if self.script in COLLECTION:
            return OPENTYPE / f"Noto{family}CJK-{style}.ttc", COLLECTION[self.script]
        if self.script == "symbols":
            return TRUETYPE / "NotoSansSymbols2-Regular.ttf", -1
        name = f"Noto{family}{'Thai' if self.script == 'thai' else ''}-{style}.ttf"
        return TRUETYPE / name, -1


FACES = (
    *(Face(family, weight, script)
      for family in ("sans", "serif") for weight in WEIGHTS for script in ("latin", "thai")),
    *(Face("sans", weight, script) for weight in WEIGHTS for script in ("symbols", *COLLECTION)),
    *(Face("serif", 700, script) for script in COLLECTION),
)  # fmt: skip


def span(first: int, last: int) -> set[str]:
    return {chr(code) for code in range(first, last + 1)}


def encoded(codec: str, first: int, last: int, low_from: int = 0xA1) -> set[str]:
    """Return the characters of rows `first` to `last` of a two-byte character set."""
    found: set[str] = set()
    for high in range(first, last + 1):
        for low in range(low_from, 0xFF):
            try:
                found |= set(bytes([high, low]).decode(codec))
            except UnicodeDecodeError:
                continue
    return found


LATIN = span(0x20, 0x7E) | span(0xA0, 0x17F) | span(0x2010, 0x2027) | set("‰′″‹›€₫→←↑↓−×")
WIDE = (
    span(0x25A0, 0x25A1) | span(0x3000, 0x301F) | span(0xFF01, 0xFF5E) | set("・ー￥…—“”‘’→←↑↓×·")
)


def frequent(count: int) -> set[str]:
    """Return the `count` most frequent characters of jieba's dictionary of Simplified Chinese."""
    weights: Counter[str] = Counter()
    for entry in (resources.files("jieba") / "dict.txt").read_text(encoding="utf-8").splitlines():
        word, weight, *_ = entry.split()
        for char in word:
            weights[char] += int(weight)
    return {char for char, _ in weights.most_common(count)}


@cache
def common(script: str) -> frozenset[str]:
    """Return what a script's faces hold whether a text uses it or not."""
    extra = {
        "latin": LATIN | span(0x1A0, 0x1B0) | span(0x300, 0x323) | span(0x1EA0, 0x1EF9),
        "symbols": set("■□●○★☆✓▲▼"),
        "thai": span(0xE01, 0xE3A) | span(0xE3F, 0xE5B),
        "sc": WIDE | encoded("gb2312", 0xB0, 0xD7) | frequent(4000),
        "tc": WIDE | encoded("big5", 0xA4, 0xC6, 0x40),
        "jp": WIDE | span(0x3041, 0x30FE) | encoded("euc_jp", 0xB0, 0xCF),
        "kr": WIDE | span(0x3131, 0x318E) | encoded("euc_kr", 0xB0, 0xC8),
    }
    if script == "symbols":
        return frozenset(extra[script])
    return frozenset(extra[script] | span(0x20, 0x7E) | span(0xA0, 0xFF))


def used(script: str) -> set[str]:
    """Return every character in the words of the script's languages."""
    found: set[str] = set()
    for language in LANGUAGES[script]:
        files = [DATA / "phrases" / f"{language}.toml", *(DATA / "texts" / language).glob("*.toml")]
        for file in files:
            found |= set(file.read_text(encoding="utf-8"))
    return {char for char in found if char.isprintable()}


def letters(script: str) -> set[str]:
    """Return what a script's faces are to hold."""
    if script.endswith("2"):
        return {" "} | (used(script) - common(script[:-1]))
    if script in COLLECTION:
        return set(common(script))
    return common(script) | used(script)


def cut(face: Face) -> None:
    path, number = face.source
    if not path.is_file():
        sys.exit(f"{path}: missing; apt-get install fonts-noto-core fonts-noto-cjk")
    font = TTFont(path, fontNumber=number, lazy=True, recalcTimestamp=False)
    wanted = {ord(char) for char in letters(face.script)} & font.getBestCmap().keys()
    if face.target.is_file() and TTFont(face.target, lazy=True).getBestCmap().keys() == wanted:
        return
    options = subset.Options(
        flavor="woff2", layout_features=FEATURES, hinting=False, notdef_outline=True
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=sorted(wanted))
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(face.target)
    print(f"{face.target.name}: {face.target.stat().st_size} bytes")


def main() -> None:
    (DATA / "fonts").mkdir(exist_ok=True)
    chosen = sys.argv[1:]
    for face in FACES:
        if not chosen or face.script in chosen:
            cut(face)


if __name__ == "__main__":
    main()
