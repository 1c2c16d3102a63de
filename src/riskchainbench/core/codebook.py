"""The codebook as data: what counts as a violation, of which type, on which evidence.

Nothing else in the project names a violation type in code. A codebook is a TOML file; a
bundle carries the one it was built under, so a second codebook needs no change of code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from riskchainbench.core.decisions import RESERVED_TYPES, Decision, compatible
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.record import Record

Language = str
"""A BCP 47 tag such as ``zh-CN``."""

Texts = dict[Language, str]


class Role(StrEnum):
    """What a component says for or against a violation."""

    VIOLATION = "violation"
    BENIGN = "benign"
    COUNTER = "counter"


class Component(Record):
    """One observable fact that a type's minimum evidence needs, or that speaks against it."""

    component_id: str = Field(pattern=r"^[A-Z][A-Z0-9_]*$")
    role: Role
    anchor: str
    text: Texts


class ViolationType(Record):
    """A primary type, the sets of components that complete it, and what it is not."""

    type_id: str = Field(pattern=r"^[A-Z][A-Z0-9_]*$")
    name: Texts
    minimum_evidence: Texts
    exclusions: Texts
    complete_sets: tuple[tuple[str, ...], ...] = Field(min_length=1)


class DecisionRule(Record):
    """The name and meaning of one decision."""

    decision: Decision
    name: Texts
    text: Texts


class Codebook(Record):
    """A whole policy: decisions, types in order of precedence, components and guidance."""

    schema_version: Literal["codebook/1"] = "codebook/1"
    codebook_id: str
    version: str
    languages: tuple[Language, ...] = Field(min_length=1)
    guidance: tuple[Texts, ...]
    decisions: tuple[DecisionRule, ...]
    types: tuple[ViolationType, ...] = Field(min_length=1)
    components: tuple[Component, ...]
    anchors: tuple[str, ...]

    @model_validator(mode="after")
    def _closed(self) -> Self:
        if {rule.decision for rule in self.decisions} != set(Decision):
            raise ValueError("decisions: each of the three must be described once")
        roles = {component.component_id: component.role for component in self.components}
        for kind in self.types:
            if kind.type_id in RESERVED_TYPES:
                raise ValueError(f"types: {kind.type_id} is reserved")
            for part in {part for parts in kind.complete_sets for part in parts}:
                if roles.get(part) is not Role.VIOLATION:
                    raise ValueError(f"types.{kind.type_id}: {part} is no violation component")
        for component in self.components:
            if component.anchor not in self.anchors:
                raise ValueError(
                    f"components.{component.component_id}: no anchor {component.anchor}"
                )
        _require_languages(self)
        return self

    @property
    def type_ids(self) -> tuple[str, ...]:
        """The violation types, highest precedence first."""
        return tuple(kind.type_id for kind in self.types)

    @property
    def sha256(self) -> Sha256:
        """The identity of the codebook's content."""
        return sha256_text(self.to_json())

    def fits(self, decision: Decision, violation_type: str) -> bool:
        """Tell whether the pair may be concluded under this codebook."""
        known = violation_type in RESERVED_TYPES or violation_type in self.type_ids
        return known and compatible(decision, violation_type)

    def complete_types(self, components: Iterable[str]) -> tuple[str, ...]:
        """Return the types of which `components` hold a complete set, by precedence."""
        held = set(components)
        return tuple(
            kind.type_id
            for kind in self.types
            if any(held.issuperset(parts) for parts in kind.complete_sets)
        )

    def with_role(self, role: Role) -> frozenset[str]:
        """Return the ids of all components that play `role`."""
        return frozenset(c.component_id for c in self.components if c.role is role)

    def render(self, language: Language) -> str:
        """Return the whole codebook as plain text, as every system is shown it.

        Raises:
            InputError: the codebook has no text in `language`.
        """
        if language not in self.languages:
            known = ", ".join(self.languages)
            raise InputError(f"codebook {self.codebook_id} has no text in {language} (has {known})")
        lines = [text[language] for text in self.guidance]
        lines += [
            f"{rule.decision.value} ({rule.name[language]}): {rule.text[language]}"
            for rule in self.decisions
        ]
        for kind in self.types:
            lines += [
                f"{kind.type_id} ({kind.name[language]})",
                f"  + {kind.minimum_evidence[language]}",
                f"  - {kind.exclusions[language]}",
            ]
        return "\n".join(lines)


def _require_languages(codebook: Codebook) -> None:
    places: list[tuple[str, Texts]] = [("guidance", text) for text in codebook.guidance]
    for rule in codebook.decisions:
        places += [(f"decisions.{rule.decision}", text) for text in (rule.name, rule.text)]
    for kind in codebook.types:
        texts = (kind.name, kind.minimum_evidence, kind.exclusions)
        places += [(f"types.{kind.type_id}", text) for text in texts]
    places += [(f"components.{c.component_id}", c.text) for c in codebook.components]
    for place, text in places:
        if set(text) != set(codebook.languages):
            raise ValueError(f"{place}: needs text in exactly {', '.join(codebook.languages)}")


def parse_codebook(text: str, where: str) -> Codebook:
    """Read a codebook from TOML.

    Raises:
        InputError: the text is no TOML or no closed codebook; `where` names it.
    """
    try:
        return Codebook.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {place}: {first['msg']}") from error


def load_codebook(path: Path) -> Codebook:
    """Read the codebook in the TOML file `path`."""
    try:
        return parse_codebook(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a codebook: {error}") from error


def default_codebook() -> Codebook:
    """Return the nine-type codebook that ships with the project."""
    file = resources.files("riskchainbench.core") / "data" / "codebook.toml"
    return parse_codebook(file.read_text(encoding="utf-8"), "codebook.toml")
