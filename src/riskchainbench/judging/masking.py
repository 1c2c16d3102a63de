"""Taking addresses and names out of text before a judge sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

ADDRESS = "[address]"
WITHHELD = "[withheld]"

_MIN_TERM = 3
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# Every repetition is bounded: a page may hold text that is made to stall a search.
_MAX_LABELS = 8
_MAX_SPACED = 3
_NO_LETTER_BEFORE = r"(?<![a-z0-9.-])"
_NO_LETTER_AFTER = r"(?![a-z0-9-])"
_TAIL = r"(?::\d{1,5})?(?:[/?#][^\s<>\"'，。；、）)】」]*)?"
_FILE = (
    r"(?:exe|msi|apk|ipa|dmg|pkg|deb|zip|rar|gz|7z|txt|pdf|docx?|xlsx?|csv|png|jpe?g|gif|svg|"
    r"mp3|mp4|html?|js|css|json|bat|jar|iso)"
)

_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'，。；、）)】」]+", re.IGNORECASE)
_IP = re.compile(rf"{_NO_LETTER_BEFORE}\d{{1,3}}(?:\.\d{{1,3}}){{3}}{_NO_LETTER_AFTER}{_TAIL}")
_LOCAL = re.compile(rf"{_NO_LETTER_BEFORE}localhost{_NO_LETTER_AFTER}{_TAIL}", re.IGNORECASE)
_HOST = re.compile(
    rf"{_NO_LETTER_BEFORE}(?:{_LABEL}\.){{1,{_MAX_LABELS}}}(?!{_FILE}{_NO_LETTER_AFTER})"
    rf"(?:xn--[a-z0-9-]+|[a-z]{{2,24}})\.?{_NO_LETTER_AFTER}{_TAIL}",
    re.IGNORECASE,
)
_SPACED_HOST = re.compile(
    rf"{_NO_LETTER_BEFORE}(?:{_LABEL}\s?[.。．｡]\s?){{1,{_MAX_SPACED}}}test"
    rf"{_NO_LETTER_AFTER}{_TAIL}",
    re.IGNORECASE,
)
_PATTERNS = (_URL, _IP, _LOCAL, _SPACED_HOST, _HOST)


@dataclass(frozen=True)
class Mask:
    """Masks addresses everywhere, and the given private terms in any case."""

    terms: tuple[str, ...] = ()

    def __call__(self, text: str) -> str:
        """Return `text` with nothing in it that looks like an address or is a private term."""
        for term in self.terms:
            text = re.sub(re.escape(term), WITHHELD, text, flags=re.IGNORECASE)
        for pattern in _PATTERNS:
            text = pattern.sub(ADDRESS, text)
        return text


def private_terms(case_id: str, system: str) -> tuple[str, ...]:
    """Return what could tell a judge which case or model it has before it, longest first.

    The names of built-in systems are plain words that pages use, and name no model. What a
    name says in brackets, of an ablation, tells of no model either.
    """
    terms: Iterable[str] = (case_id,)
    system = system.partition(" [")[0]
    if "/" in system:
        terms = (case_id, system, *system.split("/"))
    kept = {term for term in terms if len(term) >= _MIN_TERM}
    return tuple(sorted(kept, key=lambda term: (-len(term), term)))
