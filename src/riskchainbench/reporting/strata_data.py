"""Every metric by stratum, as the page's chooser reads it: loaded when it is opened."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from riskchainbench.reporting.heat import GROUPS
from riskchainbench.reporting.score_tables import by_kind
from riskchainbench.scoring.catalogue import FAILED
from riskchainbench.scoring.records import Scores, StratumValue, Unit

Json = dict[str, Any]
Key = tuple[str, str]
"""A metric's id and a dimension."""


def strata_data(scores: Scores, fewest: int = 0) -> Json | None:
    """Return the strata of all systems by metric and dimension; None if there are none.

    With `fewest`, a metric and dimension are left out where a stratum has fewer websites, or
    the metric counts fewer units in one. A failure that never happened is left out.
    """
    found: dict[Key, dict[str, dict[str, StratumValue]]] = defaultdict(dict)
    for row in by_kind(scores.systems):
        for each in row.strata:
            key = (each.metric_id, each.dimension)
            found[key].setdefault(row.row_id, {})[each.value] = each
    shown = {key: rows for key, rows in found.items() if _shown(key, rows, fewest)}
    infos = {info.metric_id: info for info in scores.catalogue}
    metrics = [each for each in infos if any(key[0] == each for key in shown)]
    if not metrics:
        return None
    return {
        "metrics": [
            {
                "id": each,
                "family": infos[each].family.value,
                "title": infos[each].title_key,
                "ratio": infos[each].unit is Unit.RATIO,
            }
            for each in metrics
        ],
        "maps": {
            each: {
                dimension: _map(rows)
                for (metric, dimension), rows in shown.items()
                if metric == each
            }
            for each in metrics
        },
        "groups": GROUPS,
    }


def _shown(key: Key, rows: dict[str, dict[str, StratumValue]], fewest: int) -> bool:
    every = [each for cells in rows.values() for each in cells.values()]
    if f".{FAILED}" in key[0] and not any(each.count and each.count.numerator for each in every):
        return False
    smallest = min(each.websites for each in every)
    counted = [each.count.denominator for each in every if each.count]
    return min([smallest, *counted]) >= fewest


def _map(rows: dict[str, dict[str, StratumValue]]) -> Json:
    values = {name: each for cells in rows.values() for name, each in cells.items()}
    return {
        "values": [[name, each.websites, each.greyed] for name, each in values.items()],
        "rows": [
            [row_id, [_cell(cells.get(name)) for name in values]] for row_id, cells in rows.items()
        ],
    }


def _cell(found: StratumValue | None) -> list[Any]:
    """Return share, numerator, denominator, low and high, or the reason why there is no share."""
    if found is None:
        return []
    if found.share is None:
        return [found.undefined or ""]
    count, interval = found.count, found.interval
    return [
        round(found.share, 4),
        *((count.numerator, count.denominator) if count else (None, None)),
        *((round(interval.low, 4), round(interval.high, 4)) if interval else ()),
    ]
