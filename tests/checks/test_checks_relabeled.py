"""Proofs on a bundle that people labeled: the design is not held against them."""

from __future__ import annotations

from dataclasses import replace

from riskchainbench.bundle import Bundle, open_gold
from riskchainbench.checks.bundle import website_findings
from riskchainbench.checks.proofs import DESIGN_PROOFS
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import LabelSource


def test_people_may_judge_otherwise_than_the_design(demo_bundle: Bundle) -> None:
    gold = open_gold(demo_bundle)
    labels = {
        case_id: label.but(decision=Decision.NON_VIOLATION, violation_type="NONE")
        for case_id, label in gold.labels.items()
    }
    designed = website_findings(demo_bundle, replace(gold, labels=labels))
    assert {finding.proof for finding in designed} <= DESIGN_PROOFS
    assert designed
    human = replace(gold, labels=labels, label_source=LabelSource.HUMAN)
    assert website_findings(demo_bundle, human) == []
