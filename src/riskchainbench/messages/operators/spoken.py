"""The entry as it is read aloud: its digits, or all of it spelled out."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon

DIGITS = "spoken_digits"
SPELLED = "spelled_out_entry"

_OTHER_NUMBERS = "一两十百千"


def propose_digits(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write every digit of the entry as the word for it, unless such a word stands beside it."""
    del random
    return _propose(draft, lexicon, "0123456789")


def propose_spelled(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write every character of the entry as the syllables that name it.

    An entry beside which such a syllable stands is left as it is.
    """
    del random
    return _propose(draft, lexicon, "".join(lexicon.spoken))


def _propose(draft: Draft, lexicon: Lexicon, spoken: str) -> list[Proposal]:
    return [
        Proposal(message.message_id, at, at + 1, lexicon.spoken[message.text[at]], "spoken")
        for message in draft.messages
        for start, end in message.runs(ENTRY)
        if not _touches_speech(message, start, end, lexicon)
        for at in range(start, end)
        if message.text[at] in spoken and message.untouched(at)
    ]


def _touches_speech(message: DraftMessage, start: int, end: int, lexicon: Lexicon) -> bool:
    """Tell whether a syllable beside the entry would read as a part of it once it is spoken."""
    syllables = {*"".join(lexicon.spoken.values()), *_OTHER_NUMBERS}
    around = message.text[max(start - 1, 0) : start] + message.text[end : end + 1]
    return not syllables.isdisjoint(around)
