"""From frozen runs to scores and a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from riskchainbench.bundle import Bundle, Gold, open_bundle, open_gold
from riskchainbench.core.errors import InputError
from riskchainbench.core.store import write_json
from riskchainbench.investigation.run import IMAGES
from riskchainbench.reporting import ReportRun, write_report
from riskchainbench.reporting.browser_data import ImageChoice
from riskchainbench.scoring.load import load_run
from riskchainbench.scoring.published import published
from riskchainbench.scoring.records import Scores
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.score import score


@dataclass(frozen=True)
class Scored:
    """Runs with their scores and what they were scored by."""

    bundle: Bundle
    gold: Gold
    runs: tuple[RunData, ...]
    scores: Scores


def score_runs(
    bundle_folder: Path, runs: Sequence[Path], *, incomplete: bool = False, subset: bool = False
) -> Scored:
    """Score `runs` against the gold of the bundle.

    Raises:
        InputError: a run is unfinished or was made for other tasks, or one is named twice.
        IntegrityError: a frozen file was changed.
    """
    if len({run.resolve() for run in runs}) != len(runs):
        raise InputError("a run is named twice; name each once")
    bundle = open_bundle(bundle_folder)
    gold = open_gold(bundle)
    loaded = tuple(load_run(run, bundle, incomplete=incomplete, subset=subset) for run in runs)
    return Scored(bundle, gold, loaded, score(bundle, gold, loaded))


def write_scores(scores: Scores, path: Path) -> None:
    """Write scores as one JSON file."""
    write_json(path, scores)


def report_runs(
    scored: Scored, runs: Sequence[Path], out: Path, *, public: bool, images: ImageChoice
) -> Path:
    """Write the HTML report of scored `runs` into `out` and return its first page."""
    return write_report(
        scored.bundle,
        scored.gold,
        [
            ReportRun(data=data, images=run / IMAGES)
            for data, run in zip(scored.runs, runs, strict=True)
        ],
        scored.scores,
        out,
        public=public,
        images=images,
        reference=published().tables,
    )
