"""The invented benchmark of this room's tests, made once."""

from __future__ import annotations

import pytest
from reporting_world import World, make_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Twelve websites, four systems, two variants each."""
    return make_world(tmp_path_factory.mktemp("runs"))
