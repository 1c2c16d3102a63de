"""Verifying a bundle from the disk: files, traces, audits and proofs."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import Verification, open_bundle, open_gold, verify_bundle
from riskchainbench.checks.bundle import check_messages, check_websites


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
        check_messages(bundle, gold)
        check_websites(bundle, gold)
    return result
