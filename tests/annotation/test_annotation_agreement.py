"""The agreement report: golden figures worked by hand, and undefined values with reasons."""

from __future__ import annotations

from statistics import fmean

import pytest
from annotation_world import V2, N, U, V

from riskchainbench.annotation.agreement import agreement_report
from riskchainbench.annotation.agreement_csv import confusion_csv, report_csv
from riskchainbench.annotation.records import HumanJudgment, Purpose
from riskchainbench.annotation.resolution import CaseFile, Said, path_counts, resolve
from riskchainbench.annotation.simulate import Rates, judged_like, rates_from, simulate
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.seeds import stream
from riskchainbench.statistics.agreement import ONE_CLASS


def _pairs(world, *pairs):
    w = world(len(pairs))
    w.people("ann", "bob")
    w.project.plan()
    votes = {f"w{number:03}": pair for number, pair in enumerate(pairs)}
    for place, name in enumerate(("ann", "bob")):
        while (slot := w.project.next_slot(name)) is not None:
            w.clock.now += 30 * (place + 1)
            w.project.submit(name, slot.slot_id, w.judged(votes[slot.case_id][place]))
    return w


def test_first_pass_agreement_worked_by_hand(world):
    w = _pairs(world, (V, V), (V, V2), (N, N), (V, N), (U, U))
    report = agreement_report(w.project)
    assert (report.decision.agreeing.count, report.decision.agreeing.of) == (4, 5)
    assert (report.joint.agreeing.count, report.joint.agreeing.of) == (3, 5)
    # Decisions: 10 ratings, V 5, N 3, U 2; observed 2/10,
    # expected (100 - 25 - 9 - 4) / (10 * 9) = 62/90; alpha = 1 - 0.2 / 0.6889 = 0.70968.
    assert report.decision.alpha.observed == pytest.approx(0.2)
    assert report.decision.alpha.expected == pytest.approx(62 / 90)
    assert report.decision.alpha.alpha == pytest.approx(1 - 0.2 * 90 / 62)
    # Joint: V 4, V2 1, N 3, U 2; observed 4/10, expected (100 - 16 - 1 - 9 - 4) / 90.
    assert report.joint.alpha.alpha == pytest.approx(1 - 0.4 * 90 / 70)
    assert report.joint.alpha.low < report.joint.alpha.alpha
    # Both unsure goes to review, so consensus is joint agreement less those.
    assert report.paths["pair_consensus"] == report.joint.agreeing.count - 1
    assert report.paths["needs_third"] == 3
    cells = {(c.first, c.second): c.count for c in report.confusion}
    assert cells[("GAMBLING_BETTING_PROMOTION", "PHISHING_CREDENTIAL_THEFT")] == 1
    assert sum(cells.values()) == 5
    assert {p.person: p.median_seconds for p in report.people} == {"ann": 30, "bob": 60}


def test_the_confusion_of_types_worked_by_hand(world):
    report = agreement_report(_pairs(world, (V, V), (V2, V), (V, V2), (N, V), (U, U)).project)
    at = {label: report.labels.index(label) for label in (V[1], V2[1], "NONE", "UNKNOWN")}
    matrix = report.matrix
    assert matrix[at[V[1]]][at[V[1]]] == 1
    assert matrix[at[V[1]]][at[V2[1]]] == matrix[at[V2[1]]][at[V[1]]] == 2
    assert matrix[at["NONE"]][at[V[1]]] == 1
    assert all(row[i] == matrix[i][j] for j, row in enumerate(matrix) for i in range(len(row)))
    upper = sum(matrix[i][j] for i in range(len(matrix)) for j in range(i, len(matrix)))
    assert upper == report.joint.agreeing.of == 5
    found = {each.label: each for each in report.types}
    # Gambling: one website by both, three by one of two: 2 of 5 judgments meet one another.
    assert (found[V[1]].both, found[V[1]].one) == (1, 3)
    assert (found[V[1]].agreeing.count, found[V[1]].agreeing.of) == (2, 5)
    assert found["UNKNOWN"].agreeing.share == 1
    assert found["MALWARE_SUSPICIOUS_DOWNLOAD"].agreeing.share is None
    lines = report_csv(report).splitlines()
    assert f"confusion,{V[1]},{V2[1]},2" in lines
    assert f"label,{V[1]},agreeing.of,5" in lines
    wide = [line.split(",") for line in confusion_csv(report).splitlines()]
    assert wide[0] == ["label", *report.labels]
    assert int(wide[1 + at[V2[1]]][1 + at[V[1]]]) == 2


