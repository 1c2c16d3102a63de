"""Selecting websites from a pool, new or one's own, and what a bundle keeps of the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from riskchainbench.bundle.layout import SELECTION, SPLITS, WEBSITE_CHECKS
from riskchainbench.capture.joining import is_imported, unlabeled_websites
from riskchainbench.checks.certificate import WebsiteCertificate
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import SampleGold
from riskchainbench.core.store import json_bytes, write_json
from riskchainbench.messages.records import BuiltSession
from riskchainbench.websites.pool import candidates_of, read_candidates
from riskchainbench.websites.quotas import Candidate, Quotas, packaged_quotas, quotas_of
from riskchainbench.websites.selection import Certificate, select
from riskchainbench.websites.splits import kept_apart, splits
from riskchainbench.websites.synthesis import BuiltWebsite


@dataclass(frozen=True)
class Chosen:
    """The websites that were taken, the certificate if they were selected, and the seed.

    `checks` certifies the pool that they were taken from, where it is large enough for audits.
    """

    websites: tuple[BuiltWebsite, ...]
    certificate: Certificate | None
    seed: int
    checks: WebsiteCertificate | None = None

    def gold_files(
        self, case_ids: Mapping[str, str], samples: Sequence[SampleGold]
    ) -> Mapping[str, bytes]:
        """Return the files that evaluators get of a selection: its certificates and its parts."""
        files = {} if self.checks is None else {WEBSITE_CHECKS: json_bytes(self.checks)}
        if self.certificate is None:
            return files
        candidates = {case_ids[c.pool_id]: c for c in candidates_of(self.websites)}
        files[SELECTION] = json_bytes(self.certificate)
        try:
            files[SPLITS] = json_bytes(splits(candidates, samples, self.seed))
        except InputError:
            # Quotas of one's own may take too few sets for a lite part.
            return files
        return files

    def paired(
        self,
        partners: Sequence[int],
        sessions: Sequence[BuiltSession],
        websites: Sequence[BuiltWebsite],
    ) -> Sequence[int]:
        """Return which message leads to which website: in a selection, train and test apart."""
        if self.certificate is None:
            return partners
        return kept_apart(
            partners,
            [session.source.template for session in sessions],
            [built.stratum.scenario for built in websites],
            self.seed,
        )


def chosen_of(
    pool: tuple[BuiltWebsite, ...],
    quotas: Quotas | None,
    seed: int,
    checks: WebsiteCertificate | None = None,
) -> Chosen:
    """Return what `quotas` take of `pool`; all of it if there are none.

    Raises:
        InputError: a quota cannot hold.
    """
    if quotas is None:
        return Chosen(pool, None, seed, checks)
    certificate = select(_fitting(candidates_of(pool), quotas), quotas, seed)
    taken = set(certificate.selected)
    return Chosen(tuple(b for b in pool if b.pool_id in taken), certificate, seed, checks)


def _fitting(candidates: Sequence[Candidate], quotas: Quotas) -> Sequence[Candidate]:
    """Return the candidates if the quotas can be asked of them.

    Raises:
        InputError: quotas of labels are asked of websites that have none.
    """
    unlabeled = sum(candidate.decision is None for candidate in candidates)
    if unlabeled and (quotas.labels or quotas.type_min):
        raise InputError(
            f"selection {quotas.name}: asks for labels, and {unlabeled} captured websites have "
            "none; leave labels and type_min out of the quotas (--quotas)"
        )
    return candidates


def select_pool(
    folder: Path, selection: str | None, quotas: Path | None, seed: int, out: Path
) -> Certificate:
    """Select from the pool in `folder` and write the certificate to `out`.

    Args:
        folder: the pool.
        selection: the packaged quotas to select by; `balanced` if None.
        quotas: a TOML file of quotas in their place.
        seed: chooses among equally good selections.
        out: the file to write, which names the selected websites.

    Raises:
        UsageError: a packaged selection and quotas are both given.
        InputError: there is no pool, a website of it is damaged, or a quota cannot hold.
    """
    wanted = quotas_of(selection, quotas) or packaged_quotas("balanced")
    imported = is_imported(folder)
    candidates = candidates_of(unlabeled_websites(folder)) if imported else read_candidates(folder)
    certificate = select(_fitting(candidates, wanted), wanted, seed)
    write_json(out, certificate)
    return certificate
