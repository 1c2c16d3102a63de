"""How far people agree: one record with every count behind every figure.

All coefficients come from `statistics.agreement`; an undefined one says why. Agreement
between people is no ceiling for a system and is never printed as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from statistics import median
from typing import Literal

from riskchainbench.annotation.project import Project
from riskchainbench.annotation.resolution import INDEPENDENT, CaseFile, Said, path_counts
from riskchainbench.annotation.standing import Standing
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import derive
from riskchainbench.statistics.agreement import (
    alpha_interval,
    krippendorff_alpha,
    percent_agreement,
    retest_agreement,
)


class Count(Record):
    """A share with its numerator and denominator; None over nothing."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        """The share, or None where there is nothing to divide by."""
        return self.count / self.of if self.of else None


class AlphaFigure(Record):
    """Krippendorff's alpha with what it is made of, or the reason why it is undefined."""

    alpha: float | None
    undefined: str | None = None
    observed: float | None = None
    expected: float | None = None
    low: float | None = None
    high: float | None = None
    pairable: int = 0


class Measured(Record):
    """Agreement on one way to look at a judgment."""

    agreeing: Count
    alpha: AlphaFigure


class Cell(Record):
    """How often two people gave these two labels; the order of the people is no matter."""

    first: str
    second: str
    count: int


class LabelFigure(Record):
    """One label: how often both people gave it, and how often one of them only.

    `agreeing` is what they share of all they gave it to, two judgments a website: the
    proportion of specific agreement.
    """

    label: str
    both: int
    one: int
    agreeing: Count


class Repeats(Record):
    """Judgments of the same person on the same website, shown again without saying so."""

    decision: Count
    joint: Count
    kappa: float | None
    undefined: str | None = None


class PersonFigure(Record):
    """One annotator: work, time, and agreement with the resolved labels."""

    person: str
    judgments: int
    median_seconds: float | None
    decision: Count
    joint: Count
    repeats: Count
    mean_confidence: float | None
    training: Count


class PairFigure(Record):
    """Two annotators on the websites that both judged first."""

    first: str
    second: str
    decision: Count
    joint: Count


class AgreementReport(Record):
    """Everything measured on a project's judgments.

    `matrix` holds the confusion of `labels` in their order: the websites that got both labels,
    one from each person. It is symmetric, and its upper half with the diagonal sums to the
    websites that two people judged. `confusion` lists its cells that are not empty once.
    """

    schema_version: Literal["agreement/1"] = "agreement/1"
    simulated: bool
    codebook_version: str
    websites: int
    judgments: int
    corrections: int
    paths: dict[str, int]
    decision: Measured
    joint: Measured
    labels: tuple[str, ...]
    confusion: tuple[Cell, ...]
    matrix: tuple[tuple[int, ...], ...]
    types: tuple[LabelFigure, ...]
    repeats: Repeats
    median_seconds: float | None
    people: tuple[PersonFigure, ...]
    pairs: tuple[PairFigure, ...]
    reports: int


def agreement_report(project: Project) -> AgreementReport:
    """Measure the project as it stands."""
    standing = project.standing()
    files = list(standing.files.values())
    pairs = [file.originals for file in files if len(file.originals) >= INDEPENDENT]
    seed = derive(int(project.settings.seed), "agreement")
    joint = [[said.judgment.judged.joint for said in pair] for pair in pairs]
    labels = _labels(project)
    confusion = _confusion(joint)
    repeated = [pair for file in files for pair in _repeat_pairs(file)]
    everything = [said for file in files for said in _all(file)]
    return AgreementReport(
        simulated=project.settings.simulated,
        codebook_version=project.settings.codebook_version,
        websites=len(files),
        judgments=len(everything),
        corrections=sum(file.corrections for file in files),
        paths=path_counts(standing.resolutions.values()),
        decision=_measured([[label[0] for label in unit] for unit in joint], seed),
        joint=_measured(joint, seed),
        labels=labels,
        confusion=confusion,
        matrix=_matrix(labels, confusion),
        types=_types(labels, confusion),
        repeats=_repeats(repeated),
        median_seconds=_median(everything),
        people=tuple(_people(project, standing, everything, repeated)),
        pairs=tuple(_pairs(pairs)),
        reports=sum(len(file.reports) for file in files),
    )


def measured_alpha(units: Sequence[Sequence[Hashable | None]], seed: int) -> AlphaFigure:
    """Return the nominal alpha of `units` with its 95 % interval over drawn units."""
    found = krippendorff_alpha(units)
    spread = alpha_interval(units, seed) if found.alpha.value is not None else None
    return AlphaFigure(
        alpha=found.alpha.value,
        undefined=found.alpha.reason,
        observed=found.observed,
        expected=found.expected,
        low=spread.low if spread is not None else None,
        high=spread.high if spread is not None else None,
        pairable=found.pairable,
    )


