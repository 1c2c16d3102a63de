"""The reference block of published results; never comparable with a run made here."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from riskchainbench.scoring.records import Published


@cache
def published() -> Published:
    """Return the published results that ship with the project."""
    file = resources.files("riskchainbench.scoring") / "data" / "published_results.json"
    return Published.model_validate(json.loads(file.read_text(encoding="utf-8")))
