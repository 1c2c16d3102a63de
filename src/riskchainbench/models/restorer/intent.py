"""Tells what a restored message asks its reader to do, by its words."""

from __future__ import annotations

from functools import cache

from riskchainbench.core.restoration import Intent
from riskchainbench.models.restorer.tables import toml_table

_ORDER = (
    Intent.CONTACT_SERVICE,
    Intent.SEARCH_QUERY,
    Intent.ENTER_CODE,
    Intent.ADD_ACCOUNT,
    Intent.OPEN_SITE,
)


@cache
def _cues() -> dict[Intent, tuple[str, ...]]:
    table = toml_table("cues.toml")["cues"]
    return {intent: tuple(table[intent.value]) for intent in _ORDER}


def intent_of(text: str, *, has_entry: bool) -> Intent:
    """Return the intent whose cue stands in `text`; the more specific intents come first.

    With an entry and no cue at all the reader is to open it; with neither it is unknown.
    """
    for intent in _ORDER:
        if any(cue in text for cue in _cues()[intent]):
            return intent
    return Intent.OPEN_SITE if has_entry else Intent.UNKNOWN
