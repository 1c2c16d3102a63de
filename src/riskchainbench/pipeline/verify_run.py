"""Verifying a submitted run, with or without the bundle it was made for."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import open_bundle
from riskchainbench.checks.run import RunVerification, verify_run


def verify_submission(run: Path, bundle: Path | None) -> RunVerification:
    """Check the run in the folder `run`.

    Raises:
        InputError: it is no run, is unfinished, or of another bundle.
        IntegrityError: something was changed after it was frozen.
    """
    return verify_run(run, open_bundle(bundle) if bundle is not None else None)
