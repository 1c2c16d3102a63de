"""From frozen runs to scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from riskchainbench.bundle import Bundle, Gold, open_bundle, open_gold
from riskchainbench.core.errors import InputError
from riskchainbench.core.frozen import refuse_inside_frozen
from riskchainbench.core.stage import read_run
from riskchainbench.core.store import write_json
from riskchainbench.models.provider.prices import Price, load_prices
from riskchainbench.pipeline.asking import base_name
from riskchainbench.scoring.load import load_run
from riskchainbench.scoring.records import Scores
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.score import Options, score

SCORES = "scores.json"
"""Where a run may have its own scores."""


@dataclass(frozen=True)
class Scored:
    """Runs with their scores and what they were scored by."""

    bundle: Bundle
    gold: Gold
    runs: tuple[RunData, ...]
    scores: Scores


def score_runs(
    bundle_folder: Path,
    runs: Sequence[Path],
    *,
    incomplete: bool = False,
    subset: bool = False,
    prevalence: float | None = None,
    prices: Path | None = None,
    compared: Sequence[str] = (),
) -> Scored:
    """Score `runs` against the gold of the bundle.

    Args:
        bundle_folder: the benchmark.
        runs: the runs' folders, in any order.
        incomplete: score units without an outcome as failures.
        subset: score only what every run finished.
        prevalence: the share of violations to re-weight precision to.
        prices: a file of prices; those that ship if left out.
        compared: exploratory metrics to compare systems on, besides the primary ones.

    Raises:
        InputError: a run is unfinished or was made for other tasks, or one is named twice.
        IntegrityError: a frozen file was changed.
    """
    if len({run.resolve() for run in runs}) != len(runs):
        raise InputError("a run is named twice; name each once")
    bundle = open_bundle(bundle_folder)
    gold = open_gold(bundle).labeled()
    loaded = tuple(load_run(run, bundle, incomplete=incomplete, subset=subset) for run in runs)
    options = Options(
        prevalence=prevalence, prices=run_prices(runs, prices), compared=tuple(compared)
    )
    return Scored(bundle, gold, loaded, score(bundle, gold, loaded, options))


def run_prices(runs: Sequence[Path], prices: Path | None) -> Mapping[str, Price]:
    """Return the known prices of the systems of `runs`, by the systems' names.

    Raises:
        InputError: the file cannot be read as prices.
    """
    known = load_prices(prices)
    manifests = [read_run(run) for run in runs]
    found = {manifest.system: known.of(base_name(manifest)) for manifest in manifests}
    return {system: price for system, price in found.items() if price is not None}


def write_scores(scores: Scores, path: Path, runs: Sequence[Path] = ()) -> None:
    """Write scores as one JSON file: anywhere outside of frozen folders, or in one of `runs`.

    Raises:
        InputError: the file would lie in a bundle or run, and not where a run has its scores.
        StorageError: it cannot be written.
    """
    if path.resolve() not in [run.resolve() / SCORES for run in runs]:
        refuse_inside_frozen(path)
    write_json(path, scores)
