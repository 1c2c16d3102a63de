"""Names that tell nothing: letters without a vowel.

They read as no word, and the mask takes none for a number of somebody's.
"""

from __future__ import annotations

from riskchainbench.core.hashing import sha256_text

_LETTERS = str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst")
_LENGTH = 12


def opaque(text: str) -> str:
    """Return the name that belongs to `text`; equal texts get equal names."""
    return sha256_text(text)[:_LENGTH].translate(_LETTERS)
