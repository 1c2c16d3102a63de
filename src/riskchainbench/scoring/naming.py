"""What each run's row is called: its system, what sets its settings apart, and its repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riskchainbench.core.errors import InputError
from riskchainbench.scoring.run import RunData, Setting

CHANCE = "seed"
"""A setting that repeats of one system may differ in and be of one system still."""

HASH = "_sha256"
"""How the names of settings end that are hashes, as of a prompt."""

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

    Where a system was run under several settings, its own or the protocol's, those that differ
    stand behind its name; of the protocol, a stage that was not run differs from nothing.

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
    own = ((key, [_value(run.settings.get(key)) for run in members]) for key in keys)
    columns = [column for column in own if len(set(column[1])) > 1]
    for key, values in _protocols(members):
        # A hash says nothing to a reader; it stands only where words leave runs alike.
        alike = [""] * len(members) if not key.endswith(HASH) else _joined(columns, len(members))
        if _differ(alike, values):
            columns.append((key, values))
    shown = _joined(columns, len(members))
    return [
        f"{run.system} ({s})" if s else run.system for run, s in zip(members, shown, strict=True)
    ]


def _protocols(members: Sequence[RunData]) -> list[tuple[str, list[str]]]:
    """Return the values of each setting of the protocol, hashes last; "" where it has none."""
    keys = sorted({key for run in members for key in run.protocol}, key=_hashes_last)
    return [(key, [_short(key, run.protocol.get(key, "")) for run in members]) for key in keys]


def _hashes_last(key: str) -> tuple[bool, str]:
    return key.endswith(HASH), key


def _short(key: str, value: str) -> str:
    return value[:8] if key.endswith(HASH) else value


def _differ(groups: Sequence[str], values: Sequence[str]) -> bool:
    """Tell whether any two runs of one group have different values; none at all is none."""
    found: dict[str, str] = {}
    pairs = ((group, value) for group, value in zip(groups, values, strict=True) if value)
    return any(found.setdefault(group, value) != value for group, value in pairs)


def _joined(columns: Sequence[tuple[str, list[str]]], runs: int) -> list[str]:
    return [
        ", ".join(f"{key}={values[at]}" for key, values in columns if values[at])
        for at in range(runs)
    ]


def _value(value: Setting | None) -> str:
    return _ABSENT if value is None else str(value)
