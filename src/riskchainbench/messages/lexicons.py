"""The curated maps of this room, read once from ``data/``.

They say what may be written for what. How often, and where, is said in `recipes.py`.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any, Literal, TypeVar

from riskchainbench.core.errors import InputError
from riskchainbench.messages.readings import ReadingClass, reading_class

Half = Literal["a", "b"]
V = TypeVar("V")


@dataclass(frozen=True)
class Homophone:
    """A spelling that sounds like a word, and how closely."""

    spelling: str
    kind: ReadingClass


@dataclass(frozen=True)
class TokenProfile:
    """The text codes of one platform, longest first; `verified` says their syntax is known."""

    platform: str
    codes: tuple[str, ...]
    verified: bool


@dataclass(frozen=True)
class Dots:
    """What may stand for a dot of a name, by the recipe that uses it."""

    comma: str
    few_line: tuple[str, ...]
    vertical: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """All maps of this room, or one half of the curated ones."""

    homophones: Mapping[str, tuple[Homophone, ...]]
    homophone_characters: Mapping[str, tuple[Homophone, ...]]
    look_alikes: Mapping[str, str]
    look_alike_clashes: frozenset[str]
    decompositions: Mapping[str, str]
    confusables: Mapping[str, str]
    confusables_uts39: Mapping[str, str]
    dots: Dots
    marks: tuple[str, ...]
    keycap_suffix: str
    keycap_digits: str
    profiles: Mapping[str, TokenProfile]
    equivalents: tuple[tuple[str, ...], ...]
    traditional: Mapping[str, str]
    variants: Mapping[str, str]
    transposable: frozenset[str]
    spoken: Mapping[str, str]
    fillers: Mapping[str, tuple[str, ...]]

    @cached_property
    def words_by_first(self) -> dict[str, tuple[str, ...]]:
        """The homophone words by first character, longest first."""
        found: dict[str, list[str]] = {}
        for word in self.homophones:
            found.setdefault(word[0], []).append(word)
        return {
            first: tuple(sorted(words, key=lambda word: (-len(word), word)))
            for first, words in found.items()
        }

    def words_in(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the homophone words in `text` from the left, longest first, none overlapping."""
        at = 0
        while at < len(text):
            for word in self.words_by_first.get(text[at], ()):
                if text.startswith(word, at):
                    yield at, word
                    at += len(word)
                    break
            else:
                at += 1

    @cached_property
    def _equivalents_by_first(self) -> dict[str, list[tuple[str, ...]]]:
        found: dict[str, list[tuple[str, ...]]] = {}
        for group in self.equivalents:
            for word in group:
                others = tuple(other for other in group if other != word)
                found.setdefault(word[0], []).append((word, *others))
        return found

    def equivalents_at(self, text: str, at: int) -> tuple[str, ...]:
        """Return the word at `at` and its declared equivalents; nothing if it has none."""
        for spellings in self._equivalents_by_first.get(text[at], ()):
            if text.startswith(spellings[0], at):
                return spellings
        return ()

    def profile(self, platform: str) -> TokenProfile:
        """Return the token profile of `platform`.

        Raises:
            InputError: there is none.
        """
        try:
            return self.profiles[platform]
        except KeyError:
            known = ", ".join(sorted(self.profiles))
            raise InputError(f"platform {platform!r} is unknown; known are {known}") from None

    def half(self, which: Half) -> Lexicon:
        """Return the lexicon with one half of each curated map of Chinese characters.

        Both halves together are the whole; they share no entry, so a restorer tuned on one
        can be measured on the other.
        """
        return replace(
            self,
            homophones=_half(self.homophones, which),
            homophone_characters=_half(self.homophone_characters, which),
            look_alikes=_half(self.look_alikes, which),
            decompositions=_half(self.decompositions, which),
            traditional=_half(self.traditional, which),
            variants=_half(self.variants, which),
        )


def _half(entries: Mapping[str, V], which: Half) -> dict[str, V]:
    parity = 0 if which == "a" else 1
    return {
        key: value
        for key, value in entries.items()
        if hashlib.sha256(key.encode("utf-8")).digest()[0] % 2 == parity
    }


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Read the whole lexicon and compute how closely each homophone sounds.

    Raises:
        InputError: a spelling does not sound like its word.
    """
    symbols = _toml("symbols.toml")
    shapes = _toml("lookalikes.toml")
    sounds = _toml("homophones.toml")
    characters = _toml("characters.toml")
    return Lexicon(
        homophones=_homophones(sounds["spellings"]),
        homophone_characters=_homophones(sounds["characters"]),
        look_alikes=shapes["shapes"],
        look_alike_clashes=frozenset(shapes["clashes"].split()),
        decompositions=_toml("decompositions.toml")["parts"],
        confusables=symbols["confusables"],
        confusables_uts39=_json("confusables_uts39.json")["letters"],
        dots=Dots(
            comma=symbols["dots"]["comma"],
            few_line=tuple(symbols["dots"]["few_line"]),
            vertical=tuple(symbols["dots"]["vertical"]),
            other=tuple(symbols["dots"]["other"]),
        ),
        marks=tuple(symbols["marks"]["strewn"]),
        keycap_suffix=symbols["keycap"]["suffix"],
        keycap_digits=symbols["keycap"]["digits"],
        profiles=_profiles(_json("tokens.json")["platforms"]),
        equivalents=tuple(tuple(group) for group in _toml("equivalents.toml")["groups"]),
        traditional=characters["traditional"],
        variants=characters["variants"],
        transposable=frozenset(sounds["transposable"].split()),
        spoken=characters["spoken"],
        fillers={name: tuple(texts) for name, texts in _toml("fillers.toml").items()},
    )


def _homophones(spellings: Mapping[str, list[str]]) -> dict[str, tuple[Homophone, ...]]:
    return {
        word: tuple(Homophone(spelling, _sounding(word, spelling)) for spelling in others)
        for word, others in spellings.items()
    }


def _sounding(word: str, spelling: str) -> ReadingClass:
    found = reading_class(word, spelling)
    if found is None:
        raise InputError(f"homophones.toml: {spelling} does not sound like {word}")
    return found


def _profiles(platforms: Mapping[str, Any]) -> dict[str, TokenProfile]:
    return {
        platform: TokenProfile(
            platform,
            tuple(sorted(profile["codes"], key=lambda code: (-len(code), code))),
            profile["verified"],
        )
        for platform, profile in platforms.items()
    }


def _read(name: str) -> str:
    file = resources.files("riskchainbench.messages") / "data" / name
    return file.read_text(encoding="utf-8")


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(_read(name))


def _json(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_read(name))
    return data
