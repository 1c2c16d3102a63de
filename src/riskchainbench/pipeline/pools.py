"""A pool built, proved and read for its audits, in several processes where it is large.

Websites are made and proved by contrast set, and each set follows from the seed alone, so the
outcome does not depend on the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from riskchainbench.checks.audited import ENOUGH, AuditedWebsite, audited_pool
from riskchainbench.checks.proofs import Finding, pool_findings
from riskchainbench.core.codebook import Codebook
from riskchainbench.pipeline.workers import Workers
from riskchainbench.websites.synthesis import BuiltWebsite, build_sets, realizations

_PARTS = 16
"""Parts of a large pool: each is let go before the next, which bounds the memory."""


ContrastSet = tuple[BuiltWebsite, ...]


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

    def build(self, part: tuple[int, int] = (0, 1)) -> Iterator[ContrastSet]:
        """Yield every n-th contrast set from the k-th on, for `part` ``(k, n)``."""
        return build_sets(
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


def generated(recipe: PoolRecipe, workers: Workers) -> Examined:
    """Return the pool of a recipe, examined; its sets stand in the order of their numbers.

    Raises:
        InputError: no scenario fits the codebook.
        RiskChainError: a process was ended from outside.
    """
    return generating(recipe, workers)()


def generating(recipe: PoolRecipe, workers: Workers) -> Callable[[], Examined]:
    """Begin what `generated` does; calling the outcome waits for it."""
    if recipe.websites < ENOUGH:
        small = _examined(recipe.codebook, recipe.build(), audits=False)
        return lambda: small
    parts = [(number, _PARTS) for number in range(_PARTS)]
    begun = [workers.start(_generated_part, recipe, part) for part in parts]
    return lambda: _joined([pending() for pending in begun], None)


def examined(pool: Sequence[BuiltWebsite], codebook: Codebook, workers: Workers) -> Examined:
    """Return a pool that was read from a folder, examined, in the order in which it came.

    Raises:
        RiskChainError: a process was ended from outside.
    """
    sets: dict[str, list[BuiltWebsite]] = {}
    for built in pool:
        sets.setdefault(built.stratum.contrast_set, []).append(built)
    members = list(map(tuple, sets.values()))
    if sum(not built.stratum.captured for built in pool) < ENOUGH:
        return replace(_examined(codebook, members, audits=False), websites=tuple(pool))
    parts = [tuple(members[number::_PARTS]) for number in range(_PARTS)]
    begun = [workers.start(_examined_part, codebook, part) for part in parts]
    found = _joined([pending() for pending in begun], [b.pool_id for b in pool])
    return replace(found, websites=tuple(pool))


def _generated_part(recipe: PoolRecipe, part: tuple[int, int]) -> Examined:
    return _examined(recipe.codebook, recipe.build(part), audits=True)


def _examined_part(codebook: Codebook, sets: Iterable[ContrastSet]) -> Examined:
    return replace(_examined(codebook, sets, audits=True), websites=())


def _examined(codebook: Codebook, sets: Iterable[ContrastSet], *, audits: bool) -> Examined:
    """Examine set by set: what was read of a set's pages is at hand for all that reads it."""
    known = realizations(codebook)
    websites: list[BuiltWebsite] = []
    findings: list[Finding] = []
    audited: list[AuditedWebsite] = []
    for members in sets:
        websites += members
        findings += pool_findings(members, codebook, known)
        # Captured websites follow no design that an audit could test.
        audited += audited_pool(members) if audits else ()
    return Examined(tuple(websites), tuple(findings), tuple(audited))


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
