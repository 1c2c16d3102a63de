"""What every test shares."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.pipeline.build import build

DEMO_SEED = 7

# Neither clock nor chance nor an earlier run decides whether the suite passes. New examples are
# drawn by `make fuzz`, which chooses the profile `fresh`.
settings.register_profile(
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "fresh",
    settings.get_profile("default"),
    derandomize=False,
    max_examples=500,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


class ByFile(LoadScopeScheduling):
    """Give files to workers whole, and all that drive a browser to one worker.

    What a file makes for its tests is then made once, and no two browsers compete: a page that
    has to be killed in time is killed in time on two cores.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        text = (self.config.rootpath / file).read_text(encoding="utf-8")
        return "browser" if "pytest.mark.browser" in text else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    """Deal out tests as this suite bears it, whatever `--dist` says."""
    return ByFile(config, log)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Fill a folder that all workers of a run share; the first one to ask makes it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def once(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                make(folder)
                done.touch()
        return folder

    return once


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the project."""
    return Path(__file__).parent.parent


@pytest.fixture(scope="session")
def demo_folder(made_once: Callable[..., Path]) -> Path:
    """A demo bundle, built once; tests that change it take a copy."""
    return made_once("demo", lambda folder: build(folder, "demo", DEMO_SEED))


@pytest.fixture(scope="session")
def demo_bundle(demo_folder: Path) -> Bundle:
    """The demo bundle, opened."""
    return open_bundle(demo_folder)


@pytest.fixture
def demo_copy(demo_folder: Path, tmp_path: Path) -> Path:
    """A copy of the demo bundle that a test may damage."""
    return shutil.copytree(demo_folder, tmp_path / "bundle")
