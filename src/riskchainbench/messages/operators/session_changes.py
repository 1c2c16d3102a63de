"""Changes to the session itself: its entry split, decoyed, corrected or quoted.

Unlike other operators these change what a restorer is expected to return: the messages as
they stand after the change and before any disguise.
"""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, LOCKED, NAME, Draft, DraftMessage, Proposal
from riskchainbench.messages.entries import make_entries
from riskchainbench.messages.lexicons import Lexicon

SPLIT = "split_over_messages"
DECOY = "added_decoy"
CORRECTION = "correction"
QUOTATION = "quotation"

_SEED_BITS = 64


def split(draft: Draft, random: Random, lexicon: Lexicon) -> None:
    """Send what follows the first label of the entry as a message of its own."""
    del random, lexicon
    found = _plain_entry(draft)
    if found is None:
        return
    message, start, end = found
    at = message.text.index(".", start, end)
    tail, length = message.text[at:], len(message.text)
    message_id, place = _next_id(draft, message)
    draft.apply(SPLIT, [Proposal(message.message_id, at, length, "", "head kept")])
    draft.add_messages(SPLIT, [(place, message_id, tail, "tail sent on")])
    draft.messages[place].flags[: end - at] = bytes([ENTRY]) * (end - at)
    draft.expected = draft.frozen()


def add_decoy(draft: Draft, random: Random, lexicon: Lexicon) -> None:
    """Add a message before or after the entry's that names a decoy and calls it dead."""
    message = draft.entry_message()
    if message is None:
        return
    decoy = _other_name(draft, random)
    text = random.choice(lexicon.fillers["decoy"]).format(name=decoy)
    message_id, after = _next_id(draft, message)
    place = random.choice((after - 1, after))
    draft.add_messages(DECOY, [(place, message_id, text, "decoy")])
    _mark_name(draft.messages[place], decoy, NAME)
    draft.expected = draft.frozen()


def correct(draft: Draft, random: Random, lexicon: Lexicon) -> None:
    """Let the sender mistype the entry first and correct it in a message of its own."""
    found = _plain_entry(draft)
    if found is None:
        return
    message, start, end = found
    wrong = _other_name(draft, random)
    text = random.choice(lexicon.fillers["correction"]).format(name=draft.source.entry)
    message_id, place = _next_id(draft, message)
    slip = Proposal(message.message_id, start, end, wrong, "slip", NAME, inherit=False)
    draft.apply(CORRECTION, [slip])
    draft.add_messages(CORRECTION, [(place, message_id, text, "correction")])
    draft.expected = draft.frozen()


def quote(draft: Draft, random: Random, lexicon: Lexicon) -> None:
    """Let the sender pass the entry's message on as somebody else's words."""
    message = draft.entry_message()
    if message is None:
        return
    opening = random.choice(lexicon.fillers["quotation"]) + "“"
    last = len(message.text)
    draft.apply(
        QUOTATION,
        [
            Proposal(message.message_id, 0, 0, opening, "opening", LOCKED),
            Proposal(message.message_id, last, last, "”", "closing", LOCKED),
        ],
    )
    draft.expected = draft.frozen()


def _plain_entry(draft: Draft) -> tuple[DraftMessage, int, int] | None:
    """Return where the entry stands as it is, or None where it was disguised or is absent."""
    message = draft.entry_message()
    if message is None:
        return None
    for start, end in message.whole_runs(ENTRY):
        if message.text[start:end] == draft.source.entry:
            return message, start, end
    return None


def _next_id(draft: Draft, message: DraftMessage) -> tuple[str, int]:
    """Return an unused id for a message added after `message`, and its place."""
    used = {other.message_id for other in draft.messages}
    number = next(n for n in range(1, len(used) + 2) if f"{message.message_id}-{n}" not in used)
    return f"{message.message_id}-{number}", draft.messages.index(message) + 1


def _other_name(draft: Draft, random: Random) -> str:
    own = (draft.source.entry, *draft.source.decoys)
    return make_entries(random.getrandbits(_SEED_BITS), 1, avoid=own)[0]


def _mark_name(message: DraftMessage, name: str, flag: int) -> None:
    start = message.text.index(name)
    message.flags[start : start + len(name)] = bytes([flag]) * len(name)
