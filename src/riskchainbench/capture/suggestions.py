"""Suggests the strata of a captured website, for a person to correct in a table."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path

from riskchainbench.capture.compiler import Compiled
from riskchainbench.capture.record import CaptureRecord, Origin, StrataSuggestion
from riskchainbench.core.errors import InputError

COLUMNS = (
    "website", "form", "topic", "language", "host_family", "front_end", "stateful", "depth",
    "difficulty",
)  # fmt: skip
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of scripts that say in one what others say in three."""


def suggest(compiled: Compiled, host: str, salt: str) -> StrataSuggestion:
    """Return what the website seems to be.

    Args:
        compiled: the website.
        host: of its start page; it enters as a salted hash, so that websites of one host
            share a family and nobody reads which.
        salt: of the pool.
    """
    website = compiled.loaded.website
    text = " ".join(compiled.texts.values()).lower()
    observed = [p for p, origin in compiled.origins.items() if origin is Origin.OBSERVED]
    depth = 1 + max((compiled.depths[page] for page in observed), default=0)
    forms = len(compiled.forms)
    site = ".".join(host.split(".")[-2:])
    family = hashlib.sha256(f"{salt} {site}".encode()).hexdigest()[:10]
    return StrataSuggestion(
        form=_form(compiled, text),
        topic=_topic(text),
        language=website.language,
        host_family=f"host-{family}",
        front_end="captured",
        stateful=bool(website.state),
        depth=depth,
        difficulty=depth - 1 + forms,
    )


def table(records: list[CaptureRecord]) -> bytes:
    """Return the suggestions as CSV, one row a website."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in sorted(records, key=lambda each: each.pool_id):
        values = record.strata.model_dump(mode="json")
        writer.writerow([record.pool_id, *(values[name] for name in COLUMNS[1:])])
    return out.getvalue().encode("utf-8")


def read_table(path: Path) -> dict[str, StrataSuggestion]:
    """Return a corrected table by website.

    Raises:
        InputError: naming the line and the column that is wrong.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV in UTF-8 ({error})") from error
    found: dict[str, StrataSuggestion] = {}
    for number, row in enumerate(rows, start=2):
        missing = [name for name in COLUMNS if not (row.get(name) or "").strip()]
        if missing:
            raise InputError(f"{path}: line {number}: {missing[0]} is empty")
        try:
            found[row["website"]] = StrataSuggestion.model_validate(
                {name: row[name].strip() for name in COLUMNS[1:]}
            )
        except ValueError as error:
            raise InputError(f"{path}: line {number}: {_first(error)}") from error
    return found


def _first(error: ValueError) -> str:
    lines = [line.strip() for line in str(error).splitlines()]
    return ": ".join(lines[1:3])[:200] if len(lines) > 2 else lines[0]


def _topic(text: str) -> str:
    counts = Counter(
        {
            topic: sum(len(re.findall(re.escape(word), text)) for word in words)
            for topic, words in _words()["topics"].items()
        }
    )
    best, count = counts.most_common(1)[0]
    return best if count >= 2 else "general"


def _form(compiled: Compiled, text: str) -> str:
    kinds = [f.kind for seen in compiled.forms for f in seen.fields]
    pages_html = (b for name, b in compiled.loaded.files.items() if name.endswith(".html"))
    links = sum(body.count(b"<a ") for body in pages_html)
    pages = max(1, len(compiled.texts))
    if "password" in kinds:
        return "login or registration"
    for form, words in _words()["forms"].items():
        if sum(text.count(word) for word in words) >= 3:
            return form
    if len(text) + 2 * len(_DENSE.findall(text)) < 300 and links:
        return "link page or interstitial"
    if links / pages > 25:
        return "portal"
    return "article" if len(text) / pages > 1500 else "landing page"


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    file = resources.files("riskchainbench.capture") / "data" / "strata.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
