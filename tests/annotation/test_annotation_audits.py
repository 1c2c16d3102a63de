"""The two audits: of evidence against a judge, and of designed labels."""

from __future__ import annotations

import re

import pytest
from annotation_world import N, V
from test_annotation_web import Office

from riskchainbench.annotation.evidence_audit import AuditItem, EvidenceAudit, evidence_report
from riskchainbench.annotation.label_audit import (
    audit_labels,
    draw_sample,
    freeze_audit,
    sample_size,
)
from riskchainbench.annotation.records import EvidenceRating
from riskchainbench.annotation.settings import RefusedError
from riskchainbench.annotation.simulate import Rates, judgment_of, simulate
from riskchainbench.bundle import open_bundle, open_gold, verify_bundle
from riskchainbench.core.conclusion import Conclusion, EvidenceReference, QuoteLocator
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import Ending, Viewport
from riskchainbench.core.store import jsonl_bytes
from riskchainbench.judging.read import JUDGMENTS, judging_stage
from riskchainbench.judging.records import (
    DIMENSIONS,
    DimensionScore,
    EvidencePackage,
    JudgeScores,
    JudgmentRecord,
    PackagedCitation,
    PackagedConclusion,
)
from riskchainbench.judging.rubric import default_rubric


def _package(rationale: str) -> EvidencePackage:
    conclusion = Conclusion(
        decision=Decision.NON_VIOLATION,
        violation_type="NONE",
        rationale=rationale,
        evidence=(EvidenceReference(step=0, locator=QuoteLocator(text="open on Sundays")),),
        confidence=0.8,
    )
    return EvidencePackage(
        viewport=Viewport(width=1280, height=720),
        observations=(),
        ledger=(),
        ending=Ending.STOP,
        conclusion=PackagedConclusion(
            decision=conclusion.decision,
            violation_type=conclusion.violation_type,
            rationale=conclusion.rationale,
            confidence=conclusion.confidence,
            citations=(
                PackagedCitation(step=0, kind="quote", resolved=True, content="open on Sundays"),
            ),
        ),
    )


def _audit(run, count=4) -> EvidenceAudit:
    items = []
    for number in range(count):
        package = _package(f"reason {number}")
        identity = sha256_text(package.to_json())
        items.append(AuditItem(f"item{number}", package, identity, run, f"case{number}"))
    return EvidenceAudit(items, 7)


def _rate(project, audit, item, person, score):
    project.rate_evidence(
        EvidenceRating(
            item=item,
            person=person,
            package_sha256=audit.item(item).package_sha256,
            scores=dict.fromkeys(DIMENSIONS, score),
            rubric_sha256=audit.rubric.sha256,
        )
    )


def test_people_and_judge_are_compared_by_hand(world, tmp_path):
    w = world(1)
    audit = _audit(tmp_path)
    judged = {"case0": 2, "case1": 4, "case2": 5}
    records = [
        JudgmentRecord(
            case_id=case_id,
            trajectory_sha256="a" * 64,
            conclusion_sha256="b" * 64,
            scores=JudgeScores(**{name: DimensionScore(score=score) for name in DIMENSIONS}),
        )
        for case_id, score in judged.items()
    ]
    judging_stage(tmp_path, "rules").freeze("judging", {JUDGMENTS: jsonl_bytes(records)}, units=3)
    people = {"item0": (1, 1), "item1": (3, 4), "item2": (5, 5), "item3": (2, 3)}
    for item, (first, second) in people.items():
        _rate(w.project, audit, item, "ann", first)
        _rate(w.project, audit, item, "bob", second)
    report = evidence_report(w.project, audit)
    found = report.dimensions[0]
    assert (report.items, report.ratings) == (4, 8)
    assert (found.people_items, found.judge_items) == (4, 3)
    # Squared distances 0, 1, 0, 1 of 4 pairs: observed 2/4. By chance the mean over all
    # (a, b) of {1,3,5,2} x {1,4,5,3}: (0+9+16+4 + 4+1+4+0 + 16+1+0+4 + 1+4+9+1) / 16 = 74/16.
    assert found.people_kappa == pytest.approx(1 - (2 / 4) / (74 / 16))
    # Differences 2 - 1, 4 - 3.5, 5 - 5.
    assert found.judge_bias == pytest.approx(0.5)
    assert found.people_alpha.alpha > 0.8
    assert sorted(p.difference for p in report.points if p.dimension == "faithfulness") == [
        0,
        0.5,
        1,
    ]


