"""Fixtures of the annotation room."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotation_office import Office
from annotation_world import World

from riskchainbench.bundle import Bundle, freeze_bundle, open_bundle
from riskchainbench.core.codebook import default_codebook
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.sources import build_sources
from riskchainbench.websites.synthesis import build_pool


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riskchainbench.annotation.accounts._COST", 2)
    monkeypatch.setattr("riskchainbench.annotation.store.wait_for_disk", lambda _: None)


@pytest.fixture
def world(tmp_path: Path):
    worlds: list[World] = []

    def make(count: int = 1, **changes: object) -> World:
        worlds.append(World(tmp_path / f"project-{len(worlds)}", count, **changes))
        return worlds[-1]

    yield make
    for each in worlds:
        each.project.close()


@pytest.fixture(scope="session")
def six_bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A bundle of six websites."""
    codebook = default_codebook()
    sessions = build_sessions(2, build_sources(1, 6), PAPER_RECIPES)
    out = tmp_path_factory.mktemp("six") / "bundle"
    pool = build_pool(3, codebook, 2)
    freeze_bundle(out, sessions, pool, codebook, seed=4, preset="six", recipes="paper")
    return open_bundle(out)


@pytest.fixture
def office(world, six_bundle):
    made = Office(world, six_bundle)
    made.world.people("ann", "bob")
    made.project.plan()
    return made