def test_joint_alpha_may_pass_decision_alpha_with_less_agreement(world):
    pairs = [(V, V)] * 4 + [(V2, V2)] * 4 + [(V, V2)] + [(V, N)] * 2
    report = agreement_report(_pairs(world, *pairs).project)
    assert report.joint.agreeing.count < report.decision.agreeing.count
    assert report.joint.alpha.alpha > report.decision.alpha.alpha


def test_alpha_without_any_difference_says_why_it_is_undefined(world):
    report = agreement_report(_pairs(world, (V, V), (V, V)).project)
    assert report.decision.alpha.alpha is None
    assert report.decision.alpha.undefined == ONE_CLASS


def test_an_empty_project_reports_nothing_measured(world):
    report = agreement_report(world(3).project)
    assert report.decision.agreeing.share is None
    assert report.decision.alpha.undefined == "no unit was rated twice"
    assert report.median_seconds is None


def test_csv_holds_every_count(world):
    lines = report_csv(agreement_report(_pairs(world, (V, V), (V, N)).project)).splitlines()
    assert "first_pass,decision,agreeing.count,1" in lines
    assert "first_pass,decision,agreeing.of,2" in lines
    assert "path,pair_consensus,websites,1" in lines


def paper_mix(cases):
    """The paper's shares: 394 violations over six types, 181 none, 25 insufficient."""
    types = (
        "GAMBLING_BETTING_PROMOTION",
        "FRAUD_DECEPTIVE_INDUCEMENT",
        "PHISHING_CREDENTIAL_THEFT",
        "INVESTMENT_FINANCIAL_FRAUD",
        "IMPERSONATION_FAKE_SERVICE",
        "ADULT_CONTENT_OR_SEXUAL_SERVICE",
    )
    labels = [(Decision.VIOLATION, types[n % 6]) for n in range(394)] + [N] * 181 + [U] * 25
    return dict(zip(cases, labels, strict=True))


def test_simulated_votes_come_near_the_papers_paths():
    book = default_codebook()
    mix = paper_mix([f"w{number:03}" for number in range(600)]).items()
    drawn = [
        path_counts(resolve(_voted(case_id, label, book, seed)) for case_id, label in mix)
        for seed in range(5)
    ]
    for path, papers in (("pair_consensus", 460), ("third_majority", 120)):
        assert fmean(counts[path] for counts in drawn) == pytest.approx(papers, abs=12)
    assert fmean(counts["needs_coordinator"] for counts in drawn) == pytest.approx(20, abs=5)


def _voted(case_id, label, book, seed):
    """A website judged by three simulated people at the default rates."""
    draw = stream(seed, case_id)
    rates = Rates().on(case_id, seed)
    said = [
        Said(
            str(number),
            HumanJudgment(
                case_id=case_id,
                person=f"simulated-{number}",
                purpose=purpose,
                slot=number,
                judged=judged_like(label, book, rates, draw),
                seconds=1,
                codebook_sha256="c" * 64,
                simulated=True,
            ),
        )
        for number, purpose in enumerate((Purpose.INDEPENDENT, Purpose.INDEPENDENT, Purpose.THIRD))
    ]
    return CaseFile(case_id, independent=said[:2], originals=said[:2], third=said[2])


def test_a_simulated_project_is_filled_to_the_end_and_says_so(world):
    w = world(40, simulated=True, repeat_rate=0.1, repeat_gap=3)
    reference = dict(zip(w.project.settings.cases, [V, N, V2, U] * 10, strict=True))
    given = simulate(w.project, reference, Rates())
    report = agreement_report(w.project)
    assert report.simulated
    assert given == report.judgments
    ends = ("pair_consensus", "third_majority", "coordinator")
    assert sum(report.paths[name] for name in ends) == 40
    assert report.repeats.joint.of >= 5
    assert all(p.person.startswith("simulated-") for p in report.people)


def test_rates_are_named_and_lie_between_0_and_1():
    assert rates_from({"flip": "0.5", "hard": "0"}) == Rates(flip=0.5, hard=0)
    assert Rates(flip=0.3, hard=1).on("w1", 1).flip == 1
    for given, told in (({"flop": "1"}, "choose one of flip"), ({"flip": "2"}, "flip=2: must be")):
        with pytest.raises(InputError, match=told):
            rates_from(given)


def test_a_filled_project_is_not_filled_again(world):
    w = world(4, simulated=True)
    reference = dict.fromkeys(w.project.settings.cases, N)
    simulate(w.project, reference, Rates())
    with pytest.raises(InputError, match="is filled already"):
        simulate(w.project, reference, Rates())


def test_simulated_people_never_fill_a_project_for_people(world):
    w = world(2)
    with pytest.raises(InputError, match="own"):
        simulate(w.project, {}, Rates())
