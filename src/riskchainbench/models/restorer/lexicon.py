"""The words of the language with their log probabilities, and words by how they sound.

Counts are those that jieba ships, lifted where the hand-written list of everyday words says
so. Built once, on first use; it is read-only afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import log
from pathlib import Path
from sys import intern

import numpy as np

from riskchainbench.models.restorer.grammar import Kinds, kinds_of_tag, listed_kinds
from riskchainbench.models.restorer.readings import char_readings, class_letter, word_reading
from riskchainbench.models.restorer.tables import toml_table

MAX_WORD = 4
WEB_COUNTS = Path(__file__).with_name("data") / "web_words.npz"
LEAST = 30
_MIN_KNOWN = 5
_UNKNOWN_COUNT = 0.5
_MIN_LONE = 100
WEB_SHARE = 0.8
RARE_CHAR = -16.0
_GAP = "_"
_FIRST_HAN, _LAST_HAN = "\u3400", "\u9fff"


def is_han(text: str) -> bool:
    """Tell whether every character of `text` is a common Han character."""
    return all(_FIRST_HAN <= char <= _LAST_HAN for char in text)


Spoken = tuple[str, float]
"""A word and its score."""

Voiced = tuple[str, str, str]
"""A character, a syllable that it is read as, and its tone."""


@dataclass
class Lexicon:
    """Words with counts, the everyday ones among them, and an index by near sound."""

    counts: dict[str, float]
    everyday: frozenset[str]
    usual: dict[str, str]
    listed: dict[str, Kinds]
    parts: dict[str, str]
    by_sound: dict[str, list[Spoken]] = field(default_factory=dict)
    by_class: dict[str, list[Voiced]] = field(default_factory=dict)
    chars: dict[str, float] = field(default_factory=dict)
    _gaps: dict[str, str] = field(default_factory=dict)
    log_total: float = 0.0
    highest: float = 0.0

    def __post_init__(self) -> None:
        self.log_total = log(sum(self.counts.values()))
        self.highest = max(map(self.score, (word for word in self.counts if len(word) > 1)))
        chars: dict[str, float] = {}
        for word, count in self.counts.items():
            if count >= (LEAST if len(word) > 1 else _MIN_LONE) or word in self.everyday:
                self._index(word)
            if len(word) > 1 and count >= LEAST:
                self._index_gaps(word)
            for char in word:
                chars[char] = chars.get(char, 0) + count
        for words in self.by_sound.values():
            words.sort(key=lambda spoken: -spoken[1])
        total = log(sum(chars.values()))
        self.chars = {char: log(count) - total for char, count in chars.items()}
        for char in self.chars:
            for syllable, tone in char_readings(char):
                self.by_class.setdefault(class_letter(syllable), []).append((char, syllable, tone))

    def _index_gaps(self, word: str) -> None:
        for place, char in enumerate(map(intern, word)):
            gap = word[:place] + _GAP + word[place + 1 :]
            self._gaps[gap] = self._gaps.get(gap, "") + char

    def _index(self, word: str) -> None:
        reading = word_reading(word)
        if reading is None:
            return
        spoken = (word, self.score(word))
        key = "".join(class_letter(syllable) for syllable, _ in reading)
        self.by_sound.setdefault(key, []).append(spoken)

    def fillings(self, before: str, after: str) -> str:
        """Return the characters that make a longer word between `before` and `after`."""
        return self._gaps.get(before + _GAP + after, "")

    def kinds_of(self, word: str) -> Kinds:
        """Return the kinds of a word, those listed by hand before those of its part of speech."""
        kinds = self.listed.get(word)
        if kinds is None:
            kinds = kinds_of_tag(self.parts.get(word, "")) if len(word) > 1 else 0
        return kinds

    def score(self, word: str) -> float:
        """Return the natural log of the word's probability; unknown words score lowest."""
        return log(self.counts.get(word, _UNKNOWN_COUNT)) - self.log_total

    def spelled(self, text: str) -> float:
        """Return the log probability of characters that follow one another by chance."""
        return sum(self.chars.get(char, RARE_CHAR) for char in text)

    def knows(self, word: str) -> bool:
        """Tell whether `word` stands in the list."""
        return word in self.counts


def _jieba_words() -> tuple[dict[str, float], dict[str, str]]:
    counts: dict[str, float] = {}
    parts: dict[str, str] = {}
    text = (files("jieba") / "dict.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        word, count, tag = line.split(" ")
        if len(word) <= MAX_WORD and len(count) and is_han(word) and int(count) >= _MIN_KNOWN:
            counts[word] = int(count)
            parts[word] = intern(tag)
    return counts, parts


def _web_words() -> dict[str, int]:
    with np.load(WEB_COUNTS) as data:
        words = data["words"].tobytes().decode().split("\n")
        return dict(zip(words, data["counts"].tolist(), strict=True))


@cache
def lexicon() -> Lexicon:
    """Return the shared lexicon."""
    table = toml_table("words.toml")
    counts, parts = _jieba_words()
    web = _web_words()
    scale = WEB_SHARE * sum(counts.values()) / sum(web.values())
    for word, count in web.items():
        counts[word] = counts.get(word, 0) * (1 - WEB_SHARE) + scale * count
    everyday: set[str] = set()
    for count, words in table["counts"].items():
        for word in words.split():
            if not is_han(word):
                continue
            everyday.add(word)
            counts[word] = max(counts.get(word, 0), int(count))
    return Lexicon(counts, frozenset(everyday), dict(table["usual"]), listed_kinds(), parts)
