"""Words written as others that sound alike: 投资 as 头资."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick

OPERATOR = "homophone"


def propose(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Respell `count` words of the lexicon; the rule of each edit is its reading class."""
    places = [
        (message, at, word)
        for message in draft.messages
        for at, word in lexicon.words_in(message.text)
        if message.free(at, at + len(word))
    ]
    proposals = []
    for message, at, word in pick(random, places, count_in(random, count)):
        spelling = random.choice(lexicon.homophones[word])
        proposals.append(
            Proposal(message.message_id, at, at + len(word), spelling.spelling, spelling.kind.value)
        )
    return proposals
