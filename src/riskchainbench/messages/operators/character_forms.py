"""Characters in other forms of themselves: traditional, or an old variant."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, free_characters, pick

TRADITIONAL = "traditional_characters"
VARIANT = "variant_characters"


def propose_traditional(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` characters in their traditional form."""
    return _propose(draft, random, lexicon.traditional, count, "traditional")


def propose_variant(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` characters in a variant form."""
    return _propose(draft, random, lexicon.variants, count, "variant")


def _propose(
    draft: Draft, random: Random, forms: Mapping[str, str], count: Range, rule: str
) -> list[Proposal]:
    places = free_characters(draft, forms)
    return [
        Proposal(message.message_id, at, at + 1, forms[message.text[at]], rule)
        for message, at in pick(random, places, count_in(random, count))
    ]
