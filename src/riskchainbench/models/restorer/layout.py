"""Undoes breaks that a layout put into a message, apart from those inside an entry."""

from __future__ import annotations

from riskchainbench.models.restorer.entry import TALL, FoundEntry


def join_breaks(text: str, mark: str) -> str:
    """Return `text` without its token marks, and without the newline right after a token.

    Obfuscators that scatter tokens break the line there; a newline elsewhere is the sender's.
    """
    return text.replace("\r\n", "\n").replace(mark + "\n", "").replace(mark, "")


def own_lines(text: str, mark: str, entry: FoundEntry) -> tuple[int, int]:
    """Return where an entry with its layout begins and ends, end exclusive.

    A tall entry stands on lines of its own: one break on either side belongs to the layout.
    """
    start, stop = entry.start, entry.stop
    if entry.layout != TALL:
        return start, stop
    before = text[:start].rstrip(mark + " ") if start else ""
    if before.endswith("\n"):
        start = len(before) - 1
    after = stop
    while after < len(text) and text[after] in mark + " ":
        after += 1
    return start, after + 1 if text[after : after + 1] == "\n" else stop
