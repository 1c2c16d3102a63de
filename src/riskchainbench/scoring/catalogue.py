"""Every metric there is, in the order of the tables, and what it is."""

from __future__ import annotations

from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import FAILURES, FailureClass, Stage
from riskchainbench.core.restoration import MAX_CANDIDATES
from riskchainbench.judging.records import DIMENSIONS
from riskchainbench.scoring.outcomes import EvidenceOutcome
from riskchainbench.scoring.records import Direction, Family, MetricInfo, Unit

_UP, _DOWN, _NEITHER = Direction.HIGHER, Direction.LOWER, Direction.NEITHER

PRIMARY = ("task1.entry_top1", "web_only.accuracy", "gated.accuracy", "web_only.set_consistency")
"""The primary metrics, declared beforehand; all others are exploratory (design decision 7)."""

_TASK1: tuple[tuple[str, Unit, Direction], ...] = (
    ("entry_top1", Unit.SHARE, _UP),
    ("full", Unit.SHARE, _UP),
    ("cer", Unit.RATIO, _DOWN),
    ("full_accepted", Unit.SHARE, _UP),
    ("message_exact", Unit.SHARE, _UP),
    ("message_accepted", Unit.SHARE, _UP),
    ("intent", Unit.SHARE, _UP),
    ("mixed_token_error", Unit.RATIO, _DOWN),
    ("entry_tolerant", Unit.SHARE, _UP),
    ("abstention", Unit.SHARE, _NEITHER),
    ("output_valid", Unit.SHARE, _UP),
    *((f"recall_at_{k}", Unit.SHARE, _UP) for k in range(1, MAX_CANDIDATES + 1)),
)
FAILED = "failed_"
_TASK1_FAILURES: tuple[tuple[str, Unit, Direction], ...] = tuple(
    (f"{FAILED}{kind}", Unit.SHARE, _DOWN)
    for kind in FailureClass
    if Stage.RESTORATION in FAILURES[kind].stages
)
"""Each failure class by itself; given by stratum, as a breakdown counts them over all."""
_VIEW: tuple[tuple[str, Unit, Direction], ...] = (
    ("accuracy", Unit.SHARE, _UP),
    ("macro_f1", Unit.SHARE, _UP),
    ("type_macro_f1", Unit.SHARE, _UP),
    ("exact_match", Unit.SHARE, _UP),
    ("set_consistency", Unit.SHARE, _UP),
    ("binary_accuracy", Unit.SHARE, _UP),
    *((f"recall_{decision.lower()}", Unit.SHARE, _UP) for decision in Decision),
    ("coverage", Unit.SHARE, _UP),
    ("accuracy_decided", Unit.SHARE, _NEITHER),
    ("precision_violation", Unit.SHARE, _UP),
    ("precision_at_prevalence", Unit.SHARE, _UP),
    ("false_positives", Unit.SHARE, _DOWN),
    ("pair_accuracy", Unit.SHARE, _UP),
)
_PROTOCOL: tuple[tuple[str, Unit, Direction], ...] = (
    ("protocol_validity", Unit.SHARE, _UP),
    ("system_failures", Unit.SHARE, _DOWN),
    ("environment_failures", Unit.SHARE, _DOWN),
)
_COMPOSITION: tuple[tuple[str, Unit, Direction], ...] = (
    ("gate_pass", Unit.SHARE, _UP),
    ("gate_loss", Unit.POINTS, _DOWN),
)
_EVIDENCE: tuple[tuple[str, Unit, Direction], ...] = (
    ("sites_exposed", Unit.SHARE, _UP),
    ("exposure", Unit.SHARE, _UP),
    ("citation", Unit.SHARE, _UP),
    ("accuracy_given_exposure", Unit.SHARE, _UP),
    (EvidenceOutcome.RIGHT_WITHOUT_EVIDENCE.value, Unit.SHARE, _DOWN),
    (EvidenceOutcome.NOT_FOUND.value, Unit.SHARE, _DOWN),
    (EvidenceOutcome.FOUND_NOT_USED.value, Unit.SHARE, _DOWN),
    (EvidenceOutcome.MISJUDGED.value, Unit.SHARE, _DOWN),
)
_CALIBRATION: tuple[tuple[str, Unit, Direction], ...] = (
    ("entry_brier", Unit.NUMBER, _DOWN),
    ("entry_ece", Unit.NUMBER, _DOWN),
    ("conclusion_brier", Unit.NUMBER, _DOWN),
    ("conclusion_ece", Unit.NUMBER, _DOWN),
)
_JUDGE: tuple[tuple[str, Unit, Direction], ...] = (
    ("coverage", Unit.SHARE, _UP),
    *((name, Unit.SCORE, _UP) for name in DIMENSIONS),
    ("mean", Unit.SCORE, _UP),
)
_FAMILIES = (
    (Family.TASK1, _TASK1 + _TASK1_FAILURES),
    (Family.WEB_ONLY, _VIEW + _PROTOCOL),
    (Family.GATED, _VIEW),
    (Family.COMPOSITION, _COMPOSITION),
    (Family.EVIDENCE, _EVIDENCE),
    (Family.CALIBRATION, _CALIBRATION),
    (Family.JUDGE, _JUDGE),
)


def _infos() -> tuple[MetricInfo, ...]:
    found: list[MetricInfo] = []
    for family, rows in _FAMILIES:
        for name, unit, direction in rows:
            metric_id = f"{family}.{name}"
            found.append(
                MetricInfo(
                    metric_id=metric_id,
                    title_key=name,
                    family=family,
                    unit=unit,
                    direction=direction,
                    primary=metric_id in PRIMARY,
                    message_level=metric_id.startswith(("task1.", "calibration.entry")),
                )
            )
    return tuple(found)


CATALOGUE = _infos()
ORDER = {info.metric_id: place for place, info in enumerate(CATALOGUE)}
