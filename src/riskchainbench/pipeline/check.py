"""Checking a bundle: the browserless proofs, and the walk in a real browser if asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from riskchainbench.bundle import Bundle, Gold, open_bundle, open_gold
from riskchainbench.checks.audits import audit_websites, audited_bundle
from riskchainbench.checks.browser import BrowserCheck, check_in_browser
from riskchainbench.checks.bundle import website_findings
from riskchainbench.core.record import Record
from riskchainbench.pipeline.investigating import browser_settings, browsing_here

Update = Callable[[int, int], None]


class CheckResult(Record):
    """What a check looked at and what it found wrong; `figures` are those of the audits.

    `captured` websites were exempt from the proofs of a design, which they have none of.
    """

    websites: int
    walked: int
    findings: tuple[str, ...]
    captured: int = 0
    figures: tuple[str, ...] = ()


def audit(folder: Path) -> CheckResult:
    """Run the leak, shortcut and sameness audits over all of the bundle's websites.

    Raises:
        InputError: no bundle, or no gold.
    """
    bundle = open_bundle(folder)
    gold = open_gold(bundle)
    websites = audited_bundle(bundle, gold)
    audits = audit_websites(websites, int(gold.seed.seed))
    return CheckResult(
        websites=len(websites), walked=0, findings=audits.findings, figures=audits.lines()
    )


def check(
    folder: Path, *, browser: bool, sample: int | None, workers: int, tell: Update
) -> CheckResult:
    """Prove the bundle's websites; with `browser`, also walk them.

    Args:
        folder: the bundle.
        browser: walk the websites in the sealed browser; resumes where it stopped.
        sample: only so many websites, evenly spaced over the case ids.
        workers: browsers that work at once.
        tell: told how far the check is.

    Raises:
        InputError: no bundle, no gold, or no browser.
    """
    bundle = open_bundle(folder)
    gold = open_gold(bundle)
    cases = evenly_spaced(sorted(gold.strata), sample)
    captured = sum(gold.strata[case].captured for case in cases)
    findings = [
        f"{finding.where}: {finding.proof}: {finding.detail}"
        for finding in website_findings(bundle, gold, cases)
    ]
    if not browser:
        return CheckResult(
            websites=len(cases), walked=0, findings=tuple(findings), captured=captured
        )
    checked = asyncio.run(_walk(bundle, gold, cases, workers, tell))
    findings += [f"{each.case_id}: {found}" for each in checked.walked for found in each.findings]
    findings += [*checked.open, *checked.pictures.findings]
    return CheckResult(
        websites=len(cases),
        walked=len(checked.walked),
        findings=tuple(findings),
        captured=captured,
        figures=checked.pictures.lines(),
    )


def evenly_spaced(cases: list[str], count: int | None) -> list[str]:
    """Return `count` of the cases, evenly spaced; all of them if None or if there are fewer."""
    if count is None or count >= len(cases):
        return cases
    return [cases[place * len(cases) // count] for place in range(count)]


async def _walk(
    bundle: Bundle, gold: Gold, cases: list[str], workers: int, tell: Update
) -> BrowserCheck:
    settings = browser_settings()
    async with browsing_here(bundle, settings, workers) as (pool, visits):
        return await check_in_browser(
            bundle, gold, cases, pool, visits, settings, workers=workers, update=tell
        )
