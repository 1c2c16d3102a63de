"""The audit of designed labels: a stratified blind sample, and the error it shows.

Two people and the usual paths label a sample of the websites; what they resolve is set
against the designed label. The estimate weighs each stratum by its share of the bundle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from riskchainbench.annotation.agreement import Count
from riskchainbench.annotation.project import Project
from riskchainbench.bundle import Bundle, Gold, audited_bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream
from riskchainbench.core.store import json_bytes

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
    """Return the stratum of a website: its designed decision and its language."""
    return f"{gold.labels[case_id].decision.value}/{gold.strata[case_id].language}"


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


class StratumError(Record):
    """The label errors found in one group of the sample; `error` counts other labels."""

    name: str
    websites: int
    decision_error: Count
    joint_error: Count


class LabelAudit(Record):
    """The estimated share of designed labels that people resolve otherwise."""

    simulated: bool
    websites: int
    audited: int
    decision_error: float
    joint_error: float
    low: float
    high: float
    strata: tuple[StratumError, ...]
    decisions: tuple[StratumError, ...]
    languages: tuple[StratumError, ...]

    def claim(self) -> str:
        """Return what may be said of the labels in place of “designed, unaudited”."""
        who = "simulated annotators" if self.simulated else "people"
        return (
            f"designed, audited by {who} on {self.audited} of {self.websites}: "
            f"{100 * self.joint_error:.1f} % error "
            f"(95 % interval {100 * self.low:.1f} to {100 * self.high:.1f} %)"
        )


def audit_labels(project: Project, gold: Gold) -> LabelAudit:
    """Measure the designed labels against what people resolved on the sample.

    The stratified estimate weighs each stratum's error by its share of the bundle; the
    interval is Wilson's at the effective sample size of that estimate.

    Raises:
        InputError: a website of the sample is not resolved yet.
    """
    resolved = project.standing().resolutions
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
    everything = sorted(gold.labels)
    strata = _grouped(everything, outcomes, {c: stratum_of(gold, c) for c in everything})
    decision, _ = _estimate(strata, joint=False)
    joint, variance = _estimate(strata, joint=True)
    low, high = _wilson(joint, _effective(joint, variance, len(outcomes)))
    return LabelAudit(
        simulated=project.settings.simulated,
        websites=len(everything),
        audited=len(outcomes),
        decision_error=decision,
        joint_error=joint,
        low=low,
        high=high,
        strata=strata,
        decisions=_grouped(
            everything, outcomes, {c: gold.labels[c].decision.value for c in everything}
        ),
        languages=_grouped(everything, outcomes, {c: gold.strata[c].language for c in everything}),
    )


def freeze_audit(project: Project, bundle: Bundle, gold: Gold, out: Path) -> LabelAudit:
    """Write a copy of `bundle` that says what the audit found, and return it.

    Raises:
        InputError: a website of the sample is not resolved, or `out` exists.
        IntegrityError: an entry of the ledger or a file of the bundle was changed.
    """
    project.store.verify()
    audit = audit_labels(project, gold)
    audited_bundle(bundle, out, audit.claim(), json_bytes(audit))
    return audit


def _grouped(
    everything: Sequence[str],
    outcomes: Mapping[str, tuple[bool, bool]],
    group: Mapping[str, str],
) -> tuple[StratumError, ...]:
    found: list[StratumError] = []
    for name in sorted(set(group.values())):
        members = [case for case in everything if group[case] == name]
        audited = [outcomes[case] for case in members if case in outcomes]
        found.append(
            StratumError(
                name=name,
                websites=len(members),
                decision_error=Count(count=sum(d for d, _ in audited), of=len(audited)),
                joint_error=Count(count=sum(j for _, j in audited), of=len(audited)),
            )
        )
    return tuple(found)


def _estimate(strata: Sequence[StratumError], *, joint: bool) -> tuple[float, float]:
    """Return the stratified share of errors and its variance, unsampled strata left out."""
    errors = [(s.websites, s.joint_error if joint else s.decision_error) for s in strata]
    covered = sum(size for size, error in errors if error.of)
    share = variance = 0.0
    for size, error in errors:
        if not error.of:
            continue
        weight, rate = size / covered, error.count / error.of
        share += weight * rate
        if error.of > 1:
            left = 1 - error.of / size
            variance += weight**2 * left * rate * (1 - rate) / (error.of - 1)
    return share, variance


def _effective(share: float, variance: float, sampled: int) -> float:
    return sampled if variance == 0 else share * (1 - share) / variance


def _wilson(share: float, size: float) -> tuple[float, float]:
    """Return the 95 % score interval. Source: Wilson (1927), JASA 22."""
    if size <= 0:
        return 0.0, 1.0
    middle = (share + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    half = _Z * math.sqrt(share * (1 - share) / size + _Z**2 / (4 * size**2)) / (1 + _Z**2 / size)
    return max(0.0, middle - half), min(1.0, middle + half)
