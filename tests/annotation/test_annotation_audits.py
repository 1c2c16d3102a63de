"""The two audits: of evidence against a judge, and of designed labels."""

from __future__ import annotations

import re

import pytest
from annotation_office import Office
from annotation_world import N, V
from frozen_runs import write_frozen_run

from riskchainbench.annotation.evidence_audit import (
    AuditItem,
    EvidenceAudit,
    build_audit,
    evidence_report,
)
from riskchainbench.annotation.evidence_freeze import freeze_ratings
from riskchainbench.annotation.label_audit import (
    Survey,
    audit_labels,
    draw_sample,
    freeze_audit,
    sample_size,
)
from riskchainbench.annotation.records import EvidenceRating
from riskchainbench.annotation.settings import RefusedError
from riskchainbench.annotation.simulate import Rates, judgment_of, simulate
from riskchainbench.bundle import (
    audited_bundle,
    open_bundle,
    open_gold,
    relabel_bundle,
    verify_bundle,
)
from riskchainbench.core.conclusion import Conclusion, EvidenceReference, QuoteLocator
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import Ending, Viewport
from riskchainbench.core.label_audit import ErrorFigure, LabelAudit
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
from riskchainbench.pipeline.results import score_runs
from riskchainbench.reporting.more_tables import (
    distribution_table,
    judge_agreement_table,
    label_audit_table,
)
from riskchainbench.reporting.score_tables import (
    evidence_tables,
    failure_tables,
    family_tables,
    main_tables,
)
from riskchainbench.reporting.strings import translator
from riskchainbench.reporting.tables import to_markdown
from riskchainbench.scoring.records import WarningKey


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
    half = {"faithfulness": "3", "faithfulness.reason": "half a thought"}
    missing = office.post(client, "/audit/item0", **half)
    assert (missing.status_code, "four scores" in missing.text) == (409, True)
    assert "half a thought" in missing.text
    _rate(office.project, office.bench.audit, "item0", "zoe", 1)  # who takes the second place
    again = office.post(client, "/audit/item0", **half).text
    assert "reason 0" in again  # still what was asked about
    scores = dict.fromkeys(DIMENSIONS, "4")
    done = office.post(client, "/audit/item0", **{**half, **scores}, started="²")
    assert done.headers["location"] == "/audit"
    rating = office.project.lines()[-1].entry
    assert (rating.reasons, rating.seconds) == ({"faithfulness": "half a thought"}, 0)
    assert "reason 1" in client.get("/audit").text
    assert client.get("/audit/report").status_code == 403
    shown = office.client("cleo").get("/audit/report").text
    assert re.search(r"2 conclusions, 3 ratings", shown)


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
    assert {gold.labels[c].violation_type for c in sample} == {
        label.violation_type for label in gold.labels.values()
    }


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
    for groups in (audit.languages, audit.decisions, audit.types, audit.strata):
        assert sum(each.joint_errors for each in groups) == 3
        assert sum(each.audited for each in groups) == 24
        assert all(each.low <= each.error <= each.high for each in groups)
    freeze_audit(w.project, demo_bundle, gold, tmp_path / "audited")
    copy = open_bundle(tmp_path / "audited")
    assert verify_bundle(copy).foreign == ()
    assert copy.tasks_sha256 == demo_bundle.tasks_sha256
    assert copy.manifest.label_source is LabelSource.AUDITED
    assert {each.source for each in open_gold(copy).labels.values()} == {LabelSource.AUDITED}
    assert open_gold(copy).label_audit == audit
    with pytest.raises(InputError, match="at least 24 websites, this project has 5"):
        audit_labels(world(5, tasks_sha256=demo_bundle.tasks_sha256).project, gold)
    assert copy.manifest.label_audit == (
        "designed, audited by people on 24 of 24: 12.5 % error "
        f"(95 % interval {100 * audit.low:.1f} to {100 * audit.high:.1f} %)"
    )


