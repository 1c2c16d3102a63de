"""The suite passes or fails for what changed, not by chance."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.skipif("HYPOTHESIS_PROFILE" in os.environ, reason="another profile was asked for")
def test_property_tests_draw_the_same_examples_in_every_run() -> None:
    drawn: list[int] = []

    @given(st.integers())
    def draw(number: int) -> None:
        drawn.append(number)

    draw()
    first = drawn.copy()
    drawn.clear()
    draw()
    assert len(set(first)) > 10
    assert drawn == first
    assert settings().database is None
