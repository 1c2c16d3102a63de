"""The entry gate: whether a frozen restoration opens the website that its message leads to."""

from __future__ import annotations

from riskchainbench.core.entries import same_entry, tolerantly_same_entry
from riskchainbench.core.restoration import EntryCandidate, Restoration


def top_candidate(restoration: Restoration | None) -> EntryCandidate | None:
    """Return the candidate with rank 1, the only one that can open the gate."""
    for found in restoration.candidates if restoration is not None else ():
        if found.rank == 1:
            return found
    return None


def opens_gate(restoration: Restoration | None, entry: str) -> bool:
    """Tell whether rank 1 is `entry`: Entry Top-1, and the gate g.

    No lower rank repairs it, and nothing is corrected (design decision 1).
    """
    top = top_candidate(restoration)
    return top is not None and same_entry(top.value, entry)


def opens_gate_tolerantly(restoration: Restoration | None, entry: str) -> bool:
    """Tell whether rank 1 is `entry` once case, scheme, port, path and a last dot are folded."""
    top = top_candidate(restoration)
    return top is not None and tolerantly_same_entry(top.value, entry)


def entry_rank(restoration: Restoration | None, entry: str) -> int | None:
    """Return the best rank at which `entry` stands, or None."""
    if restoration is None:
        return None
    ranks = [found.rank for found in restoration.candidates if same_entry(found.value, entry)]
    return min(ranks, default=None)
