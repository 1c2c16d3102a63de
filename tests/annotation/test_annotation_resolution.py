"""Every path by which a website gets its label, and what keeps it open."""

from __future__ import annotations

import pytest
from annotation_world import V2, N, U, V

from riskchainbench.annotation.records import ReportReason
from riskchainbench.annotation.resolution import path_counts
from riskchainbench.annotation.settings import RefusedError


@pytest.mark.parametrize(
    ("votes", "path", "label"),
    [
        ((V, V), "pair_consensus", V),
        ((N, N), "pair_consensus", N),
        ((V, N), "needs_third", None),
        ((V, V2), "needs_third", None),
        ((U, U), "needs_third", None),  # both unsure still goes to review
        ((U, V), "needs_third", None),
        ((V, N, V), "third_majority", V),
        ((V, V2, V2), "third_majority", V2),
        ((U, U, V), "third_majority", U),
        ((U, U, U), "third_majority", U),
        ((V, V2, N), "needs_coordinator", None),  # majority is joint, not over decisions
        ((V, N, U), "needs_coordinator", None),
    ],
)
def test_votes_lead_to_a_path(world, votes, path, label):
    w = world(1)
    w.people("ann", "bob", "cyd")
    w.project.plan()
    for vote in votes:
        person = next(p for p in ("ann", "bob", "cyd") if w.project.progress(p).waiting)
        w.judge(person, vote)
    resolution = w.project.standing().resolutions["w000"]
    assert resolution.path == path
    assert (resolution.decision, resolution.violation_type) == (label or (None, None))


def test_coordinator_decides_with_a_reason(world):
    w = world(1)
    w.people("ann", "bob", "cyd")
    w.project.plan()
    for vote in (V, N, U):
        person = next(p for p in ("ann", "bob", "cyd") if w.project.progress(p).waiting)
        w.judge(person, vote)
    with pytest.raises(RefusedError, match="reason"):
        w.project.adjudicate("cleo", "w000", *V, reason=" ")
    with pytest.raises(RefusedError, match="coordinator"):
        w.project.adjudicate("ann", "w000", *V, reason="because")
    w.project.adjudicate("cleo", "w000", *V, reason="the odds are offered outright")
    assert w.path("w000") == "coordinator"
    with pytest.raises(RefusedError, match="waits for no"):
        w.project.adjudicate("cleo", "w000", *N, reason="again")


def test_coordinator_cannot_overrule_a_consensus(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.judge("ann", V)
    w.judge("bob", V)
    with pytest.raises(RefusedError, match="waits for no"):
        w.project.adjudicate("cleo", "w000", *N, reason="I differ")


def test_a_correction_stays_beside_what_it_corrects(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    slot = w.project.next_slot("ann")
    w.project.submit("ann", slot.slot_id, w.judged(N))
    w.judge("bob", V)
    assert w.path("w000") == "needs_third"
    w.project.correct("ann", slot.slot_id, w.judged(V))
    assert w.path("w000") == "pair_consensus"
    assert w.project.progress("cyd").waiting == 0  # the third that nobody had begun is gone
    file = w.project.standing().files["w000"]
    assert [s.judgment.judged.joint[0] for s in file.originals] == ["NON_VIOLATION", "VIOLATION"]
    assert file.corrections == 1


def test_no_correction_once_a_third_has_begun(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    slot = w.project.next_slot("ann")
    w.project.submit("ann", slot.slot_id, w.judged(N))
    w.judge("bob", V)
    w.project.next_slot("cyd")
    with pytest.raises(RefusedError, match="moved on"):
        w.project.correct("ann", slot.slot_id, w.judged(V))


def test_a_reported_site_is_shown_to_nobody_and_waits_for_the_coordinator(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    slot = w.project.next_slot("ann")
    w.project.report_site("ann", slot.slot_id, ReportReason.DISTRESSING)
    assert w.path("w000") == "needs_coordinator"
    assert [w.project.next_slot(p) for p in ("ann", "bob", "cyd")] == [None, None, None]
    w.project.adjudicate("cleo", "w000", *U, reason="left unseen")
    assert w.path("w000") == "coordinator"


def test_paths_add_up(world):
    w = world(4)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    w.judge("ann", V)
    counts = path_counts(w.project.standing().resolutions.values())
    assert sum(counts.values()) == 4
