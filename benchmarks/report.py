"""Times the HTML report: ten systems on 600 websites, written and opened.

    python benchmarks/report.py

Prints how long writing takes in both languages, what is written, and how long a browser takes
until the page is loaded and until one case is shown.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "reporting"))

from playwright.sync_api import sync_playwright
from reporting_world import World, make_world, score_world

from riskchainbench.browser.discovery import find_browser
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


def opened(page_path: Path, case_id: str) -> tuple[float, float]:
    """Return the seconds until the page is loaded and until a case stands in it."""
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=str(find_browser().path), args=["--no-sandbox"]
        )
        page = browser.new_page()
        start = time.perf_counter()
        page.goto(f"file://{page_path}#case={case_id}&system=careful")
        loaded = time.perf_counter() - start
        page.wait_for_selector(".detail .card")
        shown = time.perf_counter() - start
        browser.close()
    return loaded, shown


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
        for _ in range(3):
            loaded, shown = opened(out / "index.html", next(iter(world.investigation_tasks)))
            print(f"opened: loaded in {loaded:.2f} s, a case shown in {shown:.2f} s", flush=True)


if __name__ == "__main__":
    main()