def test_an_item_is_rated_once_by_a_person_and_by_two_people_at_most(world, tmp_path):
    w = world(1)
    audit = _audit(tmp_path, 1)
    for person in ("ann", "bob"):
        item = audit.next_item(w.project, person)
        _rate(w.project, audit, item.item_id, person, 3)
    with pytest.raises(RefusedError):
        _rate(w.project, audit, "item0", "ann", 4)
    assert audit.next_item(w.project, "ann") is None
    assert audit.next_item(w.project, "cyd") is None


def test_the_page_shows_the_package_and_takes_four_scores(world, six_bundle, tmp_path):
    office = Office(world, six_bundle)
    office.world.people("ann", "bob")
    office.bench.audit = _audit(tmp_path, 2)
    _rate(office.project, office.bench.audit, "item0", "bob", 1)
    client = office.client("ann")
    page = client.get("/audit").text
    assert "reason 0" in page
    assert default_rubric().dimensions[0].question["en"] in page
    assert " checked>" not in page
    assert "case0" not in page
    missing = office.post(client, "/audit/item0", faithfulness="3")
    assert (missing.status_code, "four scores" in missing.text) == (409, True)
    done = office.post(client, "/audit/item0", **dict.fromkeys(DIMENSIONS, "4"))
    assert done.headers["location"] == "/audit"
    assert "reason 1" in client.get("/audit").text
    assert client.get("/audit/report").status_code == 403
    shown = office.client("cleo").get("/audit/report").text
    assert re.search(r"2 conclusions, 2 ratings", shown)


def test_sample_sizes_follow_the_precision_wanted():
    # z² p (1 - p) / w² = 3.8415 · 0.0475 / 0.0009 = 202.7; of 600 that is 151.7, so 152.
    assert sample_size(600, 0.03) == 152
    assert sample_size(600, 0.1) == 120
    assert sample_size(24, 0.03) == 24
    with pytest.raises(InputError):
        sample_size(600, 0)


def test_a_sample_holds_every_stratum(demo_bundle):
    gold = open_gold(demo_bundle)
    sample = draw_sample(gold, 16, 3)
    assert len(sample) >= 16
    assert sample == draw_sample(gold, 16, 3)
    assert {gold.labels[c].decision for c in sample} == {x.decision for x in gold.labels.values()}
    assert {gold.strata[c].language for c in sample} == {s.language for s in gold.strata.values()}


def test_designed_labels_get_a_measured_error(demo_bundle, world, tmp_path):
    gold = open_gold(demo_bundle)
    cases = tuple(demo_bundle.investigation_tasks)
    w = world(0, cases=cases, tasks_sha256=demo_bundle.tasks_sha256)
    w.people("ann", "bob")
    w.project.plan()
    wrong = {cases[0], cases[5], cases[9]}
    for name in ("ann", "bob"):
        while (slot := w.project.next_slot(name)) is not None:
            label = gold.labels[slot.case_id]
            said = (label.decision, label.violation_type)
            if slot.case_id in wrong:
                said = N if said[0] is Decision.VIOLATION else V
            w.project.submit(name, slot.slot_id, judgment_of(*said, demo_bundle.codebook))
    w.people("cyd", coordinator=None)
    while (slot := w.project.next_slot("cyd")) is not None:
        label = gold.labels[slot.case_id]
        said = (label.decision, label.violation_type)
        w.project.submit("cyd", slot.slot_id, judgment_of(*said, demo_bundle.codebook))
    audit = audit_labels(w.project, gold)
    assert audit.joint_error == pytest.approx(3 / 24)
    assert audit.low < 3 / 24 < audit.high
    assert sum(each.joint_error.count for each in audit.languages) == 3
    assert sum(each.joint_error.of for each in audit.decisions) == 24
    freeze_audit(w.project, demo_bundle, gold, tmp_path / "audited")
    copy = open_bundle(tmp_path / "audited")
    assert verify_bundle(copy).foreign == ()
    assert copy.tasks_sha256 == demo_bundle.tasks_sha256
    assert copy.manifest.label_audit == (
        "designed, audited by people on 24 of 24: 12.5 % error "
        f"(95 % interval {100 * audit.low:.1f} to {100 * audit.high:.1f} %)"
    )


def test_an_audit_by_simulated_annotators_says_so(demo_bundle, world):
    gold = open_gold(demo_bundle)
    cases = tuple(demo_bundle.investigation_tasks)
    w = world(0, cases=cases, tasks_sha256=demo_bundle.tasks_sha256, simulated=True)
    reference = {c: (x.decision, x.violation_type) for c, x in gold.labels.items()}
    with pytest.raises(InputError, match="24 of 24 sampled websites wait"):
        audit_labels(w.project, gold)
    simulate(w.project, reference, Rates())
    assert "by simulated annotators" in audit_labels(w.project, gold).claim()
