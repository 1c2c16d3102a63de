"""A pool built, proved and read for its audits, in several processes where it is large.

Websites are made and proved by contrast set, and each set follows from the seed alone, so the
outcome does not depend on the number of processes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial

from riskchainbench.checks.audited import ENOUGH, AuditedWebsite, audited_pool
from riskchainbench.checks.proofs import Finding, pool_findings
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import RiskChainError
from riskchainbench.websites.synthesis import BuiltWebsite, build_pool

_PARTS = 16
"""Parts of a large pool: each is let go before the next, which bounds the memory."""


@dataclass(frozen=True)
class PoolRecipe:
    """What a generated pool follows from."""

    seed: int
    codebook: Codebook
    sets: int
    pairs: int = 0
    languages: tuple[str, ...] | None = None

    @property
    def websites(self) -> int:
        """How many websites it gives."""
        return 3 * self.sets + 2 * self.pairs

    def build(self, part: tuple[int, int] = (0, 1)) -> tuple[BuiltWebsite, ...]:
        """Return every n-th contrast set from the k-th on, for `part` ``(k, n)``."""
        return build_pool(
            self.seed,
            self.codebook,
            self.sets,
            pairs=self.pairs,
            languages=self.languages,
            part=part,
        )


@dataclass(frozen=True)
class Examined:
    """A pool, what was not proved of it, and, if it is large enough, what its audits read."""

    websites: tuple[BuiltWebsite, ...]
    findings: tuple[Finding, ...]
    audited: tuple[AuditedWebsite, ...] = field(default=())


def generated(recipe: PoolRecipe, processes: int = 1) -> Examined:
    """Return the pool of a recipe, examined; its sets stand in the order of their numbers.

    Raises:
        InputError: no scenario fits the codebook.
        RiskChainError: a process was ended from outside.
    """
    if recipe.websites < ENOUGH:
        return _examined(recipe.codebook, recipe.build(), audits=False)
    parts = [(number, _PARTS) for number in range(_PARTS)]
    found = _mapped(partial(_generated_part, recipe), parts, processes)
    return _joined(found, None)


def examined(pool: Sequence[BuiltWebsite], codebook: Codebook, processes: int = 1) -> Examined:
    """Return a pool that was read from a folder, examined, in the order in which it came.

    Raises:
        RiskChainError: a process was ended from outside.
    """
    if sum(not built.stratum.captured for built in pool) < ENOUGH:
        return _examined(codebook, tuple(pool), audits=False)
    sets: dict[str, list[BuiltWebsite]] = {}
    for built in pool:
        sets.setdefault(built.stratum.contrast_set, []).append(built)
    members = list(sets.values())
    parts = [
        tuple(built for each in members[number::_PARTS] for built in each)
        for number in range(_PARTS)
    ]
    found = _mapped(partial(_examined_part, codebook), parts, processes)
    return replace(_joined(found, [b.pool_id for b in pool]), websites=tuple(pool))


def _generated_part(recipe: PoolRecipe, part: tuple[int, int]) -> Examined:
    return _examined(recipe.codebook, recipe.build(part), audits=True)


def _examined_part(codebook: Codebook, pool: tuple[BuiltWebsite, ...]) -> Examined:
    return replace(_examined(codebook, pool, audits=True), websites=())


def _examined(codebook: Codebook, pool: tuple[BuiltWebsite, ...], *, audits: bool) -> Examined:
    findings = tuple(pool_findings(pool, codebook))
    # Captured websites follow no design that an audit could test.
    designed = [built for built in pool if audits and not built.stratum.captured]
    return Examined(pool, findings, audited_pool(designed))


def _mapped(work: partial[Examined], parts: Sequence[object], processes: int) -> list[Examined]:
    if processes == 1:
        return [work(part) for part in parts]
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(processes, mp_context=context) as executor:
            return list(executor.map(work, parts))
    except BrokenProcessPool as error:
        raise RiskChainError(
            "a process that proves websites was ended from outside; free memory, or allow one "
            "process only"
        ) from error


def _joined(parts: Iterable[Examined], order: Sequence[str] | None) -> Examined:
    """Join parts: by the numbers of their sets, or in the order of the ids if one is given."""
    found = list(parts)
    websites = [built for part in found for built in part.websites]
    audited = [website for part in found for website in part.audited]
    findings = tuple(finding for part in found for finding in part.findings)
    if order is not None:
        place = {pool_id: number for number, pool_id in enumerate(order)}
        audited.sort(key=lambda website: place[website.case_id])
        return Examined((), findings, tuple(audited))
    websites.sort(key=lambda built: built.stratum.contrast_set)
    audited.sort(key=lambda website: website.stratum.contrast_set)
    return Examined(tuple(websites), findings, tuple(audited))
