"""Characters written as others that look alike: 账 as 帐."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, free_characters, pick

OPERATOR = "look_alike"


def propose(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Swap `count` characters, none of which would form a word of its own with a neighbor."""
    places = [
        (message, at)
        for message, at in free_characters(draft, lexicon.look_alikes)
        if not _clashes(message, at, lexicon)
    ]
    return [
        Proposal(message.message_id, at, at + 1, lexicon.look_alikes[message.text[at]], "shape")
        for message, at in pick(random, _apart(places), count_in(random, count))
    ]


def _clashes(message: DraftMessage, at: int, lexicon: Lexicon) -> bool:
    other = lexicon.look_alikes[message.text[at]]
    left = message.text[max(at - 1, 0) : at] + other
    right = other + message.text[at + 1 : at + 2]
    return left in lexicon.look_alike_clashes or right in lexicon.look_alike_clashes


def _apart(places: list[tuple[DraftMessage, int]]) -> list[tuple[DraftMessage, int]]:
    """Drop places that follow another one at once, so that swaps do not form words together."""
    kept: list[tuple[DraftMessage, int]] = []
    for message, at in places:
        if not kept or kept[-1][0] is not message or kept[-1][1] < at - 1:
            kept.append((message, at))
    return kept
