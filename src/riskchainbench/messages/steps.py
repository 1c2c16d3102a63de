"""Steps of recipes: an operator with its settings, ready to edit a draft.

These are the steps of the six recipes; further ones stand in `extended.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

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
class SessionStep:
    """One change to the session itself, which sets what a restorer is expected to return."""

    operator: str
    change: Callable[[Draft, Random, Lexicon], None]

    def take(self, draft: Draft, random: Random, lexicon: Lexicon) -> None:
        """Change the session of the draft."""
        self.change(draft, random, lexicon)


def homophones(least: int, most: int) -> Step:
    """Respell so many words."""
    return Step(homophone.OPERATOR, partial(homophone.propose, count=(least, most)))


def look_alikes(least: int, most: int) -> Step:
    """Swap so many characters for look-alikes."""
    return Step(look_alike.OPERATOR, partial(look_alike.propose, count=(least, most)))


def parts(least: int, most: int) -> Step:
    """Take so many characters apart."""
    return Step(decomposition.OPERATOR, partial(decomposition.propose, count=(least, most)))


def marks(least: int, most: int) -> Step:
    """Strew so many marks."""
    return Step(redundant_marks.OPERATOR, partial(redundant_marks.propose, count=(least, most)))


def confusables(least: int, most: int, uts39_share: float = 0.2) -> Step:
    """Swap so many characters of each name for confusable ones."""
    propose = partial(entry_confusables.propose, count=(least, most), uts39_share=uts39_share)
    return Step(entry_confusables.OPERATOR, propose)


def comma(chance: float) -> Step:
    """Write the first dot of each name as a comma, with `chance`."""
    return Step(dot_alteration.OPERATOR, partial(dot_alteration.propose, chance=chance))


def tokens(least: int, most: int, *, inside_entry: bool = False) -> Step:
    """Put in so many platform tokens."""
    propose = partial(platform_tokens.propose, count=(least, most), inside_entry=inside_entry)
    return Step(platform_tokens.OPERATOR, propose)


def attached_tokens(least: int, most: int) -> Step:
    """Attach so many platform tokens to graphemes of the entry."""
    return Step(platform_tokens.OPERATOR, partial(platform_tokens.attach, count=(least, most)))


def breaks(least: int, most: int, chance: float) -> Step:
    """Break the line after so many tokens, with `chance`."""
    propose = partial(layout.propose_breaks, count=(least, most), chance=chance)
    return Step(layout.BREAKS, propose)


def few_lines() -> Step:
    """Set the entry over three lines."""
    return Step(layout.FEW_LINES, layout.propose_few_lines)


def vertical() -> Step:
    """Set the entry one grapheme a line."""
    return Step(layout.VERTICAL, layout.propose_vertical)


def keycaps(chance: float) -> Step:
    """Write zeros of the entry as keycaps, with `chance`."""
    return Step(keycap.OPERATOR, partial(keycap.propose, chance=chance))
