"""The case browser's files: one index, and one chunk a run and website, loaded when opened.

A public browser holds what the systems did and concluded, and nothing of gold: no outcome, no
gate, no stratum, no message, and no run that holds the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.gold import SampleGold
from riskchainbench.core.investigation import Trajectory
from riskchainbench.core.store import Images, write_atomic
from riskchainbench.reporting.cases import all_images, case_view, cited_images
from riskchainbench.reporting.chunks import chunk_name, write_script
from riskchainbench.reporting.inputs import GoldHalf, PublicHalf, ReportRun
from riskchainbench.reporting.restorations import by_variant, variant_view
from riskchainbench.reporting.strings import LANGUAGES
from riskchainbench.scoring.naming import named_runs
from riskchainbench.scoring.outcomes import CaseOutcome
from riskchainbench.scoring.records import Scores, SystemKind, SystemScores
from riskchainbench.scoring.run import RunData

Json = dict[str, Any]
ImageChoice = Literal["cited", "all", "none"]


@dataclass
class _Writer:
    """Where the chunks go and which screenshots were copied so far."""

    out: Path
    images: ImageChoice
    copied: set[str] = field(default_factory=set)

    def copy(self, images: Images, wanted: frozenset[str]) -> None:
        """Copy the wanted screenshots, each checked against its hash.

        Raises:
            InputError: one is missing; a run is frozen whole.
            IntegrityError: one was changed after it was taken.
            StorageError: one cannot be written.
        """
        for sha256 in sorted(wanted - self.copied):
            target = Images(self.out / "images").path(sha256)
            write_atomic(target, images.get(sha256))
            self.copied.add(sha256)


def write_cases(
    bundle: PublicHalf,
    gold: GoldHalf | None,
    runs: Sequence[ReportRun],
    scores: Scores,
    out: Path,
    *,
    images: ImageChoice,
) -> Json | None:
    """Write every chunk under ``out/cases`` and return the index, or None without any case.

    `gold` None makes it public.

    Raises:
        InputError: a screenshot of a run is missing or was changed; IntegrityError if changed.
        StorageError: a screenshot cannot be written.
    """
    rows = {row.row_id: row for row in scores.systems}
    ids = {id(each.run): each.row_id for each in named_runs([run.data for run in runs])}
    shown = [
        (row, run)
        for run in runs
        if (row := rows.get(ids[id(run.data)])) is not None
        and not (gold is None and row.kind is SystemKind.ORACLE)
    ]
    case_ids = list(bundle.investigation_tasks)
    writer = _Writer(out, images)
    index_rows = {}
    for row, run in shown:
        made = _write_run(bundle, row, run, case_ids, writer, with_outcomes=gold is not None)
        if any(made):
            index_rows[row.row_id] = made
    messages = _write_messages(bundle, gold, shown, case_ids, out) if gold else None
    if not index_rows and not (messages and any(messages)):
        return None
    return {
        "systems": [
            {"id": row.row_id, "kind": row.kind.value}
            for row, _ in shown
            if row.row_id in index_rows or messages
        ],
        "cases": [_case(case_id, gold) for case_id in case_ids],
        "rows": index_rows,
        "messages": messages,
    }


def _case(case_id: str, gold: GoldHalf | None) -> Json:
    if gold is None:
        return {"id": case_id}
    label, stratum = gold.labels.get(case_id), gold.strata.get(case_id)
    found: Json = {"id": case_id}
    if label:
        found |= {"gold": label.decision.value, "type": label.violation_type}
    if stratum:
        found |= {"form": stratum.form, "topic": stratum.topic, "language": stratum.language}
    return found


def _write_run(
    bundle: PublicHalf,
    row: SystemScores,
    run: ReportRun,
    case_ids: Sequence[str],
    writer: _Writer,
    *,
    with_outcomes: bool,
) -> list[Json | None]:
    outcomes = {each.case_id: each for each in row.cases} if with_outcomes else {}
    index: list[Json | None] = []
    for case_id in case_ids:
        trajectory = run.data.trajectory(case_id)
        conclusion = (run.data.conclusions or {}).get(case_id)
        if trajectory is None and conclusion is None:
            index.append(None)
            continue
        wanted = _wanted(writer.images, trajectory, conclusion)
        writer.copy(Images(run.images), wanted)
        view = case_view(bundle.investigation_tasks[case_id], trajectory, conclusion, wanted)
        view["judges"] = _judgments(run.data, case_id)
        name = chunk_name("case", row.row_id, case_id)
        write_script(writer.out / "cases" / f"{name}.js", f"case:{name}", view)
        index.append(
            {"k": name}
            | _made(trajectory, conclusion)
            | (_outcome(outcomes[case_id]) if case_id in outcomes else {})
        )
    return index


def _wanted(
    choice: ImageChoice, trajectory: Trajectory | None, conclusion: ConclusionRecord | None
) -> frozenset[str]:
    if trajectory is None or choice == "none":
        return frozenset()
    return all_images(trajectory) if choice == "all" else cited_images(trajectory, conclusion)


def _judgments(data: RunData, case_id: str) -> list[Json]:
    return [
        {
            "judge": each.judge,
            "deterministic": each.deterministic,
            "scores": dict(found.scores) if found.scores is not None else None,
        }
        for each in data.judges
        if (found := each.judgments.get(case_id)) is not None
    ]


def _made(trajectory: Trajectory | None, conclusion: ConclusionRecord | None) -> Json:
    """What the run itself recorded, without any gold."""
    found: Json = {}
    failure = trajectory.end.failure if trajectory else None
    if conclusion is not None and conclusion.conclusion is not None:
        found |= {
            "d": conclusion.conclusion.decision.value,
            "t": conclusion.conclusion.violation_type,
        }
    elif conclusion is not None and conclusion.failure is not None:
        failure = conclusion.failure
    if failure is not None:
        found["f"] = failure.failure_class.value
    return found


def _outcome(outcome: CaseOutcome) -> Json:
    found: Json = {"o": outcome.first_failure.value}
    if outcome.gate is not None:
        found["g"] = "open" if outcome.gate else "shut"
    if outcome.evidence is not None:
        found["ev"] = outcome.evidence.value
    if outcome.components:
        found["parts"] = [outcome.components, outcome.exposed, outcome.cited]
    return found


def _write_messages(
    bundle: PublicHalf,
    gold: GoldHalf,
    shown: Sequence[tuple[SystemScores, ReportRun]],
    case_ids: Sequence[str],
    out: Path,
) -> list[str | None]:
    by_case: dict[str, list[SampleGold]] = {case_id: [] for case_id in case_ids}
    for sample in gold.samples.values():
        by_case.setdefault(sample.case_id, []).append(sample)
    names: list[str | None] = []
    for case_id in case_ids:
        samples = [each for each in by_case[case_id] if each.sample_id in bundle.restoration_tasks]
        if not samples:
            names.append(None)
            continue
        views = [
            variant_view(
                bundle.restoration_tasks[sample.sample_id],
                sample,
                gold.traces.get(sample.sample_id),
                {
                    row.row_id: run.data.predictions[sample.sample_id]
                    for row, run in shown
                    if run.data.predictions and sample.sample_id in run.data.predictions
                },
            )
            for sample in by_variant(samples)
        ]
        name = chunk_name("messages", case_id)
        write_script(out / "cases" / f"{name}.js", f"messages:{name}", {"variants": views})
        names.append(name)
    return names


def codebook_names(codebook: Codebook) -> Mapping[str, Mapping[str, str]]:
    """Return the codebook's own words for decisions and types, by report language."""

    def words(texts: Mapping[str, str]) -> dict[str, str]:
        found = {}
        for language in LANGUAGES:
            tag = next((tag for tag in texts if tag.split("-")[0] == language), None)
            if tag is not None:
                found[language] = texts[tag]
        return found

    return {f"type.{kind.type_id}": words(kind.name) for kind in codebook.types}
