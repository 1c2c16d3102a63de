"""Scores runs: from frozen runs and gold to one `Scores`, the same for any order of the runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.core.errors import InputError
from riskchainbench.scoring.catalogue import CATALOGUE, PRIMARY
from riskchainbench.scoring.comparisons import (
    RowMetric,
    compare,
    detectable,
    reruns,
    row_metric,
    tied_groups,
)
from riskchainbench.scoring.completeness import scored_cases
from riskchainbench.scoring.frame import make_frame
from riskchainbench.scoring.judged import judge_agreement
from riskchainbench.scoring.measure import Engine
from riskchainbench.scoring.naming import named_runs
from riskchainbench.scoring.options import Options
from riskchainbench.scoring.pages import pages_of
from riskchainbench.scoring.people import people_spread
from riskchainbench.scoring.records import Completeness, Metric, Scores, SystemScores
from riskchainbench.scoring.rows import system_scores, tallied
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.strata import StrataTables
from riskchainbench.scoring.summary import make_header, make_warnings
from riskchainbench.statistics.bootstrap import named_seed

__all__ = ["Options", "score"]


def score(
    bundle: Bundle,
    gold: Gold,
    runs: Sequence[RunData],
    options: Options | None = None,
) -> Scores:
    """Score runs of the same tasks beside each other.

    Args:
        bundle: the frozen benchmark.
        gold: its gold, as `bundle.open_gold` gives it.
        runs: one or more runs, in any order; the result does not depend on it.
        options: how to treat unfinished runs, and what to add.

    Raises:
        InputError: there is no run, two are the same, or one is not whole or not of this bundle.
    """
    with _collection_paused():
        options = options or Options()
        return _score(bundle, gold, runs, options, options.for_runs(runs))


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Keep the garbage collector from walking all records again and again; none is in a cycle.

    What was made meanwhile counts as old afterwards, so that going on does not walk it either.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()
        gc.enable()


def _score(
    bundle: Bundle,
    gold: Gold,
    runs: Sequence[RunData],
    options: Options,
    completeness: Completeness,
) -> Scores:
    if not runs:
        raise InputError("there is no run to score; name at least one run folder")
    named = named_runs(runs)
    cases = scored_cases(bundle, gold, runs, completeness)
    page_of = pages_of(bundle)
    frame = make_frame(bundle, gold, cases)
    engine = Engine(frame, bundle.tasks_sha256, options.draws)
    rows = [tallied(frame, each, options, page_of) for each in named]
    tallies = [
        tally for row in rows for each in (row.tallies, *row.judge_tallies) for tally in each
    ]
    wanted = (*PRIMARY, *(each for each in options.compared if each not in PRIMARY))
    measured = engine.measure(tallies, wanted)
    strata = StrataTables(frame, engine).tables(
        [[*row.tallies, *row.failure_tallies] for row in rows]
    )
    systems: list[SystemScores] = []
    kept: dict[str, list[RowMetric]] = {metric_id: [] for metric_id in wanted}
    place = 0
    for row, tables in zip(rows, strata, strict=True):
        groups: list[tuple[Metric, ...]] = []
        for each in (row.tallies, *row.judge_tallies):
            groups.append(measured.metrics[place : place + len(each)])
            for index, tally in enumerate(each, start=place):
                if index in measured.drawn:
                    drawn = measured.drawn[index]
                    found = row_metric(frame, row.row_id, row.name, tally, drawn)
                    kept[tally.metric_id] += [] if found is None else [found]
            place += len(each)
        systems.append(system_scores(row, groups, tables, options))
    primary = {metric_id: kept[metric_id] for metric_id in PRIMARY if kept[metric_id]}
    explored = {metric_id: kept[metric_id] for metric_id in wanted[len(PRIMARY) :]}
    comparisons = compare(primary)
    return Scores(
        header=make_header(bundle, gold, frame, engine, options, completeness),
        catalogue=CATALOGUE,
        systems=tuple(systems),
        comparisons=(*comparisons, *compare(explored, corrected=False)),
        tied_groups=tied_groups(primary, comparisons),
        detectable=detectable(primary),
        reruns=reruns(primary, named_seed(bundle.tasks_sha256, "reruns")),
        people=people_spread(systems),
        judge_agreement=tuple(
            found
            for row in rows
            for found in judge_agreement(row.row_id, row.outcomes, row.run.judges)
        ),
        warnings=tuple(make_warnings(frame, rows, systems, completeness)),
    )
