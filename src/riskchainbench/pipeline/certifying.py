"""Certifying the websites of a bundle when it is built, and again when it is verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from riskchainbench import __version__
from riskchainbench.bundle import Bundle, Gold, open_bundle
from riskchainbench.bundle.layout import SELECTION, WEBSITE_CHECKS
from riskchainbench.checks.certificate import WebsiteCertificate, certified, difference
from riskchainbench.checks.proofs import require_proved
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.gold import LabelSource, PlacedComponent, WebsiteLabel
from riskchainbench.core.hashing import Sha256, sha256_json, sha256_listing
from riskchainbench.core.seeds import derive
from riskchainbench.core.store import read_json
from riskchainbench.pipeline.data_identity import data_sha256
from riskchainbench.pipeline.pools import Examined
from riskchainbench.pipeline.workers import Workers
from riskchainbench.websites.pool import candidates_of, website_sha256
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.selection import Certificate, select
from riskchainbench.websites.synthesis import BuiltWebsite


def certificate_of(
    found: Examined, seed: int, workers: Workers, *, generated: bool
) -> WebsiteCertificate | None:
    """Audit an examined pool; None where it is too small for audits.

    Args:
        found: the pool.
        seed: draws what the audits draw.
        workers: compare the websites beside the other audits.
        generated: whether the pool follows from the bundle's seed.
    """
    if not found.audited:
        return None
    # Small bundles need no classifiers, and their libraries take seconds to import.
    from riskchainbench.checks.audits import audit_websites

    return certified(
        [website.stratum for website in found.audited],
        audit_websites(found.audited, seed, workers.start),
        generated=generated,
        data_sha256=data_sha256(),
        pool_sha256=pool_sha256(found.websites),
    )


def pool_sha256(pool: Sequence[BuiltWebsite]) -> Sha256:
    """Return the identity of a pool: its websites by their ids."""
    return sha256_listing((built.pool_id, website_sha256(built.loaded)) for built in pool)


def require_audited(certificate: WebsiteCertificate | None) -> None:
    """Check that no audit found anything.

    Raises:
        InputError: one did; the message holds every finding.
    """
    findings = () if certificate is None else certificate.audits.findings
    if findings:
        raise InputError(
            f"audit of {certificate.websites if certificate else 0} websites: "
            + "; ".join(findings)
        )


def read_certificate(bundle: Bundle) -> WebsiteCertificate | None:
    """Return the certificate of a bundle's websites, if it has one and its gold is here."""
    if WEBSITE_CHECKS not in bundle.manifest.files or not (bundle.folder / WEBSITE_CHECKS).exists():
        return None
    return read_json(bundle.checked(WEBSITE_CHECKS), WebsiteCertificate)


def certificate_lines(folder: Path) -> tuple[str, ...]:
    """Return the figures of the certificates of the bundle in `folder`; none if it has none."""
    bundle = open_bundle(folder)
    told = read_certificate(bundle)
    chosen = _read_selection(bundle)
    return (*(told.lines() if told else ()), *(chosen.lines() if chosen else ()))


@dataclass(frozen=True)
class Recertified:
    """The figures of a bundle's certificates, and notes on what could not be made again.

    `proved` tells that the bundle's websites and what is claimed of them were found again in a
    pool that was made, proved and audited anew.
    """

    figures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    proved: bool = False


def made_again(bundle: Bundle) -> bool:
    """Tell whether the pool that a bundle was taken from can be made again here."""
    told = read_certificate(bundle)
    return told is not None and not _not_again(bundle, told)


def told_figures(bundle: Bundle) -> Recertified:
    """Return what the certificates of a bundle tell whose pool is not made again."""
    told = read_certificate(bundle)
    if told is None:
        return Recertified()
    if told.generated:
        require_audited(told)
    return Recertified(certificate_lines(bundle.folder), (_not_again(bundle, told),))


def recertified(
    bundle: Bundle, gold: Gold, made: Callable[[], Examined], workers: Workers
) -> Recertified:
    """Hold the certificate of a bundle to its pool, made and proved again, and audit that.

    Args:
        bundle: one whose pool was `made_again`.
        gold: its gold.
        made: gives the pool.
        workers: audit and select beside each other.

    Raises:
        InputError: a proof or an audit fails.
        IntegrityError: the certificate tells of another pool, or the bundle's websites are
            not those that were selected from it.
    """
    told = read_certificate(bundle)
    require_audited(told)
    found = made()
    require_proved(found.findings)
    selected = _selected_again(bundle, gold, found.websites, workers)
    again = certificate_of(found, derive(int(gold.seed.seed), "audits"), workers, generated=True)
    require_audited(again)
    if told is None or again is None:
        raise IntegrityError(f"{bundle.folder}: there is no pool to audit")
    differs = difference(told, again)
    if differs:
        raise IntegrityError(f"{bundle.folder / WEBSITE_CHECKS}: made again, {differs}")
    _require_selected(bundle, gold, found.websites, selected() if selected else None)
    return Recertified(certificate_lines(bundle.folder), proved=True)


def _selected_again(
    bundle: Bundle, gold: Gold, pool: Sequence[BuiltWebsite], workers: Workers
) -> Callable[[], Certificate] | None:
    told = _read_selection(bundle)
    if told is None:
        return None
    seed = derive(int(gold.seed.seed), "selection")
    return workers.start(select, candidates_of(pool), told.quotas, seed)


def _read_selection(bundle: Bundle) -> Certificate | None:
    if SELECTION not in bundle.manifest.files or not (bundle.folder / SELECTION).exists():
        return None
    return read_json(bundle.checked(SELECTION), Certificate)


def _not_again(bundle: Bundle, told: WebsiteCertificate) -> str:
    if not told.generated:
        return "the pool came from a folder, so its audits were not run again"
    if bundle.manifest.generator != __version__ or told.data_sha256 != data_sha256():
        return (
            f"the pool was made by version {bundle.manifest.generator} from other data than "
            "those installed here, so its audits were not run again"
        )
    return ""


def _require_selected(
    bundle: Bundle, gold: Gold, pool: Sequence[BuiltWebsite], again: Certificate | None
) -> None:
    """Check that the bundle holds what was selected of the pool, and claims what it claims."""
    taken = pool
    told = _read_selection(bundle)
    if told is not None and again is not None:
        if again.solver == told.solver and again != told:
            raise IntegrityError(
                f"{bundle.folder / SELECTION}: made again, another selection comes out"
            )
        chosen = set(told.selected)
        taken = [built for built in pool if built.pool_id in chosen]
    designed = gold.label_source is LabelSource.DESIGNED
    made = Counter(_claim(b, b.loaded, b.components, designed=designed) for b in taken)
    held = Counter(
        _claim(gold.labels[case], loaded, gold.components[case], designed=designed)
        for case, loaded in bundle.websites().items()
    )
    whole = bundle.manifest.part or held.total() == len(taken)
    if held - made or not whole:
        raise IntegrityError(
            f"{bundle.folder}: its websites, labels and components are not those of the selection"
        )


def _claim(
    label: BuiltWebsite | WebsiteLabel,
    loaded: LoadedWebsite,
    components: Sequence[PlacedComponent],
    *,
    designed: bool,
) -> Sha256:
    """Return the identity of a website and what is claimed of it; of labels only the designed."""
    kinds = [str(label.decision), label.violation_type, *label.secondary_types]
    placed = [component.but(case_id="").model_dump(mode="json") for component in components]
    return sha256_json([website_sha256(loaded), kinds if designed else [], placed])
