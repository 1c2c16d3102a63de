"""Live identifiers in what a website serves: everything is synthetic, and this is looked for.

Readings that cannot be meant are left out: numbers of an outline drawing are no telephone
numbers, and a Portuguese "com" (with) after a comma or a full stop is no domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from riskchainbench.checks.fresh import FreshOnly
from riskchainbench.messages.identifiers import Finding, IdentifierForm, find_live_identifiers
from riskchainbench.websites.records import LoadedWebsite

_OUTLINE = re.compile(r'\s(?:d|transform|points|viewBox)="[^"]*"')
_WITH = re.compile(r"\w[,.]\s+com\b", re.IGNORECASE)
_COM_IS_A_WORD = "pt"
# No identifier holds a bracket after a line's end, however it is written.
_SCAN = FreshOnly(lambda text: bool(find_live_identifiers(text)))


def served_identifiers(loaded: LoadedWebsite) -> Iterator[str]:
    """Yield each file with an identifier that could be somebody's, and the identifier."""
    words = loaded.website.language.partition("-")[0] == _COM_IS_A_WORD
    for name, data in sorted(loaded.files.items()):
        for finding in _found(data, com_is_a_word=words):
            yield f"{name} holds the {finding.kind} {finding.text!r}"


@lru_cache(maxsize=1024)
def _found(data: bytes, *, com_is_a_word: bool) -> tuple[Finding, ...]:
    text = _OUTLINE.sub(" ", data.decode("utf-8", "replace"))
    if not _SCAN.suspects(text):
        return ()
    return tuple(
        finding
        for finding in find_live_identifiers(text)
        if not (com_is_a_word and _says_with(text, finding))
    )


def _says_with(text: str, finding: Finding) -> bool:
    stem = finding.text.removesuffix(".com")
    if finding.form is not IdentifierForm.DEFANGED or stem == finding.text:
        return False
    at = text.lower().find(stem, finding.start)
    return at >= 0 and _WITH.match(text, at + len(stem) - 1) is not None
