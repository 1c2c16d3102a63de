"""The evidence audit: what people score of the packages that judges score, blind to the judge.

An item is one frozen conclusion of one run, under an id that names neither. The figures
compare people with each other and with a judge; none of them is a ceiling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median_low

from riskchainbench.annotation.agreement import AlphaFigure
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.records import EvidenceRating
from riskchainbench.bundle import Bundle
from riskchainbench.core.hashing import Sha256, sha256_json, sha256_text
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import derive, stream
from riskchainbench.core.stage import read_run
from riskchainbench.core.store import Images, read_jsonl
from riskchainbench.investigation.trajectory import IMAGES, read_trajectory
from riskchainbench.judging.masking import Mask, private_terms
from riskchainbench.judging.package import build_package
from riskchainbench.judging.read import JUDGMENTS, judging_stage
from riskchainbench.judging.records import DIMENSIONS, EvidencePackage, JudgmentRecord
from riskchainbench.judging.rubric import Rubric, default_rubric
from riskchainbench.judging.run import frozen_conclusions
from riskchainbench.statistics.agreement import (
    Scale,
    alpha_interval,
    krippendorff_alpha,
    quadratic_weighted_kappa,
)
from riskchainbench.statistics.value import Value

ORDER = (1, 2, 3, 4, 5)
RATERS = 2


@dataclass(frozen=True)
class AuditItem:
    """One conclusion to be rated, with the run and case that only the report may name."""

    item_id: str
    package: EvidencePackage
    package_sha256: Sha256
    run: Path
    case_id: str


class EvidenceAudit:
    """The items that people are asked about, in an order of their own for each person."""

    def __init__(
        self,
        items: Sequence[AuditItem],
        seed: int,
        judge: str = "rules",
        tasks_sha256: Sha256 = "0" * 64,
    ) -> None:
        self.judge = judge
        self.tasks_sha256 = tasks_sha256
        self._items = {item.item_id: item for item in items}
        self._seed = seed
        self.rubric: Rubric = default_rubric()

    @property
    def items(self) -> Mapping[str, AuditItem]:
        """The items by id."""
        return self._items

    def item(self, item_id: str) -> AuditItem | None:
        """Return the item of that id."""
        return self._items.get(item_id)

    def next_item(self, project: Project, person: str) -> AuditItem | None:
        """Return what `person` should rate next: first what has the fewest ratings."""
        rated = ratings(project)
        open_items = [
            item
            for item in self._items
            if person not in rated.get(item, {}) and len(rated.get(item, {})) < RATERS
        ]
        if not open_items:
            return None
        chance = {i: stream(self._seed, "audit", person, i).random() for i in open_items}
        return self._items[min(open_items, key=lambda i: (-len(rated.get(i, {})), chance[i]))]

    def progress(self, project: Project, person: str) -> tuple[int, int]:
        """Return how many items the person has rated, and how many there are."""
        rated = ratings(project)
        return sum(person in rated.get(item, {}) for item in self._items), len(self._items)

    def image(self, item: AuditItem, sha256: Sha256) -> bytes:
        """Return a screenshot of the item's run."""
        return Images(item.run / IMAGES).get(sha256)


def build_audit(
    bundle: Bundle, runs: Sequence[Path], seed: int, size: int | None = None, judge: str = "rules"
) -> EvidenceAudit:
    """Draw `size` conclusions of the runs, the same number from each as far as it goes.

    Raises:
        InputError: a run's conclusions are not frozen.
        IntegrityError: a frozen file was changed.
    """
    drawn: list[AuditItem] = []
    for index, run in enumerate(runs):
        items = _items(bundle, run)
        stream(seed, "sample", index).shuffle(items)
        share = None if size is None else size // len(runs) + (index < size % len(runs))
        drawn += items[:share]
    return EvidenceAudit(drawn, derive(seed, "audit"), judge, bundle.tasks_sha256)


def _items(bundle: Bundle, run: Path) -> list[AuditItem]:
    system = read_run(run).system
    found: list[AuditItem] = []
    for frozen in frozen_conclusions(run):
        conclusion = frozen.record.conclusion
        assert conclusion is not None
        package = build_package(
            read_trajectory(run / "investigation" / frozen.case_id),
            conclusion,
            bundle.investigation_tasks[frozen.case_id].viewport,
            Mask(private_terms(frozen.case_id, system)),
        )
        identity = sha256_text(package.to_json())
        item_id = sha256_json([run.name, frozen.case_id, identity])[:20]
        found.append(AuditItem(item_id, package, identity, run, frozen.case_id))
    return found


