"""Finds the names under ``.test`` that a message spells, however they are dressed.

Works on a projection of the text in which each character is an ASCII letter or digit, a dot,
a space, a newline or nothing; the projection remembers where each of them stood.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from riskchainbench.core.restoration import MAX_CANDIDATES
from riskchainbench.models.restorer.encodings import from_punycode, spelled
from riskchainbench.models.restorer.tables import confusable_letters, dot_like

OTHER = "#"
TALL = "tall"
SPREAD = "spread"
_MARKS = frozenset("＊～^·*~")
_MIDDLE_DOT = frozenset("·")
_REACH = 4
_KEYCAP = "\ufe0f\u20e3"
_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
).union(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))

_LABEL = r"[a-z0-9-]{1,63}"
_START = r"(?<![a-z0-9-])"
_STOP = r"(?![a-z0-9-])"
_DOT = r" ?\. ?"
_BREAK = r"(?:[ \n]*\.[ \n]*|[ ]*\n[ ]*)"
_NEXT = r" ?\n ?"
_TALL = rf"[a-z0-9-](?:{_NEXT}[a-z0-9-]){{0,62}}"
_TALL_DOT = r"(?: ?\n ?\. ?\n ?| ?\n ?\n ?| ?\n ?\n ?\. ?\n ?\n ?)"
_TALL_TEST = rf"t{_NEXT}e{_NEXT}s{_NEXT}t"

VERTICAL = re.compile(rf"{_START}({_TALL}){_TALL_DOT}({_TALL}){_TALL_DOT}({_TALL_TEST}){_STOP}")
FLAT = re.compile(rf"{_START}({_LABEL}){_DOT}({_LABEL}){_DOT}(test){_STOP}")
LINES = re.compile(rf"{_START}({_LABEL}){_BREAK}({_LABEL}){_BREAK}(test){_STOP}")
_SPREAD_TEST = re.compile(r"[tTｔ]([ _|/+~～＊*^:;=、])[eEｅ]\1[sSｓ]\1[tTｔ]")


@dataclass(frozen=True)
class FoundEntry:
    """A name and the stretch of text, end exclusive, that spells it.

    `others` are further readings of the same stretch; `dressed` says that the stretch is not
    simply the name.
    """

    start: int
    stop: int
    value: str
    others: tuple[str, ...]
    layout: str
    dressed: bool


@cache
def fold(char: str) -> str:
    """Return what `char` may stand for in an entry: letters, a dot, a space, or OTHER.

    More than one letter means several readings, best first.
    """
    if char.isascii():
        return _fold_ascii(char)
    letters = confusable_letters().get(char)
    if letters:
        return letters
    if char in dot_like():
        return "."
    if char.isspace():
        return " "
    plain = unicodedata.normalize("NFKC", char).lower()
    if len(plain) == 1 and plain != char:
        return fold(plain)
    base = unicodedata.normalize("NFD", plain)[:1]
    return base.lower() if base.isascii() and base.isalnum() else OTHER


def _fold_ascii(char: str) -> str:
    if char.isalnum():
        return char.lower()
    if char in ".,":
        return "."
    if char in "-\n":
        return char
    return " " if char.isspace() else OTHER


@dataclass(frozen=True)
class _Projection:
    """The folded text: `starts` and `stops` say where each of its characters stood."""

    source: str
    text: str
    starts: list[int]
    stops: list[int]
    readings: list[str]

    def found(self, match: re.Match[str], layout: str, first: int) -> FoundEntry:
        spans = ((first, match.end(1)), match.span(2))
        labels = [self._label(span) for span in spans]
        names = [".".join((*pair, "test")) for pair in _combinations(labels)]
        start = min(self.starts[first : match.end()])
        stop = max(self.stops[first : match.end()])
        dressed = self.source[start:stop] != names[0]
        return FoundEntry(start, stop, names[0], tuple(names[1:]), layout, dressed)

    def spread_from(self, match: re.Match[str]) -> int | None:
        """Return from where on a mark stands between any two characters of a match.

        A letter that follows another closely ends a word before the name.
        """
        first = match.end() - 1
        while first > match.start() and self.starts[first] > self.stops[first - 1]:
            first -= 1
        first += first > match.start()
        return first if first < match.end(1) else None

    def _label(self, span: tuple[int, int]) -> list[str]:
        kept = [self.readings[i] for i in range(*span) if self.text[i] not in " \n"]
        best = "".join(reading[0] for reading in kept)
        decoded = from_punycode(best)
        if decoded is not None:
            folded = "".join(fold(char)[0] for char in decoded)
            return [folded, best] if OTHER not in folded else [best]
        swapped = [
            best[:i] + letter + best[i + 1 :]
            for i, reading in enumerate(kept)
            for letter in reading[1:]
        ]
        return [best, *swapped]


def _combinations(labels: list[list[str]]) -> list[tuple[str, ...]]:
    pairs = sorted(
        product(*(enumerate(label[:MAX_CANDIDATES]) for label in labels)),
        key=lambda pair: sum(rank for rank, _ in pair),
    )
    return [tuple(value for _, value in pair) for pair in pairs[:MAX_CANDIDATES]]


def _project(
    text: str, mark: str, *, breaks_after_tokens: bool, marks: frozenset[str] = _MARKS
) -> _Projection:
    """Fold `text`, without the `marks` that stand inside a name.

    Without `breaks_after_tokens` a newline right after a token is dropped.
    """
    out = _Projection(text, "", [], [], [])
    letters: list[str] = []
    after_token = False
    for char, start, stop in spelled(text):
        if char == mark:
            after_token = True
            continue
        if char in _KEYCAP or char in _INVISIBLE or unicodedata.combining(char):
            continue
        if after_token and char == "\n" and not breaks_after_tokens:
            after_token = False
            continue
        after_token = False
        if char in marks and _inside_name(text, start, mark, marks):
            continue
        reading = fold(char)
        letters.append(reading[0])
        out.starts.append(start)
        out.stops.append(stop)
        out.readings.append(reading)
    return replace(out, text="".join(letters))


def _inside_name(text: str, place: int, mark: str, marks: frozenset[str]) -> bool:
    return all(
        fold(_neighbor(text, place, step, mark, marks)) not in (OTHER, " ", "\n")
        for step in (-1, 1)
    )


def _neighbor(text: str, place: int, step: int, mark: str, marks: frozenset[str]) -> str:
    place += step
    for _ in range(_REACH):
        if not 0 <= place < len(text):
            return OTHER
        if text[place] != mark and text[place] not in marks:
            return text[place]
        place += step
    return OTHER


def find_entries(text: str, mark: str) -> list[FoundEntry]:
    """Return the entries that `text` spells, in reading order, none overlapping another.

    Tall layouts are looked for first, then entries on one line, then on a few lines; a break
    right after a token is taken for the token's before it is taken for a dot, and a middle dot
    for a mark before it is. Last come entries with one and the same mark between any two letters.
    """
    kept = _project(text, mark, breaks_after_tokens=True)
    joined = _project(text, mark, breaks_after_tokens=False) if mark in text else kept
    tries = [
        (kept, VERTICAL, TALL),
        (joined, FLAT, "flat"),
        (kept, FLAT, "flat"),
        (joined, LINES, "lines"),
        (kept, LINES, "lines"),
    ]
    if not _MIDDLE_DOT.isdisjoint(text):
        dotted = _project(text, mark, breaks_after_tokens=False, marks=_MARKS - _MIDDLE_DOT)
        tries.append((dotted, FLAT, "flat"))
    for gap in dict.fromkeys(match.group(1) for match in _SPREAD_TEST.finditer(text)):
        spread = _project(text, mark, breaks_after_tokens=False, marks=frozenset(gap))
        tries.append((spread, FLAT, SPREAD))
    found: list[FoundEntry] = []
    taken = bytearray(len(text))
    for projection, pattern, layout in tries:
        if not _worth(projection, pattern):
            continue
        for match in pattern.finditer(projection.text):
            first = match.start() if layout != SPREAD else projection.spread_from(match)
            if first is None:
                continue
            entry = projection.found(match, layout, first)
            if not any(taken[entry.start : entry.stop]):
                taken[entry.start : entry.stop] = b"\1" * (entry.stop - entry.start)
                found.append(entry)
    return sorted(found, key=lambda entry: entry.start)


def _worth(projection: _Projection, pattern: re.Pattern[str]) -> bool:
    if pattern is VERTICAL:
        return re.search(_TALL_TEST, projection.text) is not None
    return "test" in projection.text
