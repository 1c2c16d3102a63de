"""Words written in Latin letters: 投资 as touzi, or by its initials."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from random import Random

from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.base import Range, count_in, pick
from riskchainbench.messages.readings import readings

PINYIN = "full_pinyin"
INITIALS = "pinyin_initials"


def propose_pinyin(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` words in full pinyin without tones."""
    return _propose(draft, random, lexicon, count, {w: _pinyin(w) for w in lexicon.homophones})


def propose_initials(
    draft: Draft, random: Random, lexicon: Lexicon, *, count: Range
) -> list[Proposal]:
    """Write `count` words by their first letters, of words that share them with no other."""
    return _propose(draft, random, lexicon, count, _telling_initials(tuple(lexicon.homophones)))


def _propose(
    draft: Draft, random: Random, lexicon: Lexicon, count: Range, forms: dict[str, str]
) -> list[Proposal]:
    places = [
        (message, at, word)
        for message in draft.messages
        for at, word in lexicon.words_in(message.text)
        if word in forms and message.free(at, at + len(word)) and _apart(message.text, at, word)
    ]
    return [
        Proposal(message.message_id, at, at + len(word), forms[word], "latin")
        for message, at, word in pick(random, places, count_in(random, count))
    ]


def _apart(text: str, at: int, word: str) -> bool:
    """Tell whether no Latin letter or digit would touch the word once it is romanized."""
    around = text[max(at - 1, 0) : at] + text[at + len(word) : at + len(word) + 1]
    return not any(character.isascii() and character.isalnum() for character in around)


def _pinyin(word: str) -> str:
    return "".join(reading.rstrip("12345") for reading in readings(word))


@lru_cache(maxsize=4)
def _telling_initials(words: tuple[str, ...]) -> dict[str, str]:
    initials = {word: "".join(reading[0] for reading in readings(word)) for word in words}
    shared = Counter(initials.values())
    return {word: short for word, short in initials.items() if shared[short] == 1}
