"""What all operators share: their shape, and how they choose places.

The operators themselves stand in the files beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from random import Random
from typing import TypeVar

from riskchainbench.messages.drafts import Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon

T = TypeVar("T")

Range = tuple[int, int]
"""The least and the greatest count, both included."""

Operator = Callable[[Draft, Random, Lexicon], Sequence[Proposal]]
"""Proposes the edits of one kind for a draft; proposing none is allowed."""

Place = tuple[DraftMessage, int]


def count_in(random: Random, bounds: Range) -> int:
    """Draw a count between the bounds, both included."""
    return random.randint(*bounds)


def pick(random: Random, candidates: Sequence[T], count: int) -> list[T]:
    """Draw up to `count` of the candidates, in their order."""
    chosen = random.sample(range(len(candidates)), min(count, len(candidates)))
    return [candidates[index] for index in sorted(chosen)]


def free_characters(draft: Draft, known: Container[str]) -> list[Place]:
    """Return the places of one-cluster characters that may be replaced and `known` contains."""
    return [
        (message, at)
        for message in draft.messages
        for at, character in enumerate(message.text)
        if not message.flags[at]
        and character in known
        and message.boundaries.issuperset((at, at + 1))
    ]
