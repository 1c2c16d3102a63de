"""Entries: the reserved three-label names that stand for a message's destination."""

from __future__ import annotations

import re
import unicodedata

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ENTRY = re.compile(rf"{_LABEL}\.{_LABEL}\.test")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://")
_AFTER_HOST = re.compile(r"[/?#].*$", re.DOTALL)
_PORT = re.compile(r":\d{1,5}$")


def is_entry(text: str) -> bool:
    """Tell whether `text` is a lower-case three-label name under ``.test``."""
    return _ENTRY.fullmatch(text) is not None


def exact_entry(text: str) -> str:
    """Return the form in which entries are compared strictly: NFC and strip, nothing else."""
    return unicodedata.normalize("NFC", text).strip()


def tolerant_entry(text: str) -> str:
    """Return the form of the tolerant rate: case, scheme, port, path, one trailing dot folded."""
    name = _SCHEME.sub("", exact_entry(text).casefold())
    name = _PORT.sub("", _AFTER_HOST.sub("", name))
    return name.removesuffix(".")


def same_entry(predicted: str, gold: str) -> bool:
    """Tell whether `predicted` opens the gate of `gold`; scorer and gate both ask here."""
    return exact_entry(predicted) == gold


def tolerantly_same_entry(predicted: str, gold: str) -> bool:
    """Tell whether `predicted` names `gold` once case, scheme, port and path are folded."""
    return tolerant_entry(predicted) == gold
