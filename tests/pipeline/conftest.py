"""What the tests of the pipeline share."""

from pathlib import Path

import pytest
from frozen_runs import MakeRun, write_frozen_run
from stub_fixtures import stub

from riskchainbench.bundle import Bundle, Gold, open_gold

__all__ = ["gold", "make_run", "stub"]


@pytest.fixture(scope="session")
def gold(demo_bundle: Bundle) -> Gold:
    return open_gold(demo_bundle)


@pytest.fixture
def make_run(demo_bundle: Bundle, gold: Gold, tmp_path: Path) -> MakeRun:
    def make(name: str, **changes: object) -> Path:
        return write_frozen_run(tmp_path / name, demo_bundle, gold, **changes)  # type: ignore[arg-type]

    return make
