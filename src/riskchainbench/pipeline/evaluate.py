"""All stages of one system, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from riskchainbench.pipeline.results import score_runs, write_scores
from riskchainbench.pipeline.stages import Options, Stages
from riskchainbench.scoring.records import Scores

ProgressBar = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Opens a progress display under a title; what it yields is told (done, total)."""

RULES_JUDGE = "rules"


def run_stages(
    bundle: Path, run: Path, system: str, options: Options, progress: ProgressBar
) -> None:
    """Restore, investigate, conclude and judge; each stage resumes or is done already."""
    stages = Stages(bundle, run, system, options)
    with progress(f"{system}: restore") as update:
        stages.restore(update)
    with progress(f"{system}: investigate") as update:
        stages.investigate(update)
    with progress(f"{system}: conclude") as update:
        stages.conclude(update)
    with progress(f"{system}: judge") as update:
        stages.judge(RULES_JUDGE, update)


def evaluate(
    bundle: Path, run: Path, system: str, options: Options, progress: ProgressBar
) -> Scores:
    """Run every stage of `system` and return its scores, which also stand in the run."""
    run_stages(bundle, run, system, options, progress)
    scores = score_runs(bundle, [run]).scores
    write_scores(scores, run / "scores.json")
    return scores
