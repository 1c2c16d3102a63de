"""The entry spread over a few lines, or over many, one grapheme each.

Newlines take the form that the session uses.
"""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, LOCKED, TOKEN, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick
from riskchainbench.messages.operators.dot_alteration import entry_dots

FEW_LINES = "few_line_layout"
VERTICAL = "vertical_layout"
BREAKS = "line_breaks"


def propose_few_lines(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Set the entry over three lines: its first dot a newline, its second one a dot-like mark.

    An entry whose dots were altered before is left as it is.
    """
    message = draft.entry_message()
    if message is None or len(entry_dots(message)) != 2:
        return []
    first, second = entry_dots(message)
    mark = random.choice(lexicon.dots.few_line)
    after = random.choice((mark + draft.newline, draft.newline + mark))
    return [
        Proposal(message.message_id, first, first + 1, draft.newline, "first dot"),
        Proposal(message.message_id, second, second + 1, after, "second dot"),
    ]


def propose_vertical(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Set the entry one grapheme a line.

    Its first dot becomes a blank line and its second one a dot-like mark on its own line.
    What stands before and after the entry is parted from it by a newline. An entry whose
    dots were altered before is left as it is.
    """
    message = draft.entry_message()
    if message is None or len(entry_dots(message)) != 2:
        return []
    line, name = draft.newline, message.message_id
    start, end = message.runs(ENTRY)[0]
    first, second = entry_dots(message)
    mark = random.choice(lexicon.dots.vertical)
    proposals = [
        Proposal(name, first, first + 1, line * 2, "first dot"),
        Proposal(name, second, second + 1, line + mark + line, "second dot"),
    ]
    near_dot = {first, first + 1, second, second + 1}
    proposals += [
        Proposal(name, gap, gap, line, "grapheme")
        for gap in sorted(message.boundaries)
        if start < gap < end and gap not in near_dot
    ]
    if start in message.boundaries and _text_before(message, start):
        proposals.append(Proposal(name, start, start, line, "line before"))
    if end in message.boundaries and _text_after(message, end):
        proposals.append(Proposal(name, end, end, line, "line after"))
    return proposals


def propose_breaks(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range, chance: float = 1.0
) -> list[Proposal]:
    """Break the line after `count` platform tokens outside the entry, with `chance`."""
    del lexicon
    if random.random() >= chance:
        return []
    places = [
        (message, end)
        for message in draft.messages
        for _, end in message.runs(TOKEN)
        if end < len(message.text)
        and message.text[end] not in "\r\n"
        and not message.flags[end] & ENTRY
        and message.boundaries.issuperset((end,))
    ]
    return [
        Proposal(message.message_id, end, end, draft.newline, "after a token", LOCKED)
        for message, end in pick(random, places, count_in(random, count))
    ]


def _text_before(message: DraftMessage, start: int) -> bool:
    return start > 0 and message.text[start - 1] not in "\r\n"


def _text_after(message: DraftMessage, end: int) -> bool:
    return end < len(message.text) and message.text[end] not in "\r\n"