def test_an_audit_by_simulated_annotators_says_so(demo_bundle, world, tmp_path):
    gold = open_gold(demo_bundle)
    cases = tuple(demo_bundle.investigation_tasks)
    w = world(0, cases=cases, tasks_sha256=demo_bundle.tasks_sha256, simulated=True)
    reference = {c: (x.decision, x.violation_type) for c, x in gold.labels.items()}
    with pytest.raises(InputError, match="24 of 24 sampled websites wait"):
        audit_labels(w.project, gold)
    simulate(w.project, reference, Rates())
    assert "by simulated annotators" in audit_labels(w.project, gold).claim()
    freeze_audit(w.project, demo_bundle, gold, tmp_path / "audited")
    manifest = open_bundle(tmp_path / "audited").manifest
    assert manifest.label_source is LabelSource.DESIGNED  # no person has looked at them
    assert "by simulated annotators" in manifest.label_audit


def test_estimates_weigh_strata_by_their_size_worked_by_hand():
    # Stratum a: 8 websites, 4 audited, 1 wrong. Stratum b: 2 websites, 2 audited, both wrong.
    cases = {f"a{n}": "a" for n in range(8)} | {f"b{n}": "b" for n in range(2)}
    outcomes = {f"a{n}": (n == 0, n == 0) for n in range(4)} | {
        f"b{n}": (False, True) for n in (0, 1)
    }
    survey = Survey(outcomes, cases)
    found = survey.figure("all", cases)
    # 0.8 · 1/4 + 0.2 · 2/2, where the plain share would be 3/6.
    assert found.error == pytest.approx(0.4)
    assert survey.share(cases, joint=False) == pytest.approx(0.2)
    # Variance 0.64 · (1 - 4/8) · (3/16) / 3 = 0.02, so n = 0.24 / 0.02 = 12.
    middle = (0.4 + 3.8415 / 24) / (1 + 3.8415 / 12)
    half = 1.96 * (0.24 / 12 + 3.8415 / 576) ** 0.5 / (1 + 3.8415 / 12)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-4)
    assert survey.figure("none", ["a7"]).error is None


def test_scores_say_whose_labels_they_used(demo_bundle, demo_folder, tmp_path):
    """One run, three golds: as designed, as people audited them, as people gave them."""
    gold = open_gold(demo_bundle)
    write_frozen_run(tmp_path / "run", demo_bundle, gold)
    assert score_runs(demo_folder, [tmp_path / "run"]).scores.header.label_audit is None
    figure = ErrorFigure(
        name="VIOLATION", websites=8, audited=8, decision_errors=1, joint_errors=1,
        error=0.125, low=0.02, high=0.47,
    )  # fmt: skip
    audit = LabelAudit(
        simulated=False, websites=24, audited=24, decision_error=0.04, joint_error=0.04,
        low=0.01, high=0.2, decisions=(figure,),
    )  # fmt: skip
    audited_bundle(demo_bundle, tmp_path / "audited", audit)
    scores = score_runs(tmp_path / "audited", [tmp_path / "run"]).scores
    assert [each.key for each in scores.header.label_sources] == ["designed, audited"]
    assert scores.header.label_audit == audit
    assert WarningKey.UNAUDITED_LABELS not in {each.key for each in scores.warnings}
    table = label_audit_table(scores)
    assert "12.5 1/8 [2.0, 47.0]" in to_markdown(table, translator("en"))
    assert scores.without_units().header.label_audit.decisions == ()

    flipped = [
        label.but(decision=N[0], violation_type=N[1], source=LabelSource.HUMAN)
        for label in gold.labels.values()
    ]
    relabel_bundle(
        open_bundle(tmp_path / "audited"), tmp_path / "given", flipped, (), LabelSource.HUMAN
    )
    given = score_runs(tmp_path / "given", [tmp_path / "run"]).scores
    assert [(e.key, e.count.numerator) for e in given.header.label_sources] == [("human", 24)]
    assert given.header.label_audit is None
    assert not (tmp_path / "given/evaluator_only/label_audit.json").exists()
    assert given.header.tasks_sha256 == scores.header.tasks_sha256
    assert given.header.gold_sha256 != scores.header.gold_sha256
    assert given.systems[0].metric("web_only.accuracy").value == 0


