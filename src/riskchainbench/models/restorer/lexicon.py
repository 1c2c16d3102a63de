"""The words of the language with their log probabilities, and words by how they sound.

Counts are those that jieba ships, lifted where the hand-written list of everyday words says
so. Built once, on first use; it is read-only afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import log

from riskchainbench.models.restorer.grammar import Kinds, kinds_of_tag, listed_kinds
from riskchainbench.models.restorer.readings import Reading, class_letter, word_reading
from riskchainbench.models.restorer.tables import toml_table

MAX_WORD = 4
_MIN_INDEXED = 30
_MIN_KNOWN = 3
_UNKNOWN_COUNT = 0.5
_UNCOMMON = 4.0
_FIRST_HAN, _LAST_HAN = "\u3400", "\u9fff"


def is_han(text: str) -> bool:
    """Tell whether every character of `text` is a common Han character."""
    return all(_FIRST_HAN <= char <= _LAST_HAN for char in text)


Spoken = tuple[str, tuple[Reading, ...], float]
"""A word, its reading, and its score as a reading of something else."""


@dataclass
class Lexicon:
    """Words with counts, the everyday ones among them, and an index by near sound."""

    counts: dict[str, int]
    everyday: frozenset[str]
    usual: dict[str, str]
    kinds: dict[str, Kinds]
    by_sound: dict[str, list[Spoken]] = field(default_factory=dict)
    log_total: float = 0.0
    highest: float = 0.0

    def __post_init__(self) -> None:
        self.log_total = log(sum(self.counts.values()))
        self.highest = max(map(self.score, (word for word in self.counts if len(word) > 1)))
        for word in listed_kinds():
            if len(word) == 1:
                self._index(word)
        for word, count in self.counts.items():
            if len(word) > 1 and (count >= _MIN_INDEXED or word in self.everyday):
                self._index(word)

    def _index(self, word: str) -> None:
        reading = word_reading(word)
        if reading is None:
            return
        everyday = len(word) == 1 or word in self.everyday
        spoken = (word, reading, self.score(word) - (0.0 if everyday else _UNCOMMON))
        key = "".join(class_letter(syllable) for syllable, _ in reading)
        self.by_sound.setdefault(key, []).append(spoken)

    def score(self, word: str) -> float:
        """Return the natural log of the word's probability; unknown words score lowest."""
        return log(self.counts.get(word, _UNKNOWN_COUNT)) - self.log_total

    def knows(self, word: str) -> bool:
        """Tell whether `word` stands in the list."""
        return word in self.counts


def _jieba_words() -> tuple[dict[str, int], dict[str, Kinds]]:
    counts = {}
    kinds: dict[str, Kinds] = {}
    text = (files("jieba") / "dict.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        word, count, tag = line.split(" ")
        if len(word) <= MAX_WORD and len(count) and is_han(word) and int(count) >= _MIN_KNOWN:
            counts[word] = int(count)
            if len(word) > 1:
                kinds[word] = kinds_of_tag(tag)
    return counts, kinds


@cache
def lexicon() -> Lexicon:
    """Return the shared lexicon."""
    table = toml_table("words.toml")
    counts, kinds = _jieba_words()
    kinds.update(listed_kinds())
    everyday: set[str] = set()
    for count, words in table["counts"].items():
        for word in words.split():
            if not is_han(word):
                continue
            everyday.add(word)
            counts[word] = max(counts.get(word, 0), int(count))
    return Lexicon(counts, frozenset(everyday), dict(table["usual"]), kinds)
