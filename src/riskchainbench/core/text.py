"""The rules of text: what is let in, what is compared, and where text may be split."""

from __future__ import annotations

import datetime
import unicodedata

import regex

REPLACEMENT = "\ufffd"

_LONE_SURROGATE = regex.compile(r"[\ud800-\udfff]")
_HORIZONTAL_SPACE = regex.compile(r"[^\S\n]+")
_BLANKS_AROUND_NEWLINE = regex.compile(r" ?\n ?")
_WHITE_SPACE = regex.compile(r"\s+")
_CLUSTER = regex.compile(r"\X")


def gate(text: str) -> tuple[str, bool]:
    """Return `text` with lone surrogates turned into U+FFFD, and whether any was found.

    Text from outside passes here once before it is stored: a lone surrogate cannot be
    written as UTF-8.
    """
    cleaned = _LONE_SURROGATE.sub(REPLACEMENT, text)
    return cleaned, cleaned != text


def compared_text(text: str) -> str:
    """Return the form in which two messages are compared.

    NFC, newlines as ``\\n``, horizontal white space collapsed to one space, blanks around
    newlines trimmed, ends stripped (design decision 2 in ``ARCHITECTURE.md``).
    """
    if " ".join(text.split()) == text:  # one line without anything to collapse, as most are
        return unicodedata.normalize("NFC", text)
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    text = _HORIZONTAL_SPACE.sub(" ", text)
    return _BLANKS_AROUND_NEWLINE.sub("\n", text).strip()


def folded(text: str) -> str:
    """Return `text` with every run of white space as one space, for finding quotes."""
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def clusters(text: str) -> list[str]:
    """Split `text` into extended grapheme clusters (UAX #29)."""
    found: list[str] = _CLUSTER.findall(text)
    return found


def letters_and_digits(text: str) -> int:
    """Count the letters and digits of any script in `text`."""
    return sum(1 for char in text if char.isalnum())


def is_day(text: str) -> bool:
    """Tell whether `text` is a day of the calendar, written as YYYY-MM-DD."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
