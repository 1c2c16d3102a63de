"""Takes out marks that say nothing: a star, tilde, caret, middle dot or space inside a phrase.

Marks that do not show by themselves, laid on or between characters, go as well.

A tilde that drags a sentence out, a masked word and a face made of marks stay.
"""

from __future__ import annotations

import regex

from riskchainbench.models.restorer.lexicon import is_han, lexicon

_SURE = regex.compile(
    r"(?<=[\p{Han}{mark}，。！？：；、])[＊*^·](?=[\p{Han}{mark}，。！？：；、])".replace(
        "{mark}", ""
    )
)
_BETWEEN = regex.compile(r"(?<=\p{Han})[＊*～~^·\u3000 ]+(?=\p{Han})")
_UNSEEN = regex.compile(
    r"(?<=[\p{Han}\p{P}A-Za-z0-9])[\p{Mn}\u200b-\u200d\u2060\ufeff\u00ad]+(?![\u20e3\u200d])"
)
_TILDE_AFTER = frozenset("呀啊哦呢吧啦哈了好的嘛哟噢呐呗嗯哒诶喔耶")
_SPACES = " \u3000"


def drop_marks(text: str, *, noisy: bool) -> str:
    """Return `text` without its redundant marks.

    `noisy` says that the message shows other signs of tampering, which makes a space between
    two characters a mark rather than a pause.
    """
    text = _UNSEEN.sub("", text)
    marked = _SURE.search(text) is not None

    def replace(match: regex.Match[str]) -> str:
        run = match.group(0)
        if run.strip(_SPACES) == "":
            left, right = text[match.start() - 1], text[match.end()]
            redundant = noisy or marked or "\u3000" in run or _one_word(text, match.span())
            return "" if redundant and left and right else run
        if set(run) <= set("～~") and text[match.start() - 1] in _TILDE_AFTER and not marked:
            return run
        return ""

    return _BETWEEN.sub(replace, _SURE.sub("", text))


def _one_word(text: str, span: tuple[int, int]) -> bool:
    """Tell whether the characters around the gap make a word across it."""
    known = lexicon()
    left = text[max(0, span[0] - 3) : span[0]]
    right = text[span[1] : span[1] + 3]
    return any(
        is_han(left[-i:] + right[:j]) and known.counts.get(left[-i:] + right[:j], 0) >= 100
        for i in range(1, len(left) + 1)
        for j in range(1, len(right) + 1)
    )
