"""Characters written as others that look alike: 账 as 帐."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, free_characters, pick

OPERATOR = "look_alike"


def propose(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Swap `count` characters, none of which would form a word of its own with a neighbor.

    Characters of the lexicon's words come first: their word tells what was meant.
    """
    places = _apart(
        [
            (message, at)
            for message, at in free_characters(draft, lexicon.look_alikes)
            if not _clashes(message, at, lexicon)
        ]
    )
    in_words = _in_words(draft, lexicon)
    clear = [place for place in places if (place[0].message_id, place[1]) in in_words]
    wanted = count_in(random, count)
    chosen = pick(random, clear, wanted)
    if len(chosen) < wanted:
        others = [place for place in places if place not in chosen]
        chosen += pick(random, others, wanted - len(chosen))
    return [
        Proposal(message.message_id, at, at + 1, lexicon.look_alikes[message.text[at]], "shape")
        for message, at in chosen
    ]


def _in_words(draft: Draft, lexicon: Lexicon) -> set[tuple[str, int]]:
    return {
        (message.message_id, place)
        for message in draft.messages
        for at, word in lexicon.words_in(message.text)
        for place in range(at, at + len(word))
    }


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
