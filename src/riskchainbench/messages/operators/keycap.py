"""Digits of the entry written as keycap emoji: 0 as 0️⃣."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon

OPERATOR = "keycap"


def propose(
    draft: Draft, random: Random, lexicon: Lexicon, *, chance: float, digits: str = "0"
) -> list[Proposal]:
    """Write each of `digits` in the entry as its keycap, with `chance`."""
    message = draft.entry_message()
    if message is None:
        return []
    return [
        Proposal(message.message_id, at, at + 1, message.text[at] + lexicon.keycap_suffix, "keycap")
        for start, end in message.runs(ENTRY)
        for at in range(start, end)
        if message.text[at] in digits and message.untouched(at) and random.random() < chance
    ]
