"""Message templates: what the source sessions are made from, and the values of their slots.

Each theme is one TOML file under ``data/sources``; `sources` turns templates into sessions.
A theme is a rhetoric, never a website: nothing here knows a label.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from pydantic import Field, ValidationError

from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Intent, Surface
from riskchainbench.messages.records import EntryPosition

ENTRY_SLOT = "entry"
DECOY_SLOT = "decoy"
GENERATED_SLOTS = (ENTRY_SLOT, DECOY_SLOT, "code", "n")
"""The slots that are filled from chance alone, without a list of values."""

SHARED_FILE = "_shared.toml"

_SLOT = re.compile(r"\{(\w+)\}")

Rhetoric = Literal["harmless", "suggestive"]


class Template(Record):
    """One to three messages with slots, written by hand.

    `intent` is the one thing that they ask of their reader. Wherever a code is to be typed
    at the entry it is ENTER_CODE; UNKNOWN names the entry and asks for nothing.
    `position` says where in its message the entry stands: at the start or end when only
    punctuation lies beyond it.
    """

    id: str = Field(pattern=r"^[a-z]+(-[a-z]+)+-\d+$")
    intent: Intent
    surfaces: tuple[Surface, ...] = Field(min_length=1)
    position: EntryPosition
    messages: tuple[str, ...] = Field(min_length=1, max_length=3)

    def slots(self, message: str | None = None) -> tuple[str, ...]:
        """Return the slots of `message`, or of all messages, in order, each once."""
        texts = self.messages if message is None else (message,)
        return tuple(dict.fromkeys(name for text in texts for name in _SLOT.findall(text)))

    @property
    def entry_message(self) -> int:
        """The index of the message that holds the entry."""
        return next(i for i, text in enumerate(self.messages) if f"{{{ENTRY_SLOT}}}" in text)

    def render(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """Return the messages with every slot filled from `values`."""
        return tuple(_SLOT.sub(lambda slot: values[slot[1]], text) for text in self.messages)


class Theme(Record):
    """A theme of rhetoric with its templates and the content words that fill them."""

    theme: str = Field(pattern=r"^[a-z]+$")
    rhetoric: Rhetoric
    slots: dict[str, tuple[str, ...]]
    templates: tuple[Template, ...]


@dataclass(frozen=True)
class TemplateBook:
    """All themes, and the slots that they share (names, pass phrases, times)."""

    themes: tuple[Theme, ...]
    shared: Mapping[str, tuple[str, ...]]

    def pairs(self) -> Iterator[tuple[Theme, Template]]:
        """Yield every template with its theme."""
        return ((theme, template) for theme in self.themes for template in theme.templates)


def entry_position(text: str) -> EntryPosition:
    """Tell where in the template `text` the entry slot stands.

    >>> entry_position("旧的停了，用{entry}。")
    'end'
    """
    before, slot, after = text.partition(f"{{{ENTRY_SLOT}}}")
    if not slot:
        return "none"
    if not _has_words(before):
        return "start"
    return "middle" if _has_words(after) else "end"


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def capacity(theme: Theme, template: Template) -> int:
    """Return how many sessions `template` can make of which no two share a sentence.

    Names, codes and times are masked when sentences are compared, so only content words
    count; a message without any is one sentence however it is filled.
    """
    sizes = []
    for text in template.messages:
        lists = [theme.slots[name] for name in template.slots(text) if name in theme.slots]
        sizes.append(max(map(len, lists), default=1))
    return min(sizes)


@cache
def template_book() -> TemplateBook:
    """Return the templates that ship with the project.

    Raises:
        InputError: a data file is malformed; the message names file and field.
    """
    folder = resources.files("riskchainbench.messages") / "data" / "sources"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")),
        key=lambda file: file.name,
    )
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    shared = {name: tuple(values) for name, values in _toml(texts.pop(SHARED_FILE)).items()}
    themes = tuple(parse_theme(text, where, shared) for where, text in texts.items())
    return TemplateBook(themes, shared)


def parse_theme(text: str, where: str, shared: Mapping[str, tuple[str, ...]]) -> Theme:
    """Read one theme and check that its templates are closed.

    Raises:
        InputError: not TOML, not a theme, a slot without values, a template without
            exactly one entry, or a declared position that is not the real one.
    """
    try:
        theme = Theme.model_validate(_toml(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {place}: {first['msg']}") from error
    known = {*theme.slots, *shared, *GENERATED_SLOTS}
    for template in theme.templates:
        _check(template, f"{where}: {template.id}", known)
    return theme


def _check(template: Template, where: str, known: set[str]) -> None:
    if unknown := [name for name in template.slots() if name not in known]:
        raise InputError(f"{where}: no values for slot {unknown[0]}; add them under [slots]")
    whole = "".join(template.messages)
    if whole.count(f"{{{ENTRY_SLOT}}}") != 1:
        raise InputError(f"{where}: must name the entry exactly once")
    if whole.count(f"{{{DECOY_SLOT}}}") > 1:
        raise InputError(f"{where}: names a decoy more than once")
    real = entry_position(template.messages[template.entry_message])
    if template.position != real:
        raise InputError(f"{where}: position is {template.position}, but the entry is at {real}")


def _toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text)
