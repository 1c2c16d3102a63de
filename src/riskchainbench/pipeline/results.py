"""From frozen runs to scores and a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.core.store import write_json
from riskchainbench.reporting import write_report
from riskchainbench.scoring.load import load_run
from riskchainbench.scoring.records import Scores
from riskchainbench.scoring.score import score


def score_runs(
    bundle_folder: Path, runs: Sequence[Path], *, incomplete: bool = False, subset: bool = False
) -> Scores:
    """Score `runs` against the gold of the bundle.

    Raises:
        InputError: a run is unfinished or was made for other tasks.
        IntegrityError: a frozen file was changed.
    """
    bundle = open_bundle(bundle_folder)
    loaded = [load_run(run, bundle, incomplete=incomplete, subset=subset) for run in runs]
    return score(bundle, open_gold(bundle), loaded)


def write_scores(scores: Scores, path: Path) -> None:
    """Write scores as one JSON file."""
    write_json(path, scores)


def report_runs(
    bundle_folder: Path,
    runs: Sequence[Path],
    out: Path,
    *,
    public: bool,
    images: str,
    incomplete: bool = False,
    subset: bool = False,
) -> Path:
    """Write the HTML report of `runs` into `out` and return its first page."""
    bundle = open_bundle(bundle_folder)
    gold = open_gold(bundle)
    loaded = [load_run(run, bundle, incomplete=incomplete, subset=subset) for run in runs]
    scores = score(bundle, gold, loaded)
    return write_report(bundle, gold, loaded, scores, out, public=public, images=images)
