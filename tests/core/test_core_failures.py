"""Every failure has one row, and the rows agree with the protocol."""

from __future__ import annotations

from riskchainbench.core.failures import FAILURES, FailureClass, Owner
from riskchainbench.core.seeds import commitment, derive, stream


def test_every_failure_class_has_a_row() -> None:
    assert set(FAILURES) == set(FailureClass)


def test_only_system_failures_are_retried() -> None:
    assert all(rule.retried is (rule.owner is Owner.SYSTEM) for rule in FAILURES.values())


def test_no_conclusion_follows_a_system_failure() -> None:
    assert not any(r.conclusion_follows for r in FAILURES.values() if r.owner is Owner.SYSTEM)


def test_streams_are_apart_and_repeatable() -> None:
    assert stream(7, "a", 1).random() == stream(7, "a", 1).random()
    assert stream(7, "a", 1).random() != stream(7, "a", 2).random()
    assert stream(7, "ab").random() != stream(7, "a", "b").random()
    assert derive(7, "a") != derive(8, "a")


def test_a_commitment_hides_and_binds_the_seed() -> None:
    assert commitment(7, "salt") == commitment(7, "salt")
    assert commitment(7, "salt") != commitment(8, "salt")
    assert commitment(7, "salt") != commitment(7, "other")
