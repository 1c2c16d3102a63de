"""The recipes: which operators make a variant, in which order and how often.

The six of the paper are built by default and v000 is the primary one, whose entry gates the
website. `severity_ladder` and `EXTENDED_RECIPES` are built on request only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from riskchainbench.core.gold import PRIMARY_VARIANT
from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators import (
    decomposition,
    dot_alteration,
    entry_confusables,
    homophone,
    keycap,
    layout,
    look_alike,
    platform_tokens,
    redundant_marks,
)
from riskchainbench.messages.operators.base import Operator
from riskchainbench.messages.records import Severity


@dataclass(frozen=True)
class Step:
    """One operator with its settings."""

    operator: str
    propose: Operator

    def take(self, draft: Draft, random: Random, lexicon: Lexicon) -> None:
        """Let the operator edit the draft."""
        proposals: Sequence[Proposal] = self.propose(draft, random, lexicon)
        draft.apply(self.operator, proposals)


@dataclass(frozen=True)
class Recipe:
    """The steps of one variant and the two shares that part its severity into terciles.

    `otherwise` is taken where the steps found nothing to edit, so that no variant equals
    its source.
    """

    variant: str
    recipe_id: str
    steps: tuple[Step, ...]
    terciles: tuple[float, float]
    otherwise: tuple[Step, ...] = ()

    @property
    def primary(self) -> bool:
        """Tell whether this variant's entry gates the website."""
        return self.variant == PRIMARY_VARIANT

    def severity(self, share: float) -> Severity:
        """Return the tercile of `share`, edited code points over source code points."""
        low, high = self.terciles
        if share <= low:
            return "low"
        return "medium" if share <= high else "high"


def _homophones(least: int, most: int) -> Step:
    return Step(homophone.OPERATOR, partial(homophone.propose, count=(least, most)))


def _look_alikes(least: int, most: int) -> Step:
    return Step(look_alike.OPERATOR, partial(look_alike.propose, count=(least, most)))


def _parts(least: int, most: int) -> Step:
    return Step(decomposition.OPERATOR, partial(decomposition.propose, count=(least, most)))


def _marks(least: int, most: int) -> Step:
    return Step(redundant_marks.OPERATOR, partial(redundant_marks.propose, count=(least, most)))


def _confusables(least: int, most: int, uts39_share: float = 0.2) -> Step:
    propose = partial(entry_confusables.propose, count=(least, most), uts39_share=uts39_share)
    return Step(entry_confusables.OPERATOR, propose)


def _comma(chance: float) -> Step:
    return Step(dot_alteration.OPERATOR, partial(dot_alteration.propose, chance=chance))


def _tokens(least: int, most: int, *, inside_entry: bool = False) -> Step:
    propose = partial(platform_tokens.propose, count=(least, most), inside_entry=inside_entry)
    return Step(platform_tokens.OPERATOR, propose)


def _attached_tokens(least: int, most: int) -> Step:
    return Step(platform_tokens.OPERATOR, partial(platform_tokens.attach, count=(least, most)))


def _breaks(least: int, most: int, chance: float) -> Step:
    propose = partial(layout.propose_breaks, count=(least, most), chance=chance)
    return Step(layout.BREAKS, propose)


_OTHERWISE = (_look_alikes(1, 2), _parts(1, 1), _marks(1, 2))

PAPER_RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "v000",
        "composite",
        (
            _homophones(1, 3),
            _look_alikes(1, 2),
            _parts(1, 3),
            _confusables(1, 3),
            _comma(0.5),
            _marks(0, 4),
            _tokens(5, 11, inside_entry=True),
            _breaks(1, 1, chance=0.15),
        ),
        (0.85, 1.3),
        _OTHERWISE,
    ),
    Recipe("v001", "phonetic", (_homophones(2, 5), _confusables(1, 1)), (0.119, 0.152), _OTHERWISE),
    Recipe("v002", "entry_encoding", (_confusables(2, 2), _comma(1.0)), (0.075, 0.086), _OTHERWISE),
    Recipe(
        "v003",
        "lexical",
        (
            _homophones(1, 3),
            _parts(1, 3),
            _look_alikes(1, 3),
            _confusables(1, 1),
            _tokens(9, 13),
            _breaks(1, 2, chance=0.4),
        ),
        (1.1, 1.56),
        _OTHERWISE,
    ),
    Recipe(
        "v004",
        "few_lines",
        (
            Step(homophone.OPERATOR, partial(homophone.propose, count=(0, 1))),
            _confusables(1, 1),
            Step(layout.FEW_LINES, layout.propose_few_lines),
            _tokens(10, 14),
        ),
        (1.1, 1.54),
        _OTHERWISE,
    ),
    Recipe(
        "v005",
        "vertical",
        (
            _homophones(1, 2),
            _parts(1, 2),
            _look_alikes(1, 2),
            Step(keycap.OPERATOR, partial(keycap.propose, chance=0.5)),
            _confusables(2, 2),
            Step(layout.VERTICAL, layout.propose_vertical),
            _attached_tokens(4, 8),
        ),
        (1.0, 1.34),
        _OTHERWISE,
    ),
)
