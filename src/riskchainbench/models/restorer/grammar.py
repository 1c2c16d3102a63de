"""A grammar in miniature: how much likelier than chance two words stand side by side.

Words belong to kinds, by a hand-written list or by the part of speech that jieba gives; a
pattern lifts every pair of two kinds. It knows nothing of words by themselves.
"""

from __future__ import annotations

from functools import cache

from riskchainbench.models.restorer.tables import toml_table

_TAGS = {
    "v": "verb",
    "vn": "noun",
    "n": "noun",
    "a": "adjective",
    "ad": "adjective",
    "an": "noun",
    "d": "adverb",
    "r": "pronoun",
    "t": "time",
    "p": "preposition",
    "c": "conjunction",
    "f": "locative",
    "s": "noun",
    "ns": "noun",
    "nz": "noun",
    "b": "adjective",
    "l": "verb",
    "i": "adjective",
    "z": "adjective",
    "j": "noun",
    "nt": "noun",
}

Kinds = int
"""The kinds of a word, as a set of bits."""


@cache
def _bits() -> dict[str, Kinds]:
    return {name: 1 << place for place, name in enumerate(toml_table("patterns.toml")["kinds"])}


@cache
def listed_kinds() -> dict[str, Kinds]:
    """Return the kinds of the words that are listed by hand."""
    found: dict[str, Kinds] = {}
    for name, words in toml_table("patterns.toml")["kinds"].items():
        for word in words.split():
            found[word] = found.get(word, 0) | _bits()[name]
    return found


@cache
def kinds_of_tag(tag: str) -> Kinds:
    """Return the kinds that a part of speech of jieba stands for; none for most rare ones."""
    return _bits().get(_TAGS.get(tag, ""), 0)


def leads_to_a_name(kinds: Kinds) -> bool:
    """Tell whether a word of these kinds often stands right before a name."""
    return bool(kinds & _bits()["before_name"])


@cache
def _lifts() -> dict[tuple[Kinds, Kinds], float]:
    bits = _bits()
    return {
        (bits[first], bits[second]): float(pattern["lift"])
        for pattern in toml_table("patterns.toml")["patterns"]
        for first, second in pattern["pairs"]
    }


@cache
def lift(first: Kinds, second: Kinds) -> float:
    """Return the natural log of how much likelier than chance `second` follows `first`."""
    if not (first and second):
        return 0.0
    return max((up for (a, b), up in _lifts().items() if first & a and second & b), default=0.0)
