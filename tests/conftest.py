"""What every test shares."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the project."""
    return Path(__file__).parent.parent


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo bundle, built once; tests that change it take a copy."""
    folder = tmp_path_factory.mktemp("demo") / "bundle"
    build(folder, "demo", DEMO_SEED)
    return folder


@pytest.fixture(scope="session")
def demo_bundle(demo_folder: Path) -> Bundle:
    """The demo bundle, opened."""
    return open_bundle(demo_folder)


@pytest.fixture
def demo_copy(demo_folder: Path, tmp_path: Path) -> Path:
    """A copy of the demo bundle that a test may damage."""
    return shutil.copytree(demo_folder, tmp_path / "bundle")
