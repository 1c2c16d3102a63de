"""Work beside this process: its outcome, its faults, and a process that is ended from outside."""

from __future__ import annotations

import operator
import os

import pytest

from riskchainbench.core.errors import InputError, RiskChainError
from riskchainbench.pipeline.workers import Workers


def _refuse(name: str) -> None:
    raise InputError(f"{name}: refused")


@pytest.mark.parametrize("processes", [1, 2])
def test_outcomes_and_faults_come_back(processes: int) -> None:
    with Workers(processes) as workers:
        sums = [workers.start(operator.add, number, 1) for number in range(3)]
        assert [pending() for pending in sums] == [1, 2, 3]
        with pytest.raises(InputError, match="w1: refused"):
            workers.start(_refuse, "w1")()


def test_a_process_that_is_ended_is_told_in_one_line() -> None:
    with Workers(2) as workers:
        with pytest.raises(RiskChainError, match="ended from outside; free memory"):
            workers.start(os._exit, 9)()
        with pytest.raises(RiskChainError, match="ended from outside; free memory"):
            workers.start(operator.add, 1, 1)
