"""Runs over the demo bundle in a real browser, made once for all tests of the chain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from riskchainbench.pipeline.evaluate import run_stages
from riskchainbench.pipeline.stages import Options

SYSTEMS = ("always-violation", "always-non-violation", "always-insufficient", "oracle")


@contextmanager
def silent(_: str, note: object = None) -> Iterator[object]:
    """Show no progress."""
    yield lambda done, total: None


@pytest.fixture(scope="session")
def demo_runs(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Complete runs of the constant systems and the oracle, by system."""
    folder = tmp_path_factory.mktemp("runs")
    runs = {name: folder / name for name in SYSTEMS}
    for name, run in runs.items():
        run_stages(demo_folder, run, name, Options(workers=2), silent)  # type: ignore[arg-type]
    return runs