class DimensionFigures(Record):
    """One of the four scores: people with each other, and the judge against their median."""

    dimension: str
    people_items: int
    people_kappa: float | None
    people_alpha: AlphaFigure
    judge_items: int
    judge_kappa: float | None
    judge_bias: float | None
    undefined: str | None = None


class BiasPoint(Record):
    """One item on the bias plot: the mean of judge and people, and judge less people."""

    dimension: str
    mean: float
    difference: float


class EvidenceReport(Record):
    """How far people and a judge agree on the quality of evidence."""

    simulated: bool
    judge: str
    items: int
    ratings: int
    dimensions: tuple[DimensionFigures, ...]
    points: tuple[BiasPoint, ...]


def evidence_report(project: Project, audit: EvidenceAudit) -> EvidenceReport:
    """Measure people's scores against each other and against the audit's judge.

    An item without a score by the judge is left out of the comparison with it and counts in
    `people_items` only.
    """
    rated = {item: found for item, found in ratings(project).items() if audit.item(item)}
    judged = judged_scores(audit, audit.judge)
    seed = derive(int(project.settings.seed), "evidence")
    figures: list[DimensionFigures] = []
    points: list[BiasPoint] = []
    for name in DIMENSIONS:
        units = [[r.scores[name] for r in found.values()] for found in rated.values()]
        pairs = [
            (judged[item][name], [r.scores[name] for r in found.values()])
            for item, found in rated.items()
            if item in judged
        ]
        figures.append(_figures(name, units, pairs, seed))
        points += [
            BiasPoint(
                dimension=name,
                mean=(score + fmean(people)) / 2,
                difference=score - fmean(people),
            )
            for score, people in pairs
        ]
    return EvidenceReport(
        simulated=project.settings.simulated,
        judge=audit.judge,
        items=len(audit.items),
        ratings=sum(len(found) for found in rated.values()),
        dimensions=tuple(figures),
        points=tuple(points),
    )


def _figures(
    name: str,
    units: list[list[int]],
    pairs: list[tuple[int, list[int]]],
    seed: int,
) -> DimensionFigures:
    double = [unit[:2] for unit in units if len(unit) >= RATERS]
    people = quadratic_weighted_kappa([u[0] for u in double], [u[1] for u in double], ORDER)
    judge = quadratic_weighted_kappa(
        [score for score, _ in pairs], [median_low(given) for _, given in pairs], ORDER
    )
    return DimensionFigures(
        dimension=name,
        people_items=len(double),
        people_kappa=people.value,
        people_alpha=_ordinal(units, seed),
        judge_items=len(pairs),
        judge_kappa=judge.value,
        judge_bias=fmean(s - fmean(given) for s, given in pairs) if pairs else None,
        undefined=_reason(people, judge),
    )


def _reason(*values: Value) -> str | None:
    return next((value.reason for value in values if value.reason is not None), None)


def _ordinal(units: list[list[int]], seed: int) -> AlphaFigure:
    found = krippendorff_alpha(units, Scale.ORDINAL, ORDER)
    spread = None
    if found.alpha.value is not None:
        spread = alpha_interval(units, seed, Scale.ORDINAL, ORDER)
    return AlphaFigure(
        alpha=found.alpha.value,
        undefined=found.alpha.reason,
        observed=found.observed,
        expected=found.expected,
        low=spread.low if spread is not None else None,
        high=spread.high if spread is not None else None,
        pairable=found.pairable,
    )


def ratings(project: Project) -> dict[str, dict[str, EvidenceRating]]:
    """Return the ratings by item and person, in the order in which they were given."""
    found: dict[str, dict[str, EvidenceRating]] = {}
    for line in project.lines():
        if isinstance(line.entry, EvidenceRating):
            found.setdefault(line.entry.item, {})[line.entry.person] = line.entry
    return found


def judged_scores(audit: EvidenceAudit, judge: str) -> dict[str, dict[str, int]]:
    """Return the judge's scores by item, as far as its stage in each run is frozen."""
    by_run: dict[Path, dict[str, JudgmentRecord]] = {}
    for run in {item.run for item in audit.items.values()}:
        stage = judging_stage(run, judge)
        if stage.frozen:
            stage.verified()
            records = read_jsonl(stage.folder / JUDGMENTS, JudgmentRecord)
            by_run[run] = {record.case_id: record for record in records}
    scores: dict[str, dict[str, int]] = {}
    for item_id, item in audit.items.items():
        record = by_run.get(item.run, {}).get(item.case_id)
        if record is not None and record.scores is not None:
            scores[item_id] = record.scores.numbers()
    return scores
