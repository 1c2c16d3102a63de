"""The rubric as data: four dimensions, each with a question and five anchors per language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal, Self

from pydantic import Field, model_validator

from riskchainbench.core.codebook import Language, Texts
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.record import Record
from riskchainbench.judging.records import DIMENSIONS

Anchors = tuple[str, str, str, str, str]
"""What the scores 1 to 5 mean, in this order."""


class Dimension(Record):
    """One scale."""

    dimension: str
    name: Texts
    question: Texts
    anchors: dict[Language, Anchors]


class Rubric(Record):
    """Four anchored scales under one version."""

    schema_version: Literal["rubric/1"] = "rubric/1"
    rubric_id: str
    version: str
    languages: tuple[Language, ...] = Field(min_length=1)
    dimensions: tuple[Dimension, ...]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if tuple(each.dimension for each in self.dimensions) != DIMENSIONS:
            raise ValueError(f"dimensions: must be {', '.join(DIMENSIONS)}, in this order")
        for each in self.dimensions:
            for texts in (each.name, each.question, each.anchors):
                if set(texts) != set(self.languages):
                    raise ValueError(f"{each.dimension}: needs text in exactly the languages")
        return self

    @property
    def sha256(self) -> Sha256:
        """The identity of the rubric's content."""
        return sha256_text(self.to_json())

    def render(self, language: Language) -> str:
        """Return the rubric as a judge is shown it.

        Raises:
            InputError: the rubric has no text in `language`.
        """
        if language not in self.languages:
            known = ", ".join(self.languages)
            raise InputError(f"rubric {self.rubric_id} has no text in {language} (has {known})")
        lines: list[str] = []
        for each in self.dimensions:
            lines.append(f"{each.dimension} ({each.name[language]}): {each.question[language]}")
            lines += [
                f"  {score}: {text}" for score, text in enumerate(each.anchors[language], start=1)
            ]
        return "\n".join(lines)


@cache
def default_rubric() -> Rubric:
    """Return the rubric that ships with the project."""
    file = resources.files("riskchainbench.judging") / "data" / "rubric.toml"
    return Rubric.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
