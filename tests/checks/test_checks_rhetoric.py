"""Rhetoric and decision are independent, and the audit would notice if they were not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riskchainbench.bundle import Bundle, open_gold
from riskchainbench.checks.rhetoric import audit_rhetoric, check_rhetoric
from riskchainbench.core.errors import InputError


def test_the_demo_pairs_rhetoric_by_chance(demo_bundle: Bundle) -> None:
    found = audit_rhetoric(open_gold(demo_bundle))
    assert [each.attribute for each in found] == ["theme", "intent", "platform"]
    assert all(each.websites == 24 and each.p > 0.001 for each in found)


def test_a_theme_that_follows_the_decision_is_caught(demo_bundle: Bundle) -> None:
    gold = open_gold(demo_bundle)
    planted = {
        sample_id: sample.but(theme=gold.labels[sample.case_id].decision.value)
        for sample_id, sample in gold.samples.items()
    }
    with pytest.raises(InputError, match="theme tells of the decision"):
        check_rhetoric(replace(gold, samples=planted))
