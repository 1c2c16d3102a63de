"""From a bundle to a data set for a hub; gold is opened only where it was asked for."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.doors.huggingface.about import File
from riskchainbench.doors.huggingface.export import export


def export_bundle(bundle: Path, out: Path, date: str, *, with_gold: bool) -> tuple[File, ...]:
    """Export `bundle` into `out` and return the written tables."""
    opened = open_bundle(bundle)
    return export(opened, open_gold(opened) if with_gold else None, out, date)
