"""Dots of names written as other marks: the first one as ，."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, NAME, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon

OPERATOR = "dot_alteration"


def propose(
    draft: Draft, random: Random, lexicon: Lexicon, *, chance: float = 1.0
) -> list[Proposal]:
    """Write the first dot of every name of the session as the comma, with `chance`."""
    if random.random() >= chance:
        return []
    return [
        Proposal(message.message_id, dots[0], dots[0] + 1, lexicon.dots.comma, "first dot")
        for message, dots in _names(draft)
    ]


def propose_all(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write each dot of every name of the session as some other dot-like mark."""
    return [
        Proposal(message.message_id, dot, dot + 1, random.choice(lexicon.dots.other), "dot")
        for message, dots in _names(draft)
        for dot in dots
    ]


def entry_dots(message: DraftMessage) -> list[int]:
    """Return where the dots of the entry stand in its message."""
    return [
        at
        for start, end in message.runs(ENTRY)
        for at in range(start, end)
        if message.text[at] == "." and message.untouched(at)
    ]


def _names(draft: Draft) -> list[tuple[DraftMessage, list[int]]]:
    found = []
    for message in draft.messages:
        for flag in (ENTRY, NAME):
            for start, end in message.runs(flag):
                dots = [
                    at
                    for at in range(start, end)
                    if message.text[at] == "." and message.untouched(at)
                ]
                if dots:
                    found.append((message, dots))
    return found
