"""What each run's row is called: its system, what sets its settings apart, and its repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riskchainbench.core.errors import InputError
from riskchainbench.scoring.run import RunData, Setting

CHANCE = "seed"
"""A setting that repeats of one system may differ in and be of one system still."""

_ABSENT = "not set"


@dataclass(frozen=True)
class NamedRun:
    """A run with the name of its system, as tables show it, and the id of its row.

    Runs of one `name` are repeats of one another. `row_id` is unique.
    """

    name: str
    row_id: str
    run: RunData


def named_runs(runs: Sequence[RunData]) -> list[NamedRun]:
    """Return the runs sorted and named, the same for any order of them.

    Where a system was run under several settings, those that differ stand behind its name.

    Raises:
        InputError: two runs are of one system, settings and repeat.
    """
    by_system: dict[str, list[RunData]] = {}
    for run in runs:
        by_system.setdefault(run.system, []).append(run)
    named = [
        (name, run)
        for members in by_system.values()
        for name, run in zip(_names(members), members, strict=True)
    ]
    ordered = sorted(named, key=lambda each: (each[0], each[1].repeat))
    names = [name for name, _ in ordered]
    found: list[NamedRun] = []
    for name, run in ordered:
        row_id = name if names.count(name) == 1 else f"{name}#{run.repeat}"
        if found and found[-1].row_id == row_id:
            raise InputError(f"two runs are of {name}, repeat {run.repeat}; leave one of them out")
        found.append(NamedRun(name, row_id, run))
    return found


def _names(members: Sequence[RunData]) -> list[str]:
    """Name the runs of one system; seeds tell them apart only where nothing else does."""
    names = _told_apart(members, leave_out=CHANCE)
    if len(set(zip(names, [run.repeat for run in members], strict=True))) < len(members):
        names = _told_apart(members, leave_out="")
    return names


def _told_apart(members: Sequence[RunData], leave_out: str) -> list[str]:
    keys = sorted({key for run in members for key in run.settings} - {leave_out})
    shown = [[_value(run.settings.get(key)) for key in keys] for run in members]
    differing = [at for at in range(len(keys)) if len({values[at] for values in shown}) > 1]
    if not differing:
        return [run.system for run in members]
    return [
        f"{run.system} ({', '.join(f'{keys[at]}={values[at]}' for at in differing)})"
        for run, values in zip(members, shown, strict=True)
    ]


def _value(value: Setting | None) -> str:
    return _ABSENT if value is None else str(value)
