"""Recording a site on loopback with the project's browser."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.capture.recording import Recording, record_site
from riskchainbench.pipeline.investigating import browser_settings


def record(url: str, out: Path, *, pages: int, forms: bool) -> Recording:
    """Record the site at `url` to the WACZ file `out`.

    Raises:
        InputError: `url` is not on loopback, `out` exists, or there is no browser.
        RiskChainError: the site did not answer.
    """
    return record_site(url, out, browser_settings(), pages=pages, forms=forms)
