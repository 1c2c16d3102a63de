"""Characters written as their parts: 服 as 月及."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, free_characters, pick

OPERATOR = "decomposition"


def propose(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Take `count` characters apart."""
    places = free_characters(draft, lexicon.decompositions)
    return [
        Proposal(message.message_id, at, at + 1, lexicon.decompositions[message.text[at]], "parts")
        for message, at in pick(random, places, count_in(random, count))
    ]