def test_ratings_of_people_stand_beside_the_judges_scores(
    world, demo_bundle, demo_folder, tmp_path
):
    """Frozen into the run, they give people's means and every agreement in scores and report."""
    run = tmp_path / "run"
    write_frozen_run(run, demo_bundle, open_gold(demo_bundle), judges={"rules": 4})
    w = world(
        0, cases=tuple(demo_bundle.investigation_tasks), tasks_sha256=demo_bundle.tasks_sha256
    )
    audit = build_audit(demo_bundle, [run], 3, size=6)
    with pytest.raises(InputError, match="nobody has rated"):
        freeze_ratings(w.project, audit)
    for number, item in enumerate(sorted(audit.items)):
        _rate(w.project, audit, item, "ann", 4 + number % 2)
        if number < 5:
            _rate(w.project, audit, item, "bob", 4 + number // 3)
    assert freeze_ratings(w.project, audit) == {run: (6, 5)}
    with pytest.raises(InputError, match="holds people's ratings already"):
        freeze_ratings(w.project, audit)
    scores = score_runs(demo_folder, [run]).scores
    judges = {each.judge: each for each in scores.systems[0].judges}
    assert judges["people, first rating"].coverage.numerator == 6
    pairs = {
        (a.first, a.second): a for a in scores.judge_agreement if a.dimension == "faithfulness"
    }
    both = pairs["people, first rating", "people, second rating"]
    # (4,4) (5,4) (4,4) (5,5) (4,5): squared distances sum to 2 of 5; by chance, with 5s 2 and 2
    # of 5, 2 · (2/5)(3/5) = 12/25.
    assert (both.units, both.quadratic_kappa) == (5, pytest.approx(1 - (2 / 5) / (12 / 25)))
    assert pairs["people, first rating", "rules"].units == 6
    table = to_markdown(judge_agreement_table(scores), translator("en"))
    assert "people, first rating / people, second rating" in table
    assert "no ceiling" in table


def test_people_who_answer_as_systems_stand_with_their_spread(demo_bundle, demo_folder, tmp_path):
    gold = open_gold(demo_bundle)
    for name, decision in (("ann", Decision.VIOLATION), ("bob", Decision.NON_VIOLATION)):
        write_frozen_run(
            tmp_path / name,
            demo_bundle,
            gold,
            system=f"human:{name}",
            decide=lambda _, d=decision: d,
        )
    write_frozen_run(tmp_path / "model", demo_bundle, gold)
    runs = [tmp_path / name for name in ("ann", "bob", "model")]
    scores = score_runs(demo_folder, runs).scores
    spread = next(each for each in scores.people if each.metric_id == "web_only.accuracy")
    values = [row.metric("web_only.accuracy").value for row in scores.systems[:2]]
    assert [row.kind for row in scores.systems] == ["person", "person", "model"]
    assert (spread.people, spread.low, spread.high) == (2, min(values), max(values))
    assert spread.mean == pytest.approx(sum(values) / 2)
    for table in main_tables(scores):
        assert "no ceiling" in to_markdown(table, translator("en"))
    everything = (*main_tables(scores), *family_tables(scores), *failure_tables(scores))
    for table in (*everything, *evidence_tables(scores), *distribution_table(scores)):
        text = to_markdown(table, translator("en"))
        assert "human × 2 (people: mean, from the lowest to the highest)" in text
    alone = score_runs(demo_folder, runs[1:]).scores
    text = to_markdown(main_tables(alone)[0], translator("en"))
    assert "human × 1 (one person: no spread between people)" in text
