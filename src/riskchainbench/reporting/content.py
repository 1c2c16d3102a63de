"""What the report's page holds around the case browser, as values for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from riskchainbench.reporting.heat import HeatMap, heat_maps
from riskchainbench.reporting.more_tables import (
    comparison_table,
    confusion_tables,
    distribution_table,
    judge_agreement_table,
    label_audit_table,
    power_table,
    rerun_table,
)
from riskchainbench.reporting.plots import Plot, plots
from riskchainbench.reporting.score_tables import (
    evidence_tables,
    failure_tables,
    family_tables,
    judge_table,
    main_tables,
)
from riskchainbench.reporting.strata_data import strata_data
from riskchainbench.reporting.strings import source_key
from riskchainbench.reporting.tables import Table, Term
from riskchainbench.reporting.warned import Warned, warned
from riskchainbench.scoring.records import (
    Completeness,
    Header,
    PublishedTable,
    Scores,
)

PUBLIC_STRATUM = 30
"""The fewest websites in a stratum of a public report, so that no figure stands for a few."""


@dataclass(frozen=True)
class Fact:
    """One line of the head: a value, or a key of ``strings.toml`` for one."""

    key: str
    value: str = ""
    value_key: str = ""
    detail_key: str = ""
    values: tuple[tuple[str, str | Term], ...] = ()
    code: bool = False


@dataclass(frozen=True)
class JudgeBlock:
    """One judge's table; a deterministic judge is labeled as validating nothing."""

    judge: str
    deterministic: bool
    table: Table


@dataclass(frozen=True)
class Head:
    """The numbers of the title."""

    websites: str
    messages: str
    systems: int
    version: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Content:
    """Everything but the cases."""

    public: bool
    head: Head
    warnings: tuple[Warned, ...]
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...]
    heat_maps: tuple[HeatMap, ...]
    strata: dict[str, Any] | None
    evidence_tables: tuple[Table, ...]
    judges: tuple[JudgeBlock, ...]
    detail_tables: tuple[Table, ...]
    reference: tuple[PublishedTable, ...]


def content_of(
    scores: Scores,
    reference: Sequence[PublishedTable],
    languages: Sequence[str],
    *,
    public: bool,
) -> Content:
    """Return the page's content.

    Strata are gold. A public page holds only those whose figures tell of no website: sums over
    dimensions that have at least `PUBLIC_STRATUM` websites in every stratum. Its curves have
    no points that are closer than that.
    """
    single = (
        comparison_table(scores),
        rerun_table(scores),
        power_table(scores),
        judge_agreement_table(scores),
        label_audit_table(scores),
    )
    fewest = PUBLIC_STRATUM if public else 0
    return Content(
        public=public,
        head=_head(scores),
        warnings=warned(scores),
        tables=main_tables(scores),
        plots=plots(scores, languages, fewest),
        heat_maps=heat_maps(scores, fewest),
        strata=strata_data(scores, fewest),
        evidence_tables=evidence_tables(scores),
        judges=_judges(scores),
        detail_tables=(
            *family_tables(scores),
            *failure_tables(scores),
            *(table for table in single if table is not None),
            *confusion_tables(scores),
            *distribution_table(scores),
        ),
        reference=tuple(reference),
    )


def _head(scores: Scores) -> Head:
    head = scores.header
    whole = head.completeness is not Completeness.SUBSET
    websites = f"{head.websites:,}" if whole else f"{head.websites:,}/{head.all_websites:,}"
    messages = f"{head.messages:,}" if whole else f"{head.messages:,}/{head.all_messages:,}"
    sources = tuple(
        Fact(
            "head.labels",
            value_key=source_key(source.key),
            detail_key="head.labels_count",
            values=(("n", f"{source.count.numerator:,}"), ("all", f"{source.count.denominator:,}")),
        )
        for source in head.label_sources
        if source.count.numerator
    )
    gold = {each.key: f"{each.count.numerator:,}" for each in head.gold_decisions}
    facts = (
        *sources,
        *_label_audit(head),
        Fact(
            "head.codebook",
            f"{head.codebook_id} {head.codebook_version}",
            detail_key="head.types",
            values=(
                ("n", str(len(head.violation_types))),
                ("supported", str(len(head.supported_types))),
            ),
        ),
        Fact(
            "head.websites",
            websites,
            detail_key="head.decisions",
            values=(
                ("v", gold.get("VIOLATION", "0")),
                ("n", gold.get("NON_VIOLATION", "0")),
                ("u", gold.get("INSUFFICIENT_EVIDENCE", "0")),
            ),
        ),
        Fact("head.messages", messages),
        Fact(
            "head.sets",
            f"{head.contrast_sets:,}",
            detail_key="head.draws",
            values=(("n", f"{head.draws:,}"),),
        ),
        Fact("head.completeness", value_key=f"completeness.{head.completeness}"),
        Fact("head.tasks_sha256", head.tasks_sha256, code=True),
        Fact("head.gold_sha256", head.gold_sha256, code=True),
    )
    return Head(websites, messages, len(scores.systems), head.version, facts)


def _label_audit(head: Header) -> tuple[Fact, ...]:
    audit = head.label_audit
    if audit is None:
        return ()
    values = {
        "error": f"{100 * audit.joint_error:.1f}",
        "low": f"{100 * audit.low:.1f}",
        "high": f"{100 * audit.high:.1f}",
        "audited": f"{audit.audited:,}",
        "websites": f"{audit.websites:,}",
    }
    key = "head.label_audit_simulated" if audit.simulated else "head.label_audit_found"
    return (Fact("head.label_audit", value_key=key, values=tuple(values.items())),)


def _judges(scores: Scores) -> tuple[JudgeBlock, ...]:
    judges = {each.judge: each.deterministic for row in scores.systems for each in row.judges}
    return tuple(
        JudgeBlock(name, deterministic, judge_table(scores, name))
        for name, deterministic in sorted(judges.items())
    )
