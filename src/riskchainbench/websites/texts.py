"""Scenario data: what each contrast set shows, which words carry which component.

A scenario's facts are language-neutral (``data/scenarios``); its words stand in takes per
language (``data/texts/<language>``), so a new language adds files and touches no code.
Words that realize a component are marked in place: ``[A:words]`` asserts component A,
``[~A:words]`` only mentions it (a decoy). `A`, `B` are named by the scenario, `N` is the
codebook's benign component and `C` its counter-evidence.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError, field_validator

from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.websites.forms import FORMS, LABELS, FormPhrases
from riskchainbench.websites.takes import ScenarioText, Take, Takes

R = TypeVar("R", bound=Record)

_MARK = re.compile(r"\[(~?)([A-Z]):([^\]]+)\]")

BANKS = ("a", "b")
BENIGN_CODE = "N"
COUNTER_CODE = "C"


class Scenario(Record):
    """The language-neutral facts of one contrast set of V, N and U.

    A set draws one of its `forms` and one of its `flows`; its words stand in each of them.
    `components` names what the codes in the words stand for; a codebook says which type they
    complete. `mechanism` says why the evidence of the U member is insufficient. The banks
    share no phrases and no brand family, so that one can be trained on and the other tested.
    """

    scenario: str
    topic: str
    forms: tuple[str, ...] = Field(min_length=1)
    flows: tuple[str, ...] = Field(min_length=1)
    mechanism: str
    dead_form: bool = False
    bank: Literal["a", "b"]
    components: dict[str, str] = Field(min_length=1)

    @field_validator("forms")
    @classmethod
    def _known_forms(cls, forms: tuple[str, ...]) -> tuple[str, ...]:
        unknown = sorted(set(forms) - set(FORMS))
        if unknown:
            raise ValueError(f"{unknown[0]} is none of {', '.join(FORMS)}")
        return forms


class Phrases(Record):
    """What any website in the language may say: labels of controls and passing remarks."""

    review: str
    ui: dict[str, str]
    remarks: tuple[str, ...] = Field(min_length=12)
    teasers: tuple[tuple[str, str], ...] = Field(min_length=12)
    footers: tuple[str, ...] = Field(min_length=8)
    name_heads: tuple[str, ...] = Field(min_length=20)
    name_ends: tuple[str, ...] = Field(min_length=10)
    name_form: str
    forms: FormPhrases

    @field_validator("forms")
    @classmethod
    def _every_label(cls, forms: FormPhrases) -> FormPhrases:
        wrong = sorted(set(LABELS) ^ set(forms.labels))
        if wrong:
            raise ValueError(f"labels: {wrong[0]} is missing or unknown")
        return forms

    def bank(self, name: str) -> Phrases:
        """Return the phrases with only those remarks, teasers and footers that are `name`'s."""
        mine = slice(BANKS.index(name), None, len(BANKS))
        return self.model_copy(
            update={
                "remarks": self.remarks[mine],
                "teasers": self.teasers[mine],
                "footers": self.footers[mine],
            }
        )


@dataclass(frozen=True)
class Mark:
    """Words that realize the component behind `code`; a decoy does not assert it."""

    code: str
    words: str
    asserted: bool


def unmarked(text: str) -> str:
    """Return `text` as a visitor reads it."""
    return _MARK.sub(lambda match: match[3], text)


def marks(text: str) -> tuple[Mark, ...]:
    """Return the marked words of `text`, in order."""
    return tuple(Mark(m[2], m[3], asserted=not m[1]) for m in _MARK.finditer(text))


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Return all scenarios, by file name."""
    folder = _data() / "scenarios"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return tuple(_scenario(file) for file in files if file.name.endswith(".toml"))


def _scenario(file: Traversable) -> Scenario:
    found = _read(file, Scenario)
    if file.name != f"{found.scenario}.toml":
        raise InputError(f"{file.name}: scenario: {found.scenario} is not the file's name")
    return found


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have phrases, sorted."""
    files = (_data() / "phrases").iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


@cache
def scenario_takes(scenario: str, language: str) -> Takes | None:
    """Return a scenario's words in a language, or None where none were written."""
    folder = _data() / "texts" / language
    first = folder / f"{scenario}.toml"
    if not first.is_file():
        return None
    names = sorted(file.name for file in folder.iterdir())
    others = [n for n in names if n.startswith(f"{scenario}.") and n != first.name]
    return Takes(
        first=_read(first, ScenarioText),
        others=tuple(_read(folder / name, Take) for name in others if name.endswith(".toml")),
    )


@cache
def phrases(language: str) -> Phrases:
    """Return what any website in `language` may say."""
    return _read(_data() / "phrases" / f"{language}.toml", Phrases)


def _data() -> Traversable:
    return resources.files("riskchainbench.websites") / "data"


def _read(file: Traversable, kind: type[R]) -> R:
    try:
        value: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        return kind.model_validate(value)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file.name}: not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{file}: {place}: {first['msg']}") from error
