"""Lets imported websites join `select`, `build` and `annotate` like any other.

An imported website has no label of its own: until a person gives one, it can be selected,
frozen, served and investigated, but not scored.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from riskchainbench.capture.entry import SALT, STRATA, WEBSITES, records
from riskchainbench.capture.record import CaptureRecord, StrataSuggestion
from riskchainbench.capture.suggestions import read_table
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import UNKNOWN_TYPE, Decision, compatible
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import CAPTURED, Stratum
from riskchainbench.websites.files import read_website
from riskchainbench.websites.pool import MANIFEST
from riskchainbench.websites.synthesis import BuiltWebsite

COLUMNS = ("website", "decision", "violation_type")
_NONE = "holds no imported website; riskchain import makes some"


def is_imported(pool: Path) -> bool:
    """Tell whether a folder is a pool of imported websites, which have no labels."""
    return (pool / SALT).exists() and not (pool / MANIFEST).exists()


def unlabeled_websites(pool: Path) -> tuple[BuiltWebsite, ...]:
    """Return the imported websites of `pool` as they are, by id: without a label.

    Raises:
        InputError: there is none, or its table of strata holds what it may not hold.
    """
    strata = read_table(pool / STRATA)
    found = tuple(
        _joined(pool, record, strata.get(record.pool_id, record.strata), None, UNKNOWN_TYPE)
        for record in records(pool)
    )
    if not found:
        raise InputError(f"{pool}: {_NONE}")
    return found


def labeled_websites(pool: Path, labels: Path, codebook: Codebook) -> tuple[BuiltWebsite, ...]:
    """Return the imported websites of `pool` with the labels of a table, by id.

    Every website needs a label: one without would be a case that cannot be scored. Components
    are empty, since nobody designed where the evidence stands.

    Args:
        pool: of imported websites; its table of strata counts as corrected.
        labels: CSV with the columns website, decision, violation_type.
        codebook: whose types may be named.

    Raises:
        InputError: naming the line and what is wrong with it, or the websites without a label.
    """
    known = {record.pool_id: record for record in records(pool)}
    if not known:
        raise InputError(f"{pool}: {_NONE}")
    given = _read_labels(labels, codebook)
    strata = read_table(pool / STRATA)
    missing = sorted(known.keys() - given.keys())
    if missing:
        raise InputError(
            f"{labels}: no label for {', '.join(missing[:5])} ({len(missing)} in all); captured "
            "websites cannot be scored without labels from people"
        )
    return tuple(
        _joined(pool, record, strata.get(name, record.strata), *given[name])
        for name, record in sorted(known.items())
    )


def _read_labels(path: Path, codebook: Codebook) -> dict[str, tuple[Decision, str]]:
    try:
        table = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        rows = list(table)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV in UTF-8 ({error})") from error
    if missing := [name for name in COLUMNS if name not in (table.fieldnames or ())]:
        raise InputError(f"{path}: no column {', '.join(missing)} in its first line")
    found: dict[str, tuple[Decision, str]] = {}
    for number, row in enumerate(rows, start=2):
        values = [(row.get(name) or "").strip() for name in COLUMNS]
        name, decision, kind = values
        if decision not in list(Decision):
            raise InputError(f"{path}: line {number}: decision {decision!r} is none")
        known = kind in codebook.type_ids or kind in ("NONE", "UNKNOWN")
        if not known or not compatible(Decision(decision), kind):
            raise InputError(f"{path}: line {number}: {kind!r} does not go with {decision}")
        if name in found:
            raise InputError(f"{path}: line {number}: {name} is labeled twice")
        found[name] = (Decision(decision), kind)
    return found


def _joined(
    pool: Path,
    record: CaptureRecord,
    strata: StrataSuggestion,
    decision: Decision | None,
    kind: str,
) -> BuiltWebsite:
    loaded = read_website(pool / WEBSITES / record.pool_id)
    return BuiltWebsite(
        pool_id=record.pool_id,
        loaded=loaded,
        decision=decision,
        violation_type=kind,
        secondary_types=(),
        components=(),
        stratum=Stratum(
            case_id=record.pool_id,
            contrast_set=record.pool_id,
            scenario=CAPTURED,
            brand_family=strata.host_family,
            form=strata.form,
            topic=strata.topic,
            language=strata.language,
            front_end=strata.front_end,
            clickable=len(loaded.website.pages) > 1,
            stateful=strata.stateful,
            depth=strata.depth,
            difficulty=strata.difficulty,
            oracle_steps=0,
        ),
    )
