"""Marks and blanks strewn between Han characters: 投＊资."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import Draft, DraftMessage, Proposal, is_han
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick

OPERATOR = "redundant_marks"


def propose(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Put `count` marks between Han characters, none that the session uses itself."""
    text = "".join(message.content for message in draft.source.messages)
    marks = [mark for mark in lexicon.marks if mark not in text]
    if not marks:
        return []
    wanted = count_in(random, count)
    if wanted == 0:
        return []
    places = [
        (message, gap)
        for message in draft.messages
        for gap in message.open_gaps()
        if _between_han(message, gap)
    ]
    return [
        Proposal(message.message_id, gap, gap, random.choice(marks), "mark")
        for message, gap in pick(random, places, wanted)
    ]


def _between_han(message: DraftMessage, gap: int) -> bool:
    return is_han(message.text[gap - 1 : gap]) and is_han(message.text[gap : gap + 1])
