"""Writes what the documentation says from the code: the table of failures and JSON Schemas.

Usage: python tools/export_docs.py [FOLDER]; a test holds docs/ to what this writes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from riskchainbench.bundle.layout import BundleManifest, Resolver, SeedRecord
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.failures import FAILURES
from riskchainbench.core.gold import PlacedComponent, SampleGold, Stratum, WebsiteLabel
from riskchainbench.core.investigation import Action, InvestigationTask, Step, TrajectoryEnd
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Prediction, Restoration, RestorationTask
from riskchainbench.core.stage import RunManifest, StageManifest, StageSettings
from riskchainbench.judging.records import JudgmentRecord
from riskchainbench.messages.records import Trace
from riskchainbench.scoring.records import Scores
from riskchainbench.websites.records import Website

RECORDS: tuple[type[Record], ...] = (
    Action,
    BundleManifest,
    Codebook,
    ConclusionRecord,
    InvestigationTask,
    JudgmentRecord,
    PlacedComponent,
    Prediction,
    Resolver,
    Restoration,
    RestorationTask,
    RunManifest,
    SampleGold,
    Scores,
    SeedRecord,
    StageManifest,
    StageSettings,
    Step,
    Stratum,
    Trace,
    TrajectoryEnd,
    Website,
    WebsiteLabel,
)


def failures_page() -> str:
    """Return the table of failures as Markdown."""
    lines = [
        "# Failures",
        "",
        "Every failure of a unit of work has one row in `core/failures.py`, from which this page",
        "is made. Only system failures are tried again, twice; after that the unit stays open and",
        "is tried again when its stage is resumed.",
        "",
        "| class | owner | stages | a conclusion follows | tried again | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for failure_class, rule in FAILURES.items():
        stages = ", ".join(stage.value for stage in rule.stages)
        follows = "yes" if rule.conclusion_follows else "no"
        again = "yes" if rule.retried else "no"
        cells = (failure_class.value, rule.owner.value, stages, follows, again, rule.text)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return every generated file of the documentation by its name below ``docs/``."""
    files = {"failures.md": failures_page()}
    for record in RECORDS:
        schema = json.dumps(record.model_json_schema(), ensure_ascii=False, indent=1)
        files[f"schemas/{record.__name__}.json"] = schema + "\n"
    return files


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("docs"))
    folder = parser.parse_args().folder
    for name, text in pages().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
