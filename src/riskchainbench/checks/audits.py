"""The three audits of a bundle's websites: leak, shortcut and sameness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from threadpoolctl import threadpool_limits

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.audited import AuditedWebsite, audited
from riskchainbench.checks.duplicates import Duplicates, near_duplicates
from riskchainbench.checks.leak import LeakAudit, audit_leak
from riskchainbench.checks.sameness import MEDIAN_LIMIT, SamenessAudit, audit_sameness
from riskchainbench.checks.shortcut import ShortcutAudit, audit_shortcuts
from riskchainbench.core.errors import InputError
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
            *(test.line for test in self.shortcut.tests),
            *(
                f"sameness: {s.language}: median {s.median:.2f}, most {s.most:.2f}, "
                f"{s.near} near pairs of {s.websites} websites" + _above(s.scenarios)
                for s in self.sameness.languages
            ),
            *(found.line for found in self.duplicates),
        )


def _above(scenarios: Mapping[str, float]) -> str:
    above = [f"{name} {median:.2f}" for name, median in scenarios.items() if median > MEDIAN_LIMIT]
    return f"; above the limit: {', '.join(above)}" if above else ""


Comparison = tuple[SamenessAudit, tuple[Duplicates, ...]]
Begin = Callable[[Callable[..., Comparison], Sequence[AuditedWebsite]], Callable[[], Comparison]]
"""Begins a comparison of websites; calling what it returns waits for the outcome."""


def audit_websites(
    websites: Sequence[AuditedWebsite], seed: int, begin: Begin | None = None
) -> WebsiteAudits:
    """Run the three audits; equal seeds give equal figures.

    One thread each: the models are small, and threads that wait for a core cost more than they
    bring. With `begin`, websites are compared with each other beside the other audits.
    """
    compared = begin(compare_websites, [to_compare(w) for w in websites]) if begin else None
    with threadpool_limits(1):
        leak = audit_leak(websites, derive(seed, "leak-audit"))
        shortcut = audit_shortcuts(websites, derive(seed, "shortcut-audit"))
    sameness, duplicates = compared() if compared else compare_websites(websites)
    return WebsiteAudits(leak=leak, shortcut=shortcut, sameness=sameness, duplicates=duplicates)


def compare_websites(websites: Sequence[AuditedWebsite]) -> Comparison:
    """Compare every two websites of a language: how much they share, and which are near."""
    with threadpool_limits(1):
        return audit_sameness(websites), near_duplicates(websites)


def to_compare(website: AuditedWebsite) -> AuditedWebsite:
    """Return a website with no more than its comparison needs, to be sent to a process."""
    return replace(website, masked_text="", masked_first_page="", bare_text="")


def audited_bundle(bundle: Bundle, gold: Gold) -> tuple[AuditedWebsite, ...]:
    """Return the designed websites of a bundle for an audit.

    Raises:
        InputError: there is none; captured websites follow no design that an audit could test.
    """
    found = audited_cases(bundle, gold, gold.labels)
    if not found:
        raise InputError(f"{bundle.folder}: all its websites are captured; no design to audit")
    return found


def audited_cases(bundle: Bundle, gold: Gold, cases: Iterable[str]) -> tuple[AuditedWebsite, ...]:
    """Return those of the given websites for an audit that are designed."""
    return tuple(
        audited(
            case_id,
            bundle.website(case_id),
            gold.labels[case_id].decision,
            gold.components[case_id],
            gold.strata[case_id],
        )
        for case_id in cases
        if not gold.strata[case_id].captured
    )
