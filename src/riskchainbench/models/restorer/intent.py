"""Tells what a restored message asks its reader to do, by its wording around name and code."""

from __future__ import annotations

from functools import cache

import regex

from riskchainbench.core.restoration import Intent
from riskchainbench.models.restorer.tables import toml_table

NAME = "◎"
_CODE = "◇"
_PLAIN_CODE = regex.compile(
    r"(?<![A-Za-z0-9.\-])(?=[A-Za-z]*[0-9])[A-Za-z0-9-]{4,10}(?![A-Za-z0-9.])"
)
_LEAST = 2.0
_ENOUGH = 3.0


@cache
def _cues() -> tuple[tuple[Intent, float, regex.Pattern[str]], ...]:
    table = toml_table("cues.toml")
    return tuple(
        (Intent(name), float(weight), regex.compile(cue))
        for name, weights in table.items()
        for weight, cues in weights.items()
        for cue in cues
    )


def intent_of(text: str) -> Intent:
    """Return the intent that the wording of `text` speaks for most, UNKNOWN where none does.

    `text` holds NAME in the place of each entry. To add an account, search, enter a code and
    contact a service outweigh opening, which they often come with.
    """
    text = _PLAIN_CODE.sub(_CODE, text)
    weights = dict.fromkeys(Intent, 0.0)
    for intent, weight, cue in _cues():
        if cue.search(text):
            weights[intent] += weight
    special = [i for i in Intent if i not in (Intent.OPEN_SITE, Intent.UNKNOWN)]
    best = max(special, key=lambda intent: weights[intent])
    if weights[best] >= _LEAST:
        return best
    opens = weights[Intent.OPEN_SITE] - weights[Intent.UNKNOWN]
    return Intent.OPEN_SITE if opens >= _ENOUGH else Intent.UNKNOWN
