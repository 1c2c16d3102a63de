"""Task 2: what became of each website, and the tallies of both views (sections 3.3 and 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riskchainbench.core.codebook import Codebook, Role
from riskchainbench.core.conclusion import Conclusion, ConclusionRecord
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, Owner
from riskchainbench.core.gold import PlacedComponent, WebsiteLabel
from riskchainbench.core.investigation import Trajectory
from riskchainbench.scoring.attribution import (
    PROTOCOL_VIOLATIONS,
    decisive_failure,
    first_failure,
)
from riskchainbench.scoring.evidence import Marks, PageOf, evidence_outcome, mark, no_pages
from riskchainbench.scoring.frame import DECISIONS, Frame
from riskchainbench.scoring.outcomes import CaseOutcome
from riskchainbench.scoring.records import Confusion, Family
from riskchainbench.scoring.tally import (
    Integers,
    Level,
    Part,
    Tally,
    decision_masks,
    gold_not_violation,
    macro_f1,
    precision_at,
    rate,
)
from riskchainbench.scoring.trajectories import TrajectoryFacts, facts

NO_DECISION = "NO_DECISION"
"""How ⊥ is written as a key."""


@dataclass(frozen=True)
class CaseScore:
    """A website's outcome with what only sums need."""

    outcome: CaseOutcome
    recorded: bool
    failure: Failure | None
    marks: Marks
    facts: TrajectoryFacts


def score_case(
    label: WebsiteLabel,
    components: tuple[PlacedComponent, ...],
    codebook: Codebook,
    trajectory: Trajectory | None,
    record: ConclusionRecord | None,
    *,
    gate: bool | None = None,
    page_of: PageOf = no_pages,
) -> CaseScore:
    """Compare one frozen conclusion with its label.

    Raises:
        InputError: the conclusion's type is not in the codebook.
    """
    conclusion = _valid_conclusion(trajectory, record)
    if conclusion is not None and not codebook.fits(conclusion.decision, conclusion.violation_type):
        raise InputError(
            f"conclusion of case {label.case_id}: the codebook {codebook.codebook_id} knows no "
            f"type {conclusion.violation_type}; conclude again under this bundle's codebook"
        )
    decided = conclusion is not None and conclusion.decision is label.decision
    typed = conclusion is not None and conclusion.violation_type == label.violation_type
    marks = mark(components, label, codebook, trajectory, conclusion, page_of)
    failure = decisive_failure(trajectory, record)
    cost = facts(trajectory, record)
    outcome = CaseOutcome(
        case_id=label.case_id,
        gold_decision=label.decision,
        gold_type=label.violation_type,
        decision=conclusion.decision if conclusion is not None else None,
        violation_type=conclusion.violation_type if conclusion is not None else None,
        confidence=conclusion.confidence if conclusion is not None else None,
        decision_correct=decided,
        exact=decided and typed,
        gate=gate,
        first_failure=first_failure(
            trajectory, record, decision_correct=decided, type_correct=typed
        ),
        failure=failure.failure_class if failure is not None else None,
        ending=trajectory.end.ending if trajectory is not None else None,
        evidence=evidence_outcome(marks, decision_correct=decided),
        components=len(components),
        exposed=len(marks.exposed),
        cited=len(marks.cited),
        steps=cost.steps,
    )
    return CaseScore(outcome, record is not None, failure, marks, cost)


def _valid_conclusion(
    trajectory: Trajectory | None, record: ConclusionRecord | None
) -> Conclusion | None:
    if trajectory is None or not trajectory.concludable or record is None:
        return None
    return record.conclusion


@dataclass(frozen=True, eq=False)
class View:
    """The decisions and types of one view, as masks over cases; ⊥ is in no mask."""

    family: Family
    decided: dict[Decision, Integers]
    right: Integers
    exact: Integers
    types: tuple[str | None, ...]


def make_view(outcomes: Sequence[CaseOutcome], family: Family) -> View:
    """Return the web-only view, or the gated one, in which a closed gate gives ⊥ (equation 5)."""
    gated = family is Family.GATED
    kept = [not gated or outcome.gate is True for outcome in outcomes]
    decisions = [o.decision if keep else None for o, keep in zip(outcomes, kept, strict=True)]
    return View(
        family,
        decision_masks(decisions),
        np.array([o.decision_correct and k for o, k in zip(outcomes, kept, strict=True)], np.int64),
        np.array([o.exact and k for o, k in zip(outcomes, kept, strict=True)], np.int64),
        tuple(o.violation_type if k else None for o, k in zip(outcomes, kept, strict=True)),
    )


