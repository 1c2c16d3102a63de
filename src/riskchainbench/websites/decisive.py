"""The paragraphs that only one member of a contrast set shows, and how to know one again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from riskchainbench.websites.alternatives import alternatives
from riskchainbench.websites.texts import scenario_takes, unmarked

_BRAND = "{brand}"
_BEGINNING = 4

Pieces = tuple[tuple[str, ...], ...]
"""What can stand in each place of a paragraph, without white space."""


class Decisive:
    """The decisive paragraphs of one scenario in one language, in every wording of theirs."""

    def __init__(self, paragraphs: Iterable[str]) -> None:
        self._by_beginning: dict[str, list[Pieces]] = {}
        for paragraph in dict.fromkeys(_squeezed(each) for each in paragraphs):
            pieces = tuple(tuple(options) for options in alternatives(paragraph))
            for beginning in _beginnings(pieces):
                self._by_beginning.setdefault(beginning, []).append(pieces)

    def hold(self, line: str) -> bool:
        """Tell whether a line is one of them, whatever the brand and the white space."""
        return _holds(self, line)

    def candidates(self, line: str) -> Iterator[Pieces]:
        """Yield the paragraphs that begin as `line` does."""
        for beginning in dict.fromkeys(line[:length] for length in range(_BEGINNING + 1)):
            yield from self._by_beginning.get(beginning, ())


@lru_cache(maxsize=4096)
def _holds(decisive: Decisive, line: str) -> bool:
    squeezed = _squeezed(line)
    return any(_reads(pieces, squeezed) for pieces in decisive.candidates(squeezed))


@cache
def decisive_paragraphs(scenario: str, language: str) -> Decisive:
    """Return the paragraphs of a scenario that only one member of a set shows."""
    takes = scenario_takes(scenario, language)
    return Decisive(
        unmarked(paragraph)
        for slots in (takes.members.values() if takes else ())
        for words in slots
        for paragraph in words
    )


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _beginnings(pieces: Pieces) -> Iterable[str]:
    """Return what a paragraph can begin with, up to its first choice or brand."""
    first, *others = pieces
    if first == ("",) and others:
        first = others[0]
    return dict.fromkeys(option.partition(_BRAND)[0][:_BEGINNING] for option in first)


def _reads(pieces: Sequence[Sequence[str]], line: str) -> bool:
    """Tell whether `line` is one way to read a paragraph."""
    ends = {0}
    for options in pieces:
        ends = {end for option in options for end in _ends(option, line, ends)}
        if not ends:
            return False
    return len(line) in ends


def _ends(option: str, line: str, starts: Iterable[int]) -> set[int]:
    """Return where `option` can end if it begins at one of `starts`."""
    first, *others = option.split(_BRAND)
    ends = {start + len(first) for start in starts if line.startswith(first, start)}
    for words in others:
        # A brand is one character or more.
        begun = range(min(ends, default=len(line)) + 1, len(line) + 1)
        ends = {start + len(words) for start in begun if line.startswith(words, start)}
    return ends
