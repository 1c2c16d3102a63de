"""From scored runs to the HTML report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from riskchainbench.investigation.trajectory import IMAGES
from riskchainbench.pipeline.results import Scored
from riskchainbench.reporting.browser_data import ImageChoice
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report
from riskchainbench.scoring.published import published


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
