"""Unicode's own ways to write the same differently: compatible forms and unseen characters."""

from __future__ import annotations

from random import Random

from riskchainbench.messages.drafts import ENTRY, LOCKED, NAME, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick

FULL_WIDTH = "full_width"
MATHEMATICAL = "mathematical_letters"
NFKC = "compatibility_forms"
COMBINING = "combining_marks"
ZERO_WIDTH = "zero_width"
BIDI = "bidi_override"
SELECTORS = "variation_selectors"

_MATHEMATICAL_LETTERS = (0x1D41A, 0x1D4EA, 0x1D5BA, 0x1D5EE, 0x1D68A)
"""The code points of a in five alphabets that have no gap (Unicode block 1D400)."""
_MATHEMATICAL_DIGITS = (0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6)
_CIRCLED_A = 0x24D0
_CIRCLED = "⓪①②③④⑤⑥⑦⑧⑨"
_OVERLAYS = "\u0335\u0336\u0337\u0323\u0332"
_UNSEEN = "\u200b\u200c\u2060\ufeff"
_SELECTORS = "\ufe00\ufe01\ufe02"
_OVERRIDE, _POP = "\u202e", "\u202c"


def propose_full_width(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write every name of the session in full-width characters, its dots as ideographic ones."""
    del random, lexicon
    return [
        Proposal(message.message_id, at, at + 1, _wide(message.text[at]), "full width")
        for message, at in _name_characters(draft)
    ]


def propose_mathematical(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write the letters and digits of every name in one mathematical alphabet."""
    del lexicon
    style = random.randrange(len(_MATHEMATICAL_LETTERS))
    return [
        Proposal(message.message_id, at, at + 1, _mathematical(message.text[at], style), "math")
        for message, at in _name_characters(draft)
        if message.text[at].isalnum()
    ]


def propose_compatible(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` characters of every name as circled ones, which NFKC folds back."""
    del lexicon
    proposals = []
    for message in draft.messages:
        for flag in (ENTRY, NAME):
            for start, end in message.runs(flag):
                places = [at for at in range(start, end) if _plain_alnum(message, at)]
                proposals += [
                    Proposal(message.message_id, at, at + 1, _circled(message.text[at]), "circled")
                    for at in pick(random, places, count_in(random, count))
                ]
    return proposals


def propose_combining(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Put combining marks on `count` characters, of text or names."""
    del lexicon
    places = _visible_ends(draft)
    return [
        Proposal(message.message_id, gap, gap, random.choice(_OVERLAYS), "overlay", LOCKED)
        for message, gap in pick(random, places, count_in(random, count))
    ]


def propose_zero_width(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Put `count` characters of no width between others, of text or names."""
    del lexicon
    places = [place for place in _visible_ends(draft) if place[1] < len(place[0].text)]
    return [
        Proposal(message.message_id, gap, gap, random.choice(_UNSEEN), "zero width", LOCKED)
        for message, gap in pick(random, places, count_in(random, count))
    ]


def propose_bidi(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Store the entry backwards under an override that shows it forwards."""
    del random, lexicon
    return [
        Proposal(
            message.message_id,
            start,
            end,
            f"{_OVERRIDE}{message.text[start:end][::-1]}{_POP}",
            "override",
        )
        for message in draft.messages
        for start, end in message.whole_runs(ENTRY)
        if message.text[start:end].isascii()
    ]


def propose_selectors(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Put variation selectors after `count` characters, of text or names."""
    del lexicon
    places = _visible_ends(draft)
    return [
        Proposal(message.message_id, gap, gap, random.choice(_SELECTORS), "selector", LOCKED)
        for message, gap in pick(random, places, count_in(random, count))
    ]


def _name_characters(draft: Draft) -> list[tuple[DraftMessage, int]]:
    return [
        (message, at)
        for message in draft.messages
        for flag in (ENTRY, NAME)
        for start, end in message.runs(flag)
        for at in range(start, end)
        if _plain_alnum(message, at) or (message.text[at] in "-." and message.untouched(at))
    ]


def _plain_alnum(message: DraftMessage, at: int) -> bool:
    character = message.text[at]
    return (
        character.isascii() and character.isalnum() and message.boundaries.issuperset((at, at + 1))
    )


def _visible_ends(draft: Draft) -> list[tuple[DraftMessage, int]]:
    """Return the offsets after a letter of one code point that stands outside tokens."""
    return [
        (message, at + 1)
        for message in draft.messages
        for at, character in enumerate(message.text)
        if character.isalnum() and message.untouched(at)
    ]


def _wide(character: str) -> str:
    return "。" if character == "." else chr(ord(character) + 0xFEE0)


def _mathematical(character: str, style: int) -> str:
    if character.isdigit():
        return chr(_MATHEMATICAL_DIGITS[style] + int(character))
    return chr(_MATHEMATICAL_LETTERS[style] + ord(character) - ord("a"))


def _circled(character: str) -> str:
    if character.isdigit():
        return _CIRCLED[int(character)]
    return chr(_CIRCLED_A + ord(character) - ord("a"))
