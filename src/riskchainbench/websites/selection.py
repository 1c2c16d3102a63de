"""Exact selection of websites by a mixed-integer programme, with a certificate.

The programme has one binary variable a contrast set or website; every quota is a row. Among
the selections that hold all quotas, the one with the least sum of drawn weights is taken, so
equal seeds select equally. The answer is checked again in integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Literal

import highspy
import numpy as np
from highspy._core import _Highs

from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream
from riskchainbench.websites.quotas import Candidate, Quotas, Trait, exact_counts, ranges

_WEIGHTS = 10_000


class Counted(Record):
    """What a selection holds; `types` counts violations of each type."""

    sets: int
    families: int
    most_of_one_family: int
    clickable: int
    stateful: int
    labels: dict[Decision, int]
    types: dict[str, int]


class Certificate(Record):
    """What the solver proved of a selection; `gap` is the objective less its proven bound."""

    schema_version: Literal["selection/1"] = "selection/1"
    quotas: Quotas
    status: str
    objective: int
    bound: float
    gap: float
    solver: str
    candidates: int
    rows: int
    counted: Counted
    selected: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """Return what was proved and counted, one line each."""
        counted, total = self.counted, len(self.selected)
        kinds = ", ".join(f"{count} {kind}" for kind, count in counted.types.items())
        labels = ", ".join(f"{count} {label}" for label, count in counted.labels.items())
        solved = f"{self.status}, objective {self.objective}, bound {self.bound:g}"
        families = f"{counted.families} brand families, at most {counted.most_of_one_family} of one"
        told: tuple[str, ...] = (f"{labels} in {counted.sets} sets", kinds, families)
        if not any(counted.labels.values()):  # captured websites that nobody has labeled
            told = (f"{counted.sets} sets without labels", families)
        return (
            f"selection {self.quotas.name}: {solved}, {self.rows} rows, {self.solver}",
            *(f"selection: {each}" for each in told),
            f"of {total}, {counted.clickable} replay clicks, {counted.stateful} keep state",
        )


@dataclass(frozen=True)
class _Row:
    """`low` to `high` websites among units, each of which counts `counts[unit]` of them."""

    name: str
    counts: Mapping[int, int]
    low: int
    high: int

    def holds(self, chosen: Sequence[int]) -> bool:
        return self.low <= sum(self.counts.get(unit, 0) for unit in chosen) <= self.high


@dataclass(frozen=True)
class _Solved:
    status: str
    values: tuple[float, ...]
    objective: float
    bound: float


def select(candidates: Sequence[Candidate], quotas: Quotas, seed: int) -> Certificate:
    """Return the selection that holds every quota.

    Args:
        candidates: the pool; its order does not matter.
        quotas: what must hold.
        seed: draws the weights that choose among equally good selections.

    Raises:
        InputError: no selection holds all quotas; the message names those that cannot be met.
    """
    pool = sorted(candidates, key=lambda candidate: candidate.pool_id)
    units = _units(pool, quotas)
    eligible = [candidate for unit in units for candidate in unit]
    rows = tuple(_rows(units, eligible, quotas))
    weights = [
        stream(seed, "selection", unit[0].stratum.contrast_set, unit[0].pool_id).randrange(_WEIGHTS)
        for unit in units
    ]
    solved = _solve(weights, rows)
    if solved.status != "Optimal":
        raise InputError(f"selection {quotas.name}: {_short(len(units), rows)}")
    chosen = [unit for unit, value in enumerate(solved.values) if value > 0.5]
    broken = [row.name for row in rows if not row.holds(chosen)]
    if broken:
        raise InputError(f"selection {quotas.name}: not exact in {', '.join(broken)}")
    objective = sum(weights[unit] for unit in chosen)
    taken = [candidate for unit in chosen for candidate in units[unit]]
    return Certificate(
        quotas=quotas,
        status=solved.status,
        objective=objective,
        bound=round(solved.bound, 6),
        gap=round(objective - solved.bound, 6),
        solver=f"HiGHS {_solver().version()}",
        candidates=len(pool),
        rows=len(rows),
        counted=_counted(taken),
        selected=tuple(sorted(candidate.pool_id for candidate in taken)),
    )


def _counted(taken: Sequence[Candidate]) -> Counted:
    families = Counter(candidate.stratum.brand_family for candidate in taken)
    kinds = Counter(c.violation_type for c in taken if c.decision is Decision.VIOLATION)
    labels = Counter(candidate.decision for candidate in taken)
    return Counted(
        sets=len({candidate.stratum.contrast_set for candidate in taken}),
        families=len(families),
        most_of_one_family=max(families.values(), default=0),
        clickable=sum(candidate.stratum.clickable for candidate in taken),
        stateful=sum(candidate.stratum.stateful for candidate in taken),
        labels={decision: labels[decision] for decision in Decision},
        types=dict(sorted(kinds.items())),
    )


def _units(pool: Sequence[Candidate], quotas: Quotas) -> list[tuple[Candidate, ...]]:
    if not quotas.whole_sets:
        return [(candidate,) for candidate in pool]
    sets: dict[str, list[Candidate]] = {}
    for candidate in pool:
        sets.setdefault(candidate.stratum.contrast_set, []).append(candidate)
    return [tuple(members) for _, members in sorted(sets.items()) if len(members) == len(Decision)]


def _rows(
    units: Sequence[tuple[Candidate, ...]], pool: Sequence[Candidate], quotas: Quotas
) -> Iterator[_Row]:
    def row(name: str, low: int, high: int, **wanted: str) -> _Row:
        counts = {
            number: count
            for number, unit in enumerate(units)
            if (count := sum(_has(candidate, wanted) for candidate in unit))
        }
        return _Row(name, counts, low, high)

    total = quotas.websites
    yield row("websites", total, total)
    for decision, count in quotas.labels.items():
        yield row(f"labels.{decision}", count, count, decision=decision.value)
    for trait in quotas.exact:
        for value, count in exact_counts(quotas, trait, pool).items():
            yield row(f"exact.{trait}.{value}", count, count, **{trait.value: value})
            if quotas.label_balance is not None:
                for decision, share in quotas.labels.items():
                    part = count * share / total
                    yield row(
                        f"label_balance.{trait}.{value}.{decision}",
                        max(0, ceil(part - quotas.label_balance)),
                        floor(part + quotas.label_balance),
                        decision=decision.value,
                        **{trait.value: value},
                    )
    for trait in quotas.bounds:
        for value, (low, high) in ranges(quotas, trait, pool).items():
            yield row(f"bounds.{trait}.{value}", low, high, **{trait.value: value})
    for family in sorted({candidate.stratum.brand_family for candidate in pool}):
        yield row(f"family_max.{family}", 0, quotas.family_max, family=family)
    for name, least, wanted in _least(pool, quotas):
        yield row(name, least, total, **wanted)


def _least(
    pool: Sequence[Candidate], quotas: Quotas
) -> Iterator[tuple[str, int, Mapping[str, str]]]:
    """Yield the quotas that ask for a least number of websites: name, number, what is wanted."""
    if quotas.clickable_min:
        yield "clickable_min", quotas.clickable_min, {"clickable": "True"}
    if quotas.stateful_min:
        yield "stateful_min", quotas.stateful_min, {"stateful": "True"}
    kinds = {c.violation_type for c in pool if c.decision is Decision.VIOLATION}
    for kind in sorted(kinds) if quotas.type_min else ():
        yield f"type_min.{kind}", quotas.type_min, {"kind": kind}


def _has(candidate: Candidate, wanted: Mapping[str, str]) -> bool:
    for name, value in wanted.items():
        if name == "decision":
            found: str = candidate.decision or ""
        elif name == "family":
            found = candidate.stratum.brand_family
        elif name == "kind":
            found = candidate.violation_type
        elif name in ("clickable", "stateful"):
            found = str(getattr(candidate.stratum, name))
        else:
            found = candidate.value(Trait(name))
        if found != value:
            return False
    return True


def _short(units: int, rows: Sequence[_Row]) -> str:
    """Name the rows that the nearest selection misses, and by how many websites."""
    solved = _solve([0] * units, rows, elastic=True)
    missed = [
        f"{row.name} is missed by {round(more + less)} (asked {_asked(row)})"
        for row, more, less in zip(
            rows,
            solved.values[units : units + len(rows)],
            solved.values[units + len(rows) :],
            strict=True,
        )
        if round(more + less)
    ]
    return "; ".join(missed) or f"the solver ended with {solved.status}"


def _asked(row: _Row) -> str:
    return str(row.low) if row.low == row.high else f"{row.low} to {row.high}"


def _solve(weights: Sequence[int], rows: Sequence[_Row], *, elastic: bool = False) -> _Solved:
    """Minimize the weights of the chosen units; elastic rows give way at a price of one each."""
    units, count = len(weights), len(rows)
    slack = 2 * count if elastic else 0
    starts, columns, values = [0], [], []
    for number, row in enumerate(rows):
        columns += list(row.counts)
        values += list(row.counts.values())
        if elastic:
            columns += [units + number, units + count + number]
            values += [1, -1]
        starts.append(len(columns))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = units + slack, count
    model.col_cost_ = np.array([*weights, *[1] * slack], dtype=np.double)
    model.col_lower_ = np.zeros(units + slack)
    model.col_upper_ = np.array([1.0] * units + [highspy.kHighsInf] * slack)
    model.row_lower_ = np.array([row.low for row in rows], dtype=np.double)
    model.row_upper_ = np.array([row.high for row in rows], dtype=np.double)
    model.integrality_ = [highspy.HighsVarType.kInteger] * (units + slack)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(starts, dtype=np.int32)
    model.a_matrix_.index_ = np.array(columns, dtype=np.int32)
    model.a_matrix_.value_ = np.array(values, dtype=np.double)
    solver = _solver()
    solver.passModel(model)
    solver.run()
    info = solver.getInfo()
    return _Solved(
        status=solver.modelStatusToString(solver.getModelStatus()),
        values=tuple(solver.getSolution().col_value),
        objective=info.objective_function_value,
        bound=info.mip_dual_bound,
    )


def _solver() -> Any:
    solver = _Highs()
    for option, value in _OPTIONS:
        solver.setOptionValue(option, value)
    return solver


_OPTIONS: tuple[tuple[str, bool | int | float], ...] = (
    # First of all: the solver greets on standard output otherwise.
    ("log_to_console", False),
    ("threads", 1),
    ("random_seed", 0),
    ("mip_rel_gap", 0.0),
    ("mip_abs_gap", 0.0),
)
