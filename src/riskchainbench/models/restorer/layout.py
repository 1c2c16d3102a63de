"""Undoes breaks that a layout put into a message, apart from those inside an entry."""

from __future__ import annotations


def join_breaks(text: str, mark: str) -> str:
    """Return `text` without its token marks, and without the newline right after a token.

    Obfuscators that scatter tokens break the line there; a newline elsewhere is the sender's.
    """
    return text.replace("\r\n", "\n").replace(mark + "\n", "").replace(mark, "")
