"""Times the HTML report: ten systems on 600 websites, with the cited screenshots.

    python benchmarks/report.py

Prints how long writing takes in both languages, and what is written.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "reporting"))

from reporting_world import World, make_world, score_world

from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report

SITES, SYSTEMS = 600, 10


def ten_systems(world: World) -> None:
    """Put each run of the world under further names until there are ten, and score them."""
    made = list(world.runs)
    world.runs.clear()
    for number in range(SYSTEMS):
        run = made[number % len(made)]
        name = run.data.system if number < len(made) else f"{run.data.system}-{number}"
        world.runs.append(ReportRun(replace(run.data, system=name), run.images))
    world.scores = score_world(world)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = make_world(Path(folder) / "runs", SITES)
        ten_systems(world)
        assert world.scores is not None
        for choice in ("none", "cited", "cited"):
            out = Path(folder) / "report"
            start = time.process_time(), time.perf_counter()
            write_report(world, world, world.runs, world.scores, out, images=choice)
            cpu, wall = time.process_time() - start[0], time.perf_counter() - start[1]
            files = [path for path in out.rglob("*") if path.is_file()]
            size = sum(path.stat().st_size for path in files) / 2**20
            print(
                f"report, images {choice}: {wall:.2f} s wall, {cpu:.2f} s cpu, "
                f"{len(files):,} files, {size:.0f} MiB",
                flush=True,
            )


if __name__ == "__main__":
    main()
