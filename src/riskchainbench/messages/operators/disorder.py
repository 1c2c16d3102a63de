"""Characters said too often, or in the wrong order."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, Proposal, is_han
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick

REPETITION = "repetition"
TRANSPOSITION = "transposition"

_TIMES = 3


def propose_repetition(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` Han characters three times over, none beside its own like."""
    del lexicon
    places = [
        (message, at)
        for message in draft.messages
        for at, character in enumerate(message.text)
        if not message.flags[at]
        and is_han(character)
        and message.boundaries.issuperset((at, at + 1))
        and character not in message.text[max(at - 1, 0) : at] + message.text[at + 1 : at + 2]
    ]
    return [
        Proposal(message.message_id, at, at + 1, message.text[at] * _TIMES, "thrice")
        for message, at in pick(random, places, count_in(random, count))
    ]


def propose_transposition(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` words with their last two characters swapped, where that is no word."""
    places = [
        (message, at, word)
        for message in draft.messages
        for at, word in lexicon.words_in(message.text)
        if word in lexicon.transposable and message.free(at, at + len(word))
    ]
    return [
        Proposal(message.message_id, at, at + len(word), word[:-2] + word[-1] + word[-2], "swapped")
        for message, at, word in pick(random, places, count_in(random, count))
    ]
