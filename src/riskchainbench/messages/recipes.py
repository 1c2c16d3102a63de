"""The recipes: which operators make a variant, in which order and how often.

The six of the paper are built by default and v000 is the primary one, whose entry gates the
website. Those of `ladder.py` and `extended.py` are built on request only.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from riskchainbench.core.gold import PRIMARY_VARIANT
from riskchainbench.messages.records import Severity
from riskchainbench.messages.steps import (
    SessionStep,
    Step,
    attached_tokens,
    breaks,
    comma,
    confusables,
    few_lines,
    homophones,
    keycaps,
    look_alikes,
    marks,
    parts,
    tokens,
    vertical,
)


@dataclass(frozen=True)
class Recipe:
    """The steps of one variant.

    `otherwise` is taken where the steps found nothing to edit, so that no variant equals
    its source.
    """

    variant: str
    recipe_id: str
    steps: tuple[Step | SessionStep, ...]
    otherwise: tuple[Step, ...] = ()

    @property
    def primary(self) -> bool:
        """Tell whether this variant's entry gates the website."""
        return self.variant == PRIMARY_VARIANT

    def severity(self, share: float) -> Severity:
        """Return the tercile of `share`, edited code points over source code points.

        The shares that part the terciles are fixed per recipe in ``data/terciles.toml``,
        measured once on many sessions. A recipe without any has one severity.
        """
        low, high = _terciles().get(self.recipe_id, (0.0, math.inf))
        if share <= low:
            return "low"
        return "medium" if share <= high else "high"


@cache
def _terciles() -> dict[str, tuple[float, float]]:
    file = resources.files("riskchainbench.messages") / "data" / "terciles.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return {recipe: (low, high) for recipe, (low, high) in table.items()}


OTHERWISE = (look_alikes(1, 2), parts(1, 1), confusables(1, 1), marks(1, 2))
"""Steps that edit almost any text, for a recipe that found nothing of its own.

The confusable keeps the entry from standing in plain.
"""

PAPER_RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "v000",
        "composite",
        (
            homophones(1, 2),
            look_alikes(1, 1),
            parts(1, 2),
            confusables(1, 3),
            comma(0.5),
            marks(0, 4),
            tokens(5, 11, inside_entry=True),
            breaks(1, 1, chance=0.15),
        ),
        OTHERWISE,
    ),
    Recipe("v001", "phonetic", (homophones(1, 4), confusables(1, 1)), OTHERWISE),
    Recipe("v002", "entry_encoding", (confusables(2, 2), comma(1.0)), OTHERWISE),
    Recipe(
        "v003",
        "lexical",
        (
            homophones(1, 2),
            parts(1, 2),
            look_alikes(1, 2),
            confusables(1, 1),
            tokens(9, 13),
            breaks(1, 2, chance=0.4),
        ),
        OTHERWISE,
    ),
    Recipe(
        "v004",
        "few_lines",
        (
            homophones(0, 1),
            confusables(1, 1),
            few_lines(),
            tokens(10, 14),
        ),
        OTHERWISE,
    ),
    Recipe(
        "v005",
        "vertical",
        (
            homophones(1, 1),
            parts(1, 1),
            look_alikes(1, 1),
            keycaps(0.5),
            confusables(2, 2),
            vertical(),
            attached_tokens(4, 8),
        ),
        OTHERWISE,
    ),
)
