"""Keeps what is written out of frozen folders, which a file more would have fail their checks."""

from __future__ import annotations

import json
from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.core.stage import MANIFEST

_FROZEN = {"bundle": "bundle", "run": "run", "stage": "run"}
"""What a folder is whose manifest has a schema of that name."""


def refuse_inside_frozen(out: Path) -> None:
    """Refuse a file or folder that would lie in a bundle or run.

    Raises:
        InputError: it would; the message names the bundle or run.
    """
    for folder in (out.resolve(), *out.resolve().parents):
        try:
            found = json.loads((folder / MANIFEST).read_bytes())
        except (OSError, ValueError):
            continue
        kind = str(found.get("schema_version")) if isinstance(found, dict) else ""
        if kind.partition("/")[0] in _FROZEN:
            raise InputError(
                f"{out}: lies in the {_FROZEN[kind.partition('/')[0]]} {folder}; name a place "
                "outside of it"
            )
