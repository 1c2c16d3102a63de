"""The sameness audit: how much of its words does a website share with its nearest neighbor?

With brand and numbers masked, five-word runs (five code points where words are not spaced)
of every two websites of a language are compared; members of one set are no neighbors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.sparse import csr_matrix

from riskchainbench.checks.audited import AuditedWebsite, Floats, set_numbers
from riskchainbench.core.record import Record

RUN = 5
MEDIAN_LIMIT, MOST_LIMIT = 0.5, 0.9
NEAR = 0.8
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_UNSPACED = frozenset({"zh-CN", "zh-TW", "ja", "th"})


class LanguageSameness(Record):
    """Nearest-neighbor similarity of one language: Jaccard index of runs, own set left out.

    `near` counts pairs of websites above `NEAR`; `scenarios` holds the median of each scenario.
    """

    language: str
    websites: int
    median: float
    most: float
    near: int
    scenarios: dict[str, float]

    @property
    def fails(self) -> bool:
        """Whether websites are too much alike."""
        return self.median > MEDIAN_LIMIT or self.most > MOST_LIMIT


class SamenessAudit(Record):
    """What the audit found, by language."""

    schema_version: Literal["sameness-audit/1"] = "sameness-audit/1"
    languages: tuple[LanguageSameness, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        """What is wrong, one line each."""
        return tuple(
            f"{found.language}: nearest neighbors share {found.median:.2f} in the median "
            f"(at most {MEDIAN_LIMIT}) and {found.most:.2f} at most (at most {MOST_LIMIT})"
            for found in self.languages
            if found.fails
        )


def audit_sameness(websites: Sequence[AuditedWebsite]) -> SamenessAudit:
    """Compare all websites of each language that has websites of two sets or more."""
    by_language: dict[str, list[AuditedWebsite]] = {}
    for website in websites:
        by_language.setdefault(website.stratum.language, []).append(website)
    return SamenessAudit(
        languages=tuple(
            _language(language, members)
            for language, members in sorted(by_language.items())
            if len({member.stratum.contrast_set for member in members}) > 1
        )
    )


def _language(language: str, websites: Sequence[AuditedWebsite]) -> LanguageSameness:
    similar = _similarities([runs(website.words, language) for website in websites])
    groups = set_numbers(websites)
    similar[groups[:, None] == groups[None, :]] = -1
    nearest = similar.max(axis=1)
    by_scenario: dict[str, list[float]] = {}
    for website, value in zip(websites, nearest.tolist(), strict=True):
        by_scenario.setdefault(website.stratum.scenario, []).append(value)
    return LanguageSameness(
        language=language,
        websites=len(websites),
        median=round(float(np.median(nearest)), 4),
        most=round(float(nearest.max()), 4),
        near=int(np.sum(similar > NEAR)) // 2,
        scenarios={
            scenario: round(float(np.median(values)), 4)
            for scenario, values in sorted(by_scenario.items())
        },
    )


def runs(text: str, language: str) -> set[str]:
    """Return the runs of five words, or of five code points in unspaced languages."""
    masked = _NUMBER.sub("0", unicodedata.normalize("NFC", text)).casefold()
    if language in _UNSPACED:
        tokens = [char for char in masked if char.isalnum()]
    else:
        tokens = re.findall(r"\w+", masked)
    return {" ".join(tokens[place : place + RUN]) for place in range(len(tokens) - RUN + 1)}


def _similarities(sets: Sequence[set[str]]) -> Floats:
    places: dict[str, int] = {}
    rows, columns = [], []
    for row, members in enumerate(sets):
        for member in sorted(members):
            rows.append(row)
            columns.append(places.setdefault(member, len(places)))
    shape = (len(sets), max(1, len(places)))
    matrix = csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)
    common = np.asarray((matrix @ matrix.T).todense(), dtype=np.float64)
    sizes = np.array([len(members) for members in sets], dtype=np.float64)
    union = sizes[:, None] + sizes[None, :] - common
    return np.asarray(common / np.maximum(union, 1), dtype=np.float64)
