"""Verifying a bundle from the disk: files, traces, audits and proofs."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import Bundle, Gold, Verification, open_bundle, open_gold, verify_bundle
from riskchainbench.checks.bundle import check_entries, check_messages, check_websites
from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.seeds import commitment
from riskchainbench.pipeline.build import PRESETS, recipe_of
from riskchainbench.pipeline.certifying import (
    Recertified,
    made_again,
    recertified,
    told_figures,
)
from riskchainbench.pipeline.pools import generating
from riskchainbench.pipeline.workers import Workers


def verify(folder: Path, processes: int = 1) -> Verification:
    """Verify the bundle in `folder` and run its audits and proofs again where it has gold.

    Args:
        folder: the bundle.
        processes: how many prove a large pool at once.

    Raises:
        InputError: a file is missing or malformed, or an audit or a proof fails.
        IntegrityError: a file was changed, or is not what comes out when it is made again.
    """
    bundle = open_bundle(folder)
    result = verify_bundle(bundle)
    if not result.gold:
        return result
    gold = open_gold(bundle)
    _check_origin(bundle, gold)
    again = _again(bundle, gold, processes)
    if again.proved:
        check_entries(bundle, gold)
    else:
        check_websites(bundle, gold)
    return result.but(figures=again.figures, notes=(*result.notes, *again.notes))


def _again(bundle: Bundle, gold: Gold, processes: int) -> Recertified:
    """Audit the messages, and make, prove and audit the pool where that can be done."""
    if bundle.manifest.preset not in PRESETS or not made_again(bundle):
        check_messages(bundle, gold)
        return told_figures(bundle) if bundle.manifest.preset in PRESETS else Recertified()
    recipe = recipe_of(bundle.manifest.preset, int(gold.seed.seed), bundle.codebook)
    with Workers(processes) as workers:
        made = generating(recipe, workers)
        # Messages come after the pool: they are read while its websites are being audited.
        messages = workers.start(_check_messages, bundle.folder)
        again = recertified(bundle, gold, made, workers)
        messages()
    return again


def _check_messages(folder: Path) -> None:
    bundle = open_bundle(folder)
    check_messages(bundle, open_gold(bundle))


def _check_origin(bundle: Bundle, gold: Gold) -> None:
    """Check that the public manifest tells the origin that the private record tells."""
    told, made = bundle.manifest, gold.seed
    if (told.preset, told.recipes) != (made.preset, made.recipes):
        raise IntegrityError(f"{bundle.folder}: the manifest tells of another preset or recipes")
    if told.seed_commitment != commitment(int(made.seed), made.salt):
        raise IntegrityError(f"{bundle.folder}: the manifest commits to another seed")
