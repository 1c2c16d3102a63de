"""Fixtures of the annotation room."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotation_world import World


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riskchainbench.annotation.accounts._COST", 2)


@pytest.fixture
def world(tmp_path: Path):
    worlds: list[World] = []

    def make(count: int = 1, **changes: object) -> World:
        worlds.append(World(tmp_path / f"project-{len(worlds)}", count, **changes))
        return worlds[-1]

    yield make
    for each in worlds:
        each.project.close()
