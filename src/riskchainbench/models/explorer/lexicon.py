"""The explorer's words: one file a language, merged into one set of patterns.

A language is added by adding a file to ``data/``; no code names a language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from pydantic import Field

from riskchainbench.core.record import Record
from riskchainbench.core.text import letters_and_digits

Patterns = tuple[str, ...]

MAX_BESIDE_GENERIC = 2
"""Letters and digits that a name without meaning may hold beside its generic words."""

CLEAR_WORDS = 4
"""Short words of a language that show a text to be written in it."""


class Awareness(Record):
    """Cues that a page talks about risks; one strong cue or several weak ones suffice."""

    strong: Patterns
    weak: Patterns


class Negation(Record):
    """Cues that turn an offer into its opposite: before it, or anywhere in its sentence."""

    before: Patterns
    anywhere: Patterns


class Controls(Record):
    """What controls are called, by what pressing them is good for."""

    gate: Patterns
    decline: Patterns
    interesting: Patterns
    counter: Patterns
    generic: Patterns
    unhelpful: Patterns
    code_field: Patterns
    placeholder: Patterns


class Rationale(Record):
    """The sentences of a rationale."""

    violation: str
    benign: str
    insufficient: str
    nothing: str
    item: str
    limit: str


class Limitation(Record):
    """Cues that the environment is not good enough to judge."""

    cues: Patterns


class LexiconFile(Record):
    """The words of one language, as a file holds them."""

    language: str
    letters: str
    common: str = ""
    """The short words by which the language is told from others in the same letters."""

    components: dict[str, Patterns]
    fields: dict[str, Patterns] = Field(default_factory=dict)
    roles: dict[str, Patterns]
    exclusions: dict[str, Patterns]
    awareness: Awareness
    negation: Negation
    limitation: Limitation
    controls: Controls
    rationale: Rationale


Matcher = re.Pattern[str]


@dataclass(frozen=True)
class Voice:
    """How a rationale is worded in one language, and the letters that language is written in."""

    letters: Matcher
    rationale: Rationale


@dataclass(frozen=True)
class Turning:
    """What turns an offer into its opposite in one language."""

    before: Matcher
    anywhere: Matcher


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of all languages, compiled; compared by identity."""

    components: Mapping[str, Sequence[Matcher]]
    fields: Mapping[str, Matcher]
    roles: Mapping[str, Sequence[Matcher]]
    exclusions: Mapping[str, Sequence[Matcher]]
    aware_strong: Matcher
    aware_weak: Sequence[Matcher]
    negations: Mapping[str, Turning]
    negation_anywhere: Matcher
    common: Mapping[str, Matcher]
    limitation: Sequence[Matcher]
    controls: Mapping[str, Matcher]
    voices: Mapping[str, Voice]

    def turnings(self, text: str) -> list[Turning]:
        """Return the negations that count in `text`: those of languages it may be written in.

        A word that negates in one language means something else in another ("no" in English
        and in Portuguese), so a text clearly in one of them is not read by the others' words.
        """
        counts = {name: len(words.findall(text)) for name, words in self.common.items()}
        most = max(counts.values(), default=0)
        if most < CLEAR_WORDS:
            return list(self.negations.values())
        return [turn for name, turn in self.negations.items() if counts.get(name, most) == most]

    def called(self, kind: str, name: str) -> bool:
        """Tell whether a control called `name` is of that kind."""
        return self.controls[kind].search(name) is not None

    def promises(self, name: str) -> bool:
        """Tell whether a control is worth pressing for more than a word like "view" in its name."""
        return self.called("interesting", self.controls["generic"].sub("", name))

    def says_nothing(self, name: str) -> bool:
        """Tell whether a control's name does not say where it leads ("Next", "Details")."""
        rest = self.controls["generic"].sub("", name)
        return rest != name and letters_and_digits(rest) <= MAX_BESIDE_GENERIC


def load_lexicon() -> Lexicon:
    """Return the words of every language that ships with the explorer."""
    return _shipped()


@cache
def _shipped() -> Lexicon:
    folder = resources.files("riskchainbench.models.explorer") / "data"
    files = sorted(
        (item for item in folder.iterdir() if item.name.endswith(".toml")),
        key=lambda item: item.name,
    )
    return merge([_read(file) for file in files])


def _read(file: Traversable) -> LexiconFile:
    return LexiconFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def merge(files: Sequence[LexiconFile]) -> Lexicon:
    """Return one lexicon of several languages; any of their words counts anywhere."""
    return Lexicon(
        components=_grouped(file.components for file in files),
        fields={
            key: _any(pattern for file in files for pattern in file.fields.get(key, ()))
            for key in sorted({key for file in files for key in file.fields})
        },
        roles=_grouped(file.roles for file in files),
        exclusions=_grouped(file.exclusions for file in files),
        aware_strong=_any(p for file in files for p in file.awareness.strong),
        aware_weak=tuple(_one(p) for file in files for p in file.awareness.weak),
        negations={
            f.language: Turning(_any(f.negation.before), _any(f.negation.anywhere)) for f in files
        },
        common={f.language: _one(f.common) for f in files if f.common},
        negation_anywhere=_any(p for file in files for p in file.negation.anywhere),
        limitation=tuple(_one(p) for file in files for p in file.limitation.cues),
        controls={
            key: _any(p for file in files for p in getattr(file.controls, key))
            for key in sorted(Controls.model_fields)
        },
        voices={f.language: Voice(_one(f.letters), f.rationale) for f in files},
    )


def _grouped(tables: Iterable[Mapping[str, Patterns]]) -> dict[str, tuple[Matcher, ...]]:
    grouped: dict[str, tuple[Matcher, ...]] = {}
    for table in tables:
        for key, patterns in table.items():
            grouped[key] = (*grouped.get(key, ()), *(_one(pattern) for pattern in patterns))
    return dict(sorted(grouped.items()))


def _one(pattern: str) -> Matcher:
    return re.compile(pattern, re.IGNORECASE)


def _any(patterns: Iterable[str]) -> Matcher:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(joined or r"(?!)", re.IGNORECASE)
