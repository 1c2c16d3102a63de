"""The audit of designed labels: a stratified blind sample, and the error it shows.

Two people and the usual paths label a sample of the websites; what they resolve is set
against the designed label. The estimate weighs each stratum by its share of the bundle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from riskchainbench.annotation.project import Project
from riskchainbench.bundle import Bundle, Gold, audited_bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.label_audit import ErrorFigure, LabelAudit
from riskchainbench.core.seeds import stream

MINIMUM = 120
_Z = 1.959963984540054


def sample_size(websites: int, half_width: float, expected_error: float = 0.05) -> int:
    """Return how many websites a 95 % interval of that half width needs, at least `MINIMUM`.

    The normal approximation with the correction for a finite population; never more than
    there are. Source: Cochran, *Sampling Techniques* (1977), section 4.4.
    """
    if not 0 < half_width < 1:
        raise InputError(f"half width {half_width}: must lie between 0 and 1")
    spread = expected_error * (1 - expected_error)
    wanted = _Z**2 * spread / half_width**2
    corrected = wanted / (1 + (wanted - 1) / websites)
    return min(websites, max(MINIMUM, math.ceil(corrected)))


def stratum_of(gold: Gold, case_id: str) -> str:
    """Return the stratum of a website: its designed decision and type, and its language."""
    label = gold.labels[case_id]
    return f"{label.decision.value}/{label.violation_type}/{gold.strata[case_id].language}"


def draw_sample(gold: Gold, size: int, seed: int) -> tuple[str, ...]:
    """Draw `size` websites, each stratum in proportion and with at least one, sorted.

    Remainders go to the strata with the largest fractions.
    """
    strata: dict[str, list[str]] = {}
    for case_id in sorted(gold.labels):
        strata.setdefault(stratum_of(gold, case_id), []).append(case_id)
    shares = _shares({name: len(cases) for name, cases in strata.items()}, size)
    chosen: list[str] = []
    for name, cases in sorted(strata.items()):
        order = list(cases)
        stream(seed, "label-audit", name).shuffle(order)
        chosen += order[: shares[name]]
    return tuple(sorted(chosen))


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    total = sum(sizes.values())
    wanted = min(wanted, total)
    exact = {name: wanted * size / total for name, size in sizes.items()}
    shares = {name: min(sizes[name], max(1, int(value))) for name, value in exact.items()}
    order = sorted(sizes, key=lambda name: (int(exact[name]) - exact[name], name))
    while sum(shares.values()) < wanted:
        for name in order:
            if sum(shares.values()) < wanted and shares[name] < sizes[name]:
                shares[name] += 1
    return shares


def audit_labels(project: Project, gold: Gold) -> LabelAudit:
    """Measure the designed labels against what people resolved on the sample.

    Estimates weigh each stratum's error by its share of the bundle, or of the group that they
    are for; intervals are Wilson's at the effective sample size of the estimate.

    Raises:
        InputError: a website of the sample is not resolved yet, or the sample is too small.
    """
    resolved = project.standing().resolutions
    wanted = min(MINIMUM, len(gold.labels))
    if len(resolved) < wanted:
        raise InputError(
            f"{project.folder}: an audit needs at least {wanted} websites, this project has "
            f"{len(resolved)}; begin one with riskchain annotate … --label-audit"
        )
    waiting = [case for case, found in resolved.items() if not found.resolved]
    if waiting:
        raise InputError(
            f"{project.folder}: {len(waiting)} of {len(resolved)} sampled websites wait for labels"
        )
    outcomes: dict[str, tuple[bool, bool]] = {}
    for case_id, found in resolved.items():
        label = gold.labels[case_id]
        decided = found.decision is not label.decision
        outcomes[case_id] = (decided, decided or found.violation_type != label.violation_type)
    strata = {case_id: stratum_of(gold, case_id) for case_id in sorted(gold.labels)}
    survey = Survey(outcomes, strata)
    labels, languages = gold.labels, gold.strata
    whole = survey.figure("all", strata)
    assert whole.error is not None
    assert whole.low is not None
    assert whole.high is not None
    return LabelAudit(
        simulated=project.settings.simulated,
        websites=len(strata),
        audited=len(outcomes),
        decision_error=survey.share(strata, joint=False),
        joint_error=whole.error,
        low=whole.low,
        high=whole.high,
        strata=survey.grouped(strata),
        decisions=survey.grouped({case: labels[case].decision.value for case in strata}),
        types=survey.grouped({case: labels[case].violation_type for case in strata}),
        languages=survey.grouped({case: languages[case].language for case in strata}),
    )


def freeze_audit(project: Project, bundle: Bundle, gold: Gold, out: Path) -> LabelAudit:
    """Write a copy of `bundle` that says what the audit found, and return it.

    Raises:
        InputError: a website of the sample is not resolved, or `out` exists.
        IntegrityError: an entry of the ledger or a file of the bundle was changed.
    """
    project.store.verify()
    audit = audit_labels(project, gold)
    audited_bundle(bundle, out, audit)
    return audit


@dataclass(frozen=True)
class _Cell:
    """One stratum within a group: all its websites, those audited, and the errors found."""

    websites: int
    audited: int
    errors: int


@dataclass(frozen=True)
class Survey:
    """A stratified sample: whether decision, or decision or type, were wrong, by audited case.

    Source of the estimators: Cochran, *Sampling Techniques* (1977), sections 5.3 and 5A.12.
    """

    outcomes: Mapping[str, tuple[bool, bool]]
    strata: Mapping[str, str]

    def grouped(self, group: Mapping[str, str]) -> tuple[ErrorFigure, ...]:
        """Return the figures of every group; `group` names it by case."""
        return tuple(
            self.figure(name, [case for case in group if group[case] == name])
            for name in sorted(set(group.values()))
        )

    def figure(self, name: str, cases: Iterable[str]) -> ErrorFigure:
        """Return the figures of one group of cases."""
        members = list(cases)
        found = [self.outcomes[case] for case in members if case in self.outcomes]
        error = low = high = None
        if found:
            error = self.share(members)
            low, high = _wilson(error, self._effective(members, error, len(found)))
        return ErrorFigure(
            name=name,
            websites=len(members),
            audited=len(found),
            decision_errors=sum(decision for decision, _ in found),
            joint_errors=sum(joint for _, joint in found),
            error=error,
            low=low,
            high=high,
        )

    def share(self, cases: Iterable[str], *, joint: bool = True) -> float:
        """Return the stratified share of errors; strata that nothing was drawn of are left out."""
        cells = self._cells(cases, joint=joint)
        covered = sum(cell.websites for cell in cells)
        return sum(cell.websites / covered * cell.errors / cell.audited for cell in cells)

    def _cells(self, cases: Iterable[str], *, joint: bool = True) -> list[_Cell]:
        members: dict[str, list[str]] = {}
        for case_id in cases:
            members.setdefault(self.strata[case_id], []).append(case_id)
        cells = []
        for inside in members.values():
            found = [self.outcomes[case][joint] for case in inside if case in self.outcomes]
            if found:
                cells.append(_Cell(len(inside), len(found), sum(found)))
        return cells

    def _effective(self, cases: Iterable[str], share: float, sampled: int) -> float:
        """Return how many websites of a plain sample would tell as much.

        A stratum with one audited website has no variance of its own; it is given that of the
        whole group, which errs to the wide side.
        """
        cells = self._cells(cases)
        covered = sum(cell.websites for cell in cells)
        variance = 0.0
        for cell in cells:
            left = 1 - cell.audited / cell.websites
            rate = cell.errors / cell.audited
            spread = rate * (1 - rate) / (cell.audited - 1) if cell.audited > 1 else None
            own = share * (1 - share) if spread is None else spread
            variance += (cell.websites / covered) ** 2 * left * own
        return sampled if variance == 0 else share * (1 - share) / variance


def _wilson(share: float, size: float) -> tuple[float, float]:
    """Return the 95 % score interval. Source: Wilson (1927), JASA 22."""
    middle = (share + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    half = _Z * math.sqrt(share * (1 - share) / size + _Z**2 / (4 * size**2)) / (1 + _Z**2 / size)
    return max(0.0, middle - half), min(1.0, middle + half)
