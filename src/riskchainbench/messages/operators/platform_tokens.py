"""Text codes of the session's own platform strewn through the text: 投[微笑]资."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, LOCKED, TOKEN, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick

OPERATOR = "platform_tokens"

_PAIR_ODDS = 8
"""One place in so many takes two codes that abut."""


def propose(
    draft: Draft,
    random: Random,
    lexicon: Lexicon,
    *,
    count: Range,
    inside_entry: bool = False,
) -> list[Proposal]:
    """Put `count` codes into the text; with `inside_entry` at least one goes into the entry."""
    codes = lexicon.profile(draft.source.platform).codes
    wanted = count_in(random, count)
    places = [
        (message, gap)
        for message in draft.messages
        for gap in message.open_gaps(inside_entry=inside_entry)
        if not _at_last_dot(message, gap)
    ]
    within = [place for place in places if _in_entry(*place)]
    chosen = pick(random, within, 1 if inside_entry else 0)
    chosen += pick(random, [place for place in places if place not in chosen], wanted)
    return _placed(random, codes, chosen, wanted)


def attach(draft: Draft, random: Random, lexicon: Lexicon, *, count: Range) -> list[Proposal]:
    """Put `count` codes right after graphemes of an entry that stands one grapheme a line."""
    codes = lexicon.profile(draft.source.platform).codes
    message = draft.entry_message()
    if message is None:
        return propose(draft, random, lexicon, count=count)
    bare = {"\r", "\n", *lexicon.dots.vertical}
    gaps = [
        gap
        for gap in sorted(message.boundaries - {0})
        if message.flags[gap - 1] & ENTRY and message.text[gap - 1] not in bare
    ]
    wanted = count_in(random, count)
    return _placed(random, codes, [(message, gap) for gap in pick(random, gaps, wanted)], wanted)


def _placed(
    random: Random, codes: tuple[str, ...], places: list[tuple[DraftMessage, int]], wanted: int
) -> list[Proposal]:
    proposals = []
    left = wanted
    for message, gap in places:
        size = min(left, 2 if random.randrange(_PAIR_ODDS) == 0 else 1)
        if size == 0:
            break
        text = "".join(random.choice(codes) for _ in range(size))
        flags = TOKEN | LOCKED
        rule = "code" if size == 1 else "abutting codes"
        proposals.append(Proposal(message.message_id, gap, gap, text, rule, flags))
        left -= size
    return proposals


def _in_entry(message: DraftMessage, gap: int) -> bool:
    inner = 0 < gap < len(message.text)
    return inner and bool(message.flags[gap - 1] & message.flags[gap] & ENTRY)


def _at_last_dot(message: DraftMessage, gap: int) -> bool:
    """Tell whether `gap` would part the entry from its reserved ending.

    What remains before the code could read as a live name.
    """
    if not _in_entry(message, gap):
        return False
    end = next(end for start, end in message.runs(ENTRY) if start < gap < end)
    dot = message.text.rfind(".", 0, end)
    return gap in (dot, dot + 1)
