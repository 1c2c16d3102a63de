"""Letters and digits of names written as confusable ones: a as α."""

from __future__ import annotations

from collections.abc import Container
from random import Random

from riskchainbench.messages.drafts import ENTRY, NAME, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick

OPERATOR = "entry_confusables"


def propose(
    draft: Draft,
    random: Random,
    lexicon: Lexicon,
    *,
    count: Range,
    uts39_share: float = 0.0,
) -> list[Proposal]:
    """Swap `count` characters in the entry, and as many in each other name of the session.

    `uts39_share` is the chance that a swap takes its form from UTS #39 rather than from the
    curated map.
    """
    proposals = []
    for message in draft.messages:
        for flag in (ENTRY, NAME):
            for start, end in message.runs(flag):
                places = _places(message, start, end, lexicon.confusables)
                for at in pick(random, places, count_in(random, count)):
                    rule, forms = _forms(message.text[at], random, lexicon, uts39_share)
                    form = random.choice(forms)
                    proposals.append(Proposal(message.message_id, at, at + 1, form, rule))
    return proposals


def _places(message: DraftMessage, start: int, end: int, known: Container[str]) -> list[int]:
    """Return where a letter or digit of the host stands; the reserved ending stays readable."""
    host = message.text.rfind(".", start, end)
    return [
        at
        for at in range(start, end if host < 0 else host)
        if message.text[at] in known and message.untouched(at)
    ]


def _forms(character: str, random: Random, lexicon: Lexicon, uts39_share: float) -> tuple[str, str]:
    if random.random() < uts39_share:
        return "uts39", lexicon.confusables_uts39[character]
    return "curated", lexicon.confusables[character]