def _measured(units: Sequence[Sequence[Hashable]], seed: int) -> Measured:
    agreeing = sum(unit[0] == unit[1] for unit in units)
    share = percent_agreement(units)
    assert share.value is None or round(share.value * len(units)) == agreeing
    return Measured(
        agreeing=Count(count=agreeing, of=len(units)), alpha=measured_alpha(units, seed)
    )


def _labels(project: Project) -> tuple[str, ...]:
    return (*project.codebook.type_ids, "NONE", "UNKNOWN")


def _confusion(joint: Sequence[Sequence[tuple[str, str]]]) -> tuple[Cell, ...]:
    counts = Counter(tuple(sorted((unit[0][1], unit[1][1]))) for unit in joint)
    return tuple(
        Cell(first=first, second=second, count=count)
        for (first, second), count in sorted(counts.items())
    )


def _matrix(labels: Sequence[str], cells: Sequence[Cell]) -> tuple[tuple[int, ...], ...]:
    counts = {(cell.first, cell.second): cell.count for cell in cells}
    return tuple(
        tuple(counts.get((min(row, column), max(row, column)), 0) for column in labels)
        for row in labels
    )


def _types(labels: Sequence[str], cells: Sequence[Cell]) -> tuple[LabelFigure, ...]:
    found = []
    for label in labels:
        both = sum(cell.count for cell in cells if cell.first == cell.second == label)
        given = sum(cell.count for cell in cells if label in (cell.first, cell.second))
        one = given - both
        agreeing = Count(count=2 * both, of=2 * both + one)
        found.append(LabelFigure(label=label, both=both, one=one, agreeing=agreeing))
    return tuple(found)


def _repeat_pairs(file: CaseFile) -> Iterable[tuple[Said, Said]]:
    """Pair each repeat with the same person's first judgment of the website."""
    first = {said.judgment.person: said for said in file.originals}
    if file.third is not None:
        first.setdefault(file.third.judgment.person, file.third)
    for said in file.repeats:
        if said.judgment.person in first:
            yield first[said.judgment.person], said


def _repeats(pairs: Sequence[tuple[Said, Said]]) -> Repeats:
    first = [a.judgment.judged.joint for a, _ in pairs]
    second = [b.judgment.judged.joint for _, b in pairs]
    joint = retest_agreement(first, second)
    decision = retest_agreement([a[0] for a in first], [b[0] for b in second])
    return Repeats(
        decision=Count(count=decision.agreeing, of=decision.units),
        joint=Count(count=joint.agreeing, of=joint.units),
        kappa=joint.kappa.value,
        undefined=joint.kappa.reason,
    )


def _all(file: CaseFile) -> list[Said]:
    third = [file.third] if file.third is not None else []
    return [*file.originals, *third, *file.repeats]


def _median(said: Sequence[Said]) -> float | None:
    return round(median(each.judgment.seconds for each in said), 1) if said else None


def _people(
    project: Project,
    standing: Standing,
    everything: Sequence[Said],
    repeated: Sequence[tuple[Said, Said]],
) -> Iterable[PersonFigure]:
    for name in sorted({said.judgment.person for said in everything}):
        mine = [said for said in everything if said.judgment.person == name]
        against = [
            (said.judgment.judged.joint, standing.resolutions[said.judgment.case_id].joint)
            for said in mine
        ]
        known = [(given, label) for given, label in against if label is not None]
        again = [(a, b) for a, b in repeated if a.judgment.person == name]
        trained = project.trained(name)
        yield PersonFigure(
            person=name,
            judgments=len(mine),
            median_seconds=_median(mine),
            decision=Count(count=sum(g[0] == x[0] for g, x in known), of=len(known)),
            joint=Count(count=sum(g == x for g, x in known), of=len(known)),
            repeats=Count(
                count=sum(a.judgment.judged.joint == b.judgment.judged.joint for a, b in again),
                of=len(again),
            ),
            mean_confidence=round(
                sum(said.judgment.judged.confidence for said in mine) / len(mine), 2
            ),
            training=Count(count=sum(t.type_right for t in trained), of=len(trained)),
        )


def _pairs(pairs: Sequence[Sequence[Said]]) -> Iterable[PairFigure]:
    groups: dict[tuple[str, str], list[tuple[tuple[str, str], tuple[str, str]]]] = {}
    for pair in pairs:
        first, second = sorted(pair[:2], key=lambda said: said.judgment.person)
        key = (first.judgment.person, second.judgment.person)
        groups.setdefault(key, []).append(
            (first.judgment.judged.joint, second.judgment.judged.joint)
        )
    for (one, other), units in sorted(groups.items()):
        yield PairFigure(
            first=one,
            second=other,
            decision=Count(count=sum(a[0] == b[0] for a, b in units), of=len(units)),
            joint=Count(count=sum(a == b for a, b in units), of=len(units)),
        )
