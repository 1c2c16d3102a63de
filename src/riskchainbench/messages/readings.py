"""How alike two spellings sound, computed from common Mandarin readings.

Nothing here chooses spellings; those stand in ``data/homophones.toml``.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class ReadingClass(StrEnum):
    """The kinds of homophone, closest first."""

    SAME_TONE = "same_tone"
    TONE_VARIANT = "tone_variant"
    NEAR = "near"


_TWO_LETTER_INITIALS = ("zh", "ch", "sh")
_NEAR_INITIALS = frozenset(
    frozenset(pair)
    for pair in (("z", "zh"), ("c", "ch"), ("s", "sh"), ("n", "l"), ("f", "h"), ("r", "l"))
)
_NEAR_FINALS = frozenset(
    frozenset(pair)
    for pair in (("in", "ing"), ("en", "eng"), ("an", "ang"), ("ian", "iang"), ("uan", "uang"))
)


@lru_cache(maxsize=8192)
def readings(word: str) -> tuple[str, ...]:
    """Return the common reading of each character of `word` in context, tone digit last."""
    from pypinyin import Style, lazy_pinyin  # loads slowly, and only builders need it

    return tuple(
        lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True, errors="default")
    )


def reading_class(word: str, spelling: str) -> ReadingClass | None:
    """Return how closely `spelling` sounds like `word`; None where it does not.

    Both are compared character by character. The class of the whole is that of its least
    alike character; one that is written the same counts as the same.
    """
    if len(word) != len(spelling):
        return None
    found = [ReadingClass.SAME_TONE]
    for character, reading, other in zip(word, readings(word), spelling, strict=True):
        if character == other:
            continue
        alike = _syllables_alike(reading, readings(other)[0])
        if alike is None:
            return None
        found.append(alike)
    order = list(ReadingClass)
    return max(found, key=order.index)


def _syllables_alike(first: str, second: str) -> ReadingClass | None:
    if first == second:
        return ReadingClass.SAME_TONE
    one, two = first.rstrip("12345"), second.rstrip("12345")
    if one == two:
        return ReadingClass.TONE_VARIANT
    (initial, final), (other_initial, other_final) = _parts(one), _parts(two)
    if final == other_final and frozenset((initial, other_initial)) in _NEAR_INITIALS:
        return ReadingClass.NEAR
    if initial == other_initial and frozenset((final, other_final)) in _NEAR_FINALS:
        return ReadingClass.NEAR
    return None


def _parts(syllable: str) -> tuple[str, str]:
    for initial in _TWO_LETTER_INITIALS:
        if syllable.startswith(initial):
            return initial, syllable[2:]
    if syllable[:1] in {"a", "e", "o"}:
        return "", syllable
    return syllable[:1], syllable[1:]
