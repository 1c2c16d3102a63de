"""How far a restored message is from its reference, in code points and in mixed tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from riskchainbench.core.text import compared_text

_RUN = re.compile(r"[A-Za-z0-9]+|[\U00100000-\U0010ffff]")
_FIRST_STAND_IN = 0x100000
_IN_NO_REFERENCE = "\U0010ffff"
"""Stands for every run that the reference lacks: only equality with it makes a distance."""

_LIKELY_EDITS = 15
"""Where the search for a distance begins; it changes the time taken and nothing else."""


class Distance(NamedTuple):
    """Edits against a reference and the reference's length, in code points and in tokens."""

    edits: int
    length: int
    token_edits: int
    tokens: int


class Reference:
    """The compared texts of one message variant, by message id, prepared once.

    `accepted` adds to each message the other texts that count as right. `nothing_lost` is the
    distance of a perfect restoration, `all_lost` that of none: everything is deleted.
    """

    def __init__(
        self, messages: Mapping[str, str], accepted: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self.texts = {key: compared_text(text) for key, text in sorted(messages.items())}
        others = accepted or {}
        self.accepted = {
            key: {text, *map(compared_text, others.get(key, ()))}
            for key, text in self.texts.items()
        }
        self.length = sum(map(len, self.texts.values()))
        self._stand_ins: dict[str, str] = {}
        self._tokens = {key: self._learned(text) for key, text in self.texts.items()}
        self.tokens = sum(map(len, self._tokens.values()))
        self.nothing_lost = Distance(0, self.length, 0, self.tokens)
        self.all_lost = Distance(self.length, self.length, self.tokens, self.tokens)

    def exact(self, restored: Mapping[str, str]) -> bool:
        """Tell whether every message, and no other, was restored; texts are compared ones."""
        return restored == self.texts

    def acceptable(self, restored: Mapping[str, str]) -> bool:
        """Tell whether every message is the reference or an accepted equivalent of it."""
        return restored.keys() == self.texts.keys() and all(
            text in self.accepted[key] for key, text in restored.items()
        )

    def distance(self, restored: Mapping[str, str]) -> Distance:
        """Return the edits by message id: a missing id is deletion, an extra one insertion."""
        edits = token_edits = 0
        for key, text in self.texts.items():
            found = restored.get(key, "")
            if found != text:
                near = Levenshtein.distance(found, text, score_hint=_LIKELY_EDITS)
                edits += near
                tokens = self._read(found)
                token_edits += Levenshtein.distance(tokens, self._tokens[key], score_hint=near)
        for key, text in restored.items():
            if key not in self.texts:
                edits += len(text)
                token_edits += len(self._read(text))
        return Distance(edits, self.length, token_edits, self.tokens)

    def _learned(self, text: str) -> str:
        """Return the tokens of a text of the reference, a new stand-in for each new run."""
        found = self._stand_ins
        return _as_tokens(
            text, lambda run: found.setdefault(run[0], chr(_FIRST_STAND_IN + len(found)))
        )

    def _read(self, text: str) -> str:
        """Return the tokens of a restored text, to be compared with those of the reference."""
        return _as_tokens(text, lambda run: self._stand_ins.get(run[0], _IN_NO_REFERENCE))


def _as_tokens(text: str, stand_in: Callable[[re.Match[str]], str]) -> str:
    """Return one character a token, so that a string distance counts tokens.

    A token is a run of ASCII letters and digits or any other single character that is no
    white space, such as a Han character. Runs are replaced by private-use characters of
    plane 16, and so is any such character that a text holds itself.
    """
    return "".join(_RUN.sub(stand_in, text).split())
