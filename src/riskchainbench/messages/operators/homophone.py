"""Words written as others that sound alike: 投资 as 头资."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, free_characters, pick

OPERATOR = "homophone"


_Found = tuple[DraftMessage, int, str]


def propose(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Respell `count` words of the lexicon; the rule of each edit is its reading class.

    Where the session has fewer than the least count, single characters fill up.
    """
    places: list[_Found] = [
        (message, at, word)
        for message in draft.messages
        for at, word in lexicon.words_in(message.text)
        if message.free(at, at + len(word))
    ]
    chosen = pick(random, places, count_in(random, count))
    missing = count[0] - len(chosen)
    if missing > 0:
        chosen += pick(random, _characters(draft, lexicon, chosen), missing)
    proposals = []
    for message, at, word in chosen:
        spellings = lexicon.homophones.get(word) or lexicon.homophone_characters[word]
        form = random.choice(spellings)
        end = at + len(word)
        proposals.append(Proposal(message.message_id, at, end, form.spelling, form.kind.value))
    return proposals


def _characters(draft: Draft, lexicon: Lexicon, taken: list[_Found]) -> list[_Found]:
    covered = {
        (message.message_id, place)
        for message, at, word in taken
        for place in range(at, at + len(word))
    }
    return [
        (message, at, message.text[at])
        for message, at in free_characters(draft, lexicon.homophone_characters)
        if (message.message_id, at) not in covered
    ]
