"""The certificate of a bundle's websites: what was proved and audited of the whole pool.

It stands in the bundle's private part. It is a finding about data, so it is no part of the
bundle's identity: the last digits of an audit may differ from one processor to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from riskchainbench.bundle.layout import CANARY
from riskchainbench.checks.audits import WebsiteAudits
from riskchainbench.core.gold import Stratum
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.websites.dealing import parallel_groups

TOLERANCE = 0.02
"""By how much a figure of an audit may differ from one machine to another."""


class WebsiteCertificate(Record):
    """All proofs hold on `websites` websites; `audits` holds every figure of the audits.

    `generated` tells that the pool follows from the bundle's seed and from data of the hash
    `data_sha256`, so that it can be made and audited again. `parallel` counts the groups of
    whole contrast sets that state equal facts, by the number of their languages.
    """

    schema_version: Literal["website-certificate/1"] = "website-certificate/1"
    canary: str = CANARY
    generated: bool
    data_sha256: Sha256
    pool_sha256: Sha256
    websites: int
    sets: int
    families: int
    languages: dict[str, int]
    parallel: dict[int, int]
    audits: WebsiteAudits

    def lines(self) -> tuple[str, ...]:
        """Return every figure, one line each."""
        groups = ", ".join(f"{count} in {spoken}" for spoken, count in self.parallel.items())
        return (
            f"pool: {self.websites} websites of {self.sets} contrast sets proved",
            f"pool: {self.families} brand families, {len(self.languages)} languages",
            f"pool: groups of sets of equal facts by number of languages: {groups or 'none'}",
            *self.audits.lines(),
        )


def certified(
    strata: Sequence[Stratum],
    audits: WebsiteAudits,
    *,
    generated: bool,
    data_sha256: Sha256,
    pool_sha256: Sha256,
) -> WebsiteCertificate:
    """Return the certificate of a proved pool."""
    return WebsiteCertificate(
        generated=generated,
        data_sha256=data_sha256,
        pool_sha256=pool_sha256,
        websites=len(strata),
        sets=len({stratum.contrast_set for stratum in strata}),
        families=len({stratum.brand_family for stratum in strata}),
        languages=dict(sorted(Counter(stratum.language for stratum in strata).items())),
        parallel=parallel_groups(strata),
        audits=audits,
    )


def difference(told: WebsiteCertificate, found: WebsiteCertificate) -> str:
    """Return the first thing in which two certificates differ; empty where they agree.

    Figures agree within `TOLERANCE`.
    """
    mine, theirs = (c.model_dump(mode="json") for c in (told, found))
    return next(_differences(mine, theirs, ""), "")


def _differences(one: object, other: object, place: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            yield from _differences(one.get(name), other.get(name), f"{place}.{name}".strip("."))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from _differences(mine, theirs, f"{place}.{number}")
    elif isinstance(one, float) and isinstance(other, float):
        if abs(one - other) > TOLERANCE:
            yield f"{place} is {other}, not {one}"
    elif one != other:
        yield f"{place} is {other}, not {one}"
