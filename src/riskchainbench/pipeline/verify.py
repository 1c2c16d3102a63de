"""Verifying a bundle from the disk: files, traces, audits and proofs."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import Bundle, Gold, Verification, open_bundle, open_gold, verify_bundle
from riskchainbench.checks.bundle import check_messages, check_websites
from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.seeds import commitment


def verify(folder: Path) -> Verification:
    """Verify the bundle in `folder` and run its audits and proofs again where it has gold.

    Raises:
        InputError: a file is missing or malformed, or an audit or a proof fails.
        IntegrityError: a file was changed.
    """
    bundle = open_bundle(folder)
    result = verify_bundle(bundle)
    if result.gold:
        gold = open_gold(bundle)
        _check_origin(bundle, gold)
        check_messages(bundle, gold)
        check_websites(bundle, gold)
    return result


def _check_origin(bundle: Bundle, gold: Gold) -> None:
    """Check that the public manifest tells the origin that the private record tells."""
    told, made = bundle.manifest, gold.seed
    if (told.preset, told.recipes) != (made.preset, made.recipes):
        raise IntegrityError(f"{bundle.folder}: the manifest tells of another preset or recipes")
    if told.seed_commitment != commitment(int(made.seed), made.salt):
        raise IntegrityError(f"{bundle.folder}: the manifest commits to another seed")
