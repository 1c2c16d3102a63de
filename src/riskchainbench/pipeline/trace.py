"""One message variant with the way it was made and the walk back."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Message
from riskchainbench.messages.records import Trace
from riskchainbench.messages.trace import revert, stages_of


class TraceView(Record):
    """A variant, its trace, and the session's messages before the first and after each stage."""

    sample_id: str
    recipe: str
    platform: str
    entry: str
    trace: Trace
    states: tuple[tuple[Message, ...], ...]


def trace_sample(folder: Path, sample_id: str) -> TraceView:
    """Walk one variant back to its source and forth again.

    Raises:
        InputError: there is no such sample, or the bundle has no gold.
        TraceError: the trace does not lead where it says.
    """
    bundle = open_bundle(folder)
    if sample_id not in bundle.restoration_tasks:
        first = next(iter(bundle.restoration_tasks))
        raise InputError(f"{folder}: no sample {sample_id!r}; samples are named like {first}")
    gold = open_gold(bundle)
    trace, sample = gold.traces[sample_id], gold.samples[sample_id]
    source = revert(bundle.restoration_tasks[sample_id].messages, trace)
    return TraceView(
        sample_id=sample_id,
        recipe=sample.recipe,
        platform=sample.platform,
        entry=sample.entry,
        trace=trace,
        states=stages_of(trace, source),
    )
