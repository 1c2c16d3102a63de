"""Which units are scored: refuses runs that are not whole, unless told how to treat them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.core.errors import InputError
from riskchainbench.scoring.records import Completeness
from riskchainbench.scoring.run import RunData

_REMEDY = "finish the run, or score with --incomplete or --subset"


def scored_cases(
    bundle: Bundle, gold: Gold, runs: Sequence[RunData], completeness: Completeness
) -> list[str]:
    """Return the cases to score, the same for every run.

    Complete and incomplete runs are scored on all cases, so denominators never shrink; a
    subset on the cases that every run has finished.

    Raises:
        InputError: a run holds a unit the bundle does not have, or lacks one and `completeness`
            does not allow it; the message names the run and the unit.
    """
    cases = sorted(bundle.investigation_tasks)
    samples = {sample_id: gold.samples[sample_id].case_id for sample_id in sorted(gold.samples)}
    for run in runs:
        _require_known(run, "sample", run.predictions or {}, samples)
        _require_known(run, "case", run.conclusions or {}, cases)
    if completeness is Completeness.SUBSET:
        kept = [case for case in cases if all(_finished(run, case, samples) for run in runs)]
        if not kept:
            raise InputError("no case was finished by every run; score the runs one by one")
        return kept
    if completeness is Completeness.COMPLETE:
        for run in runs:
            _require_whole(run, cases, samples)
    return cases


def _require_known(run: RunData, unit: str, found: Iterable[str], known: Iterable[str]) -> None:
    strange = sorted(set(found) - set(known))
    if strange:
        raise InputError(
            f"run of {run.system}: {unit} {strange[0]} is not in this bundle; "
            "score the run with the bundle it was made for"
        )


def _require_whole(run: RunData, cases: Iterable[str], samples: Iterable[str]) -> None:
    for unit, found, opened, wanted in (
        ("case", run.conclusions, run.open_cases, cases),
        ("sample", run.predictions, run.open_samples, samples),
    ):
        closed = set(found or ()) - set(opened)
        missing = sorted(set(wanted) - closed) if found is not None else []
        if missing:
            raise InputError(
                f"run of {run.system}: {unit} {missing[0]} has no outcome "
                f"({len(missing)} in all have none); {_REMEDY}"
            )


def _finished(run: RunData, case: str, samples: dict[str, str]) -> bool:
    if run.conclusions is not None:
        return case in run.conclusions and case not in run.open_cases
    predictions = run.predictions or {}
    return all(
        sample in predictions and sample not in run.open_samples
        for sample, home in samples.items()
        if home == case
    )
