"""The demonstration: a small benchmark, six systems that need no key, one report."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.models.registry import BUILTIN_NAMES
from riskchainbench.pipeline.build import build
from riskchainbench.pipeline.evaluate import ProgressBar, run_stages
from riskchainbench.pipeline.options import Options
from riskchainbench.pipeline.reports import report_runs
from riskchainbench.pipeline.results import score_runs, write_scores
from riskchainbench.scoring.records import Scores


def demo(out: Path, seed: int | None, workers: int, progress: ProgressBar) -> tuple[Scores, Path]:
    """Build, run, score and report below `out`; return the scores and the report's first page.

    Raises:
        InputError: `out` is a file.
    """
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is no folder; name a new one")
    bundle = out / "bundle"
    build(bundle, "demo", seed)
    runs = [out / "runs" / name for name in BUILTIN_NAMES]
    for name, run in zip(BUILTIN_NAMES, runs, strict=True):
        run_stages(bundle, run, name, Options(workers=workers), progress)
    scored = score_runs(bundle, runs)
    write_scores(scored.scores, out / "scores.json")
    page = report_runs(scored, runs, out / "report", public=False, images="all")
    return scored.scores, page