def view_tallies(frame: Frame, view: View, prevalence: float | None = None) -> list[Tally]:
    """Return the tallies of one view, in the order of the catalogue."""
    family, ones, gold, decided = view.family, frame.case_ones, frame.gold, view.decided
    violation = Decision.VIOLATION
    judged = sum(decided.values(), np.zeros_like(ones))
    binary = ones - gold[Decision.INSUFFICIENT_EVIDENCE]

    def case_rate(name: str, hits: Integers, of: Integers, reason: str) -> Tally:
        return rate(f"{family}.{name}", Level.CASE, hits, of, reason)

    tallies = [
        case_rate("accuracy", view.right, ones, "no website was scored"),
        macro_f1(
            f"{family}.macro_f1",
            tuple(DECISIONS),
            [decided[d] * gold[d] for d in DECISIONS],
            [decided[d] for d in DECISIONS],
            [gold[d] for d in DECISIONS],
        ),
        _type_macro_f1(frame, view),
        case_rate("exact_match", view.exact, ones, "no website was scored"),
        case_rate(
            "binary_accuracy",
            view.right * binary,
            binary,
            "no website has gold VIOLATION or NON_VIOLATION",
        ),
    ]
    tallies += [
        case_rate(
            f"recall_{decision.lower()}",
            decided[decision] * gold[decision],
            gold[decision],
            f"no website has gold {decision}",
        )
        for decision in DECISIONS
    ]
    not_violation = gold_not_violation(frame)
    hard = hard_negatives(frame)
    tallies += [
        case_rate("coverage", judged, ones, "no website was scored"),
        case_rate("accuracy_decided", view.right, judged, "no website has a decision"),
        case_rate(
            "precision_violation",
            decided[violation] * gold[violation],
            decided[violation],
            "VIOLATION was never decided",
        ),
        case_rate(
            "false_positives",
            decided[violation] * hard,
            hard,
            "no website is a hard negative",
        ),
        *_set_tallies(frame, view),
    ]
    if prevalence is not None:
        rates = (
            Part("true_positive_rate", decided[violation] * gold[violation], gold[violation]),
            Part("false_positive_rate", decided[violation] * not_violation, not_violation),
        )
        tallies.append(
            Tally(
                f"{family}.precision_at_prevalence",
                Level.CASE,
                rates,
                "VIOLATION was never decided, or a class has no gold",
                precision_at(prevalence),
            )
        )
    return tallies


def hard_negatives(frame: Frame) -> Integers:
    """Return 1 for gold non-violations that show a component of a violation, complete or quoted."""
    return np.array(
        [
            label.decision is Decision.NON_VIOLATION
            and any(component.role is Role.VIOLATION for component in components)
            for label, components in zip(frame.labels, frame.components, strict=True)
        ],
        dtype=np.int64,
    )


def _type_macro_f1(frame: Frame, view: View) -> Tally:
    """Type F1 on gold violations, over the supported types; a type counts only beside V."""
    violation = frame.gold[Decision.VIOLATION]
    beside = view.decided[Decision.VIOLATION] * violation
    predicted = [beside * _equal(view.types, kind) for kind in frame.supported_types]
    gold = [_equal([x.violation_type for x in frame.labels], t) for t in frame.supported_types]
    hits = [p * g for p, g in zip(predicted, gold, strict=True)]
    return macro_f1(f"{view.family}.type_macro_f1", frame.supported_types, hits, predicted, gold)


def _equal(values: Sequence[str | None], wanted: str) -> Integers:
    return np.array([value == wanted for value in values], dtype=np.int64)


def _set_tallies(frame: Frame, view: View) -> list[Tally]:
    """Set consistency and pair accuracy, over the contrast sets that are whole.

    A set is consistent when every member is right; a pair is a gold V and a gold N of one set.
    """
    right = view.right.tolist()
    whole: list[int] = []
    consistent: list[int] = []
    pairs: list[int] = []
    right_pairs: list[int] = []
    for members in frame.whole_sets:
        by_gold = {
            d: [case for case in members if frame.labels[case].decision is d] for d in DECISIONS
        }
        bad, good = by_gold[Decision.VIOLATION], by_gold[Decision.NON_VIOLATION]
        whole.append(int(bool(members)))
        consistent.append(int(bool(members) and all(right[case] for case in members)))
        pairs.append(len(bad) * len(good))
        right_pairs.append(sum(right[case] for case in bad) * sum(right[case] for case in good))
    family = view.family

    def per_set(name: str, hits: list[int], of: list[int], reason: str) -> Tally:
        arrays = np.array(hits, dtype=np.int64), np.array(of, dtype=np.int64)
        return rate(f"{family}.{name}", Level.SET, *arrays, reason)

    return [
        per_set("set_consistency", consistent, whole, "no contrast set is whole"),
        per_set(
            "pair_accuracy", right_pairs, pairs, "no set has both a violation and a non-violation"
        ),
    ]


def protocol_tallies(frame: Frame, scores: Sequence[CaseScore]) -> list[Tally]:
    """Return protocol validity and the failures of system and environment, web-only.

    A case without any record was kept from one by the harness, so it is a system failure.
    """
    ones = frame.case_ones
    failures = [score.failure for score in scores]
    refused = [f is not None and f.failure_class in PROTOCOL_VIOLATIONS for f in failures]
    system = [
        not s.recorded or (f is not None and f.rule.owner is Owner.SYSTEM)
        for f, s in zip(failures, scores, strict=True)
    ]
    environment = [f is not None and f.rule.owner is Owner.ENVIRONMENT for f in failures]
    valid = ones - np.array(refused, dtype=np.int64)
    return [
        rate("web_only.protocol_validity", Level.CASE, valid, ones),
        rate("web_only.system_failures", Level.CASE, np.array(system, np.int64), ones),
        rate("web_only.environment_failures", Level.CASE, np.array(environment, np.int64), ones),
    ]


def confusion(frame: Frame, view: View) -> Confusion:
    """Return the three-class confusion matrix, with a last column for ⊥."""
    rows = []
    for gold in DECISIONS:
        counts = [int((frame.gold[gold] * view.decided[d]).sum()) for d in DECISIONS]
        rows.append((*counts, int(frame.gold[gold].sum()) - sum(counts)))
    return Confusion(
        family=Family.GATED if view.family is Family.GATED else Family.WEB_ONLY,
        gold=DECISIONS,
        predicted=(*DECISIONS, NO_DECISION),
        counts=tuple(rows),
    )
