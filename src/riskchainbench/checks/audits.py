"""The three audits of a bundle's websites: leak, shortcut and sameness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from threadpoolctl import threadpool_limits

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.audited import AuditedWebsite, audited
from riskchainbench.checks.duplicates import Duplicates, near_duplicates
from riskchainbench.checks.leak import LeakAudit, audit_leak
from riskchainbench.checks.sameness import MEDIAN_LIMIT, SamenessAudit, audit_sameness
from riskchainbench.checks.shortcut import ShortcutAudit, audit_shortcuts
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import derive


class WebsiteAudits(Record):
    """What the audits found, with every figure."""

    schema_version: Literal["website-audits/1"] = "website-audits/1"
    leak: LeakAudit
    shortcut: ShortcutAudit
    sameness: SamenessAudit
    duplicates: tuple[Duplicates, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        """What is wrong, one line each."""
        return (*self.leak.findings, *self.shortcut.findings, *self.sameness.findings)

    def lines(self) -> tuple[str, ...]:
        """Return every figure, one line a test."""
        return (
            *(
                f"leak: {t.classifier}, {t.target}: AUC {t.auc:.3f}, p {t.p:.4f}"
                for t in self.leak.tests
            ),
            *(
                f"shortcut: {t.name}: balanced accuracy {t.accuracy:.3f}, upper bound "
                f"{t.upper:.3f} over {t.websites} websites" + (" (no verdict)" * t.printed)
                for t in self.shortcut.tests
            ),
            *(
                f"sameness: {s.language}: median {s.median:.2f}, most {s.most:.2f}, "
                f"{s.near} near pairs of {s.websites} websites" + _above(s.scenarios)
                for s in self.sameness.languages
            ),
            *(
                f"near-duplicates in {d.respect}: {d.pairs} pairs of different sets, "
                f"{d.involved} of {d.websites} websites"
                for d in self.duplicates
            ),
        )


def _above(scenarios: Mapping[str, float]) -> str:
    above = [f"{name} {median:.2f}" for name, median in scenarios.items() if median > MEDIAN_LIMIT]
    return f"; above the limit: {', '.join(above)}" if above else ""


def audit_websites(websites: Sequence[AuditedWebsite], seed: int) -> WebsiteAudits:
    """Run the three audits; equal seeds give equal figures.

    One thread each: the models are small, and threads that wait for a core cost more than they
    bring.
    """
    with threadpool_limits(1):
        return WebsiteAudits(
            leak=audit_leak(websites, derive(seed, "leak-audit")),
            shortcut=audit_shortcuts(websites, derive(seed, "shortcut-audit")),
            sameness=audit_sameness(websites),
            duplicates=near_duplicates(websites),
        )


def audited_bundle(bundle: Bundle, gold: Gold) -> tuple[AuditedWebsite, ...]:
    """Return the websites of a bundle for an audit."""
    return tuple(
        audited(
            case_id,
            bundle.website(case_id),
            label.decision,
            gold.components[case_id],
            gold.strata[case_id],
        )
        for case_id, label in gold.labels.items()
    )
