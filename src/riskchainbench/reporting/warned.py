"""What a reader has to be told beside the tables, each thing once."""

from __future__ import annotations

from dataclasses import dataclass

from riskchainbench.reporting.strings import SAID
from riskchainbench.reporting.tables import Translate
from riskchainbench.scoring.records import Scores


@dataclass(frozen=True)
class Who:
    """What a warning says of some rows, and their names; either may be missing."""

    detail: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Warned:
    """One warning and the rows that it is about, or the detail that its own words name."""

    key: str
    rows: tuple[Who, ...]
    detail: str = ""


def warned(scores: Scores) -> tuple[Warned, ...]:
    """Return each warning once, with the rows that it is about."""
    found: dict[str, dict[str, list[str]]] = {}
    for warning in scores.warnings:
        rows = found.setdefault(warning.key.value, {}).setdefault(warning.detail, [])
        if warning.row_id is not None:
            rows.append(warning.row_id)
    return tuple(_warned(key, details) for key, details in found.items())


def _warned(key: str, details: dict[str, list[str]]) -> Warned:
    if not any(details.values()):
        return Warned(key, (), ", ".join(filter(None, details)))
    return Warned(key, tuple(Who(detail, tuple(rows)) for detail, rows in details.items()))


def _plain(who: Who, words: Translate) -> str:
    """Say what a warning is about and name its rows; one remark for all rows that share it."""
    detail = words(SAID + who.detail) if who.detail else ""
    return ": ".join(part for part in (detail, ", ".join(who.names)) if part)


def warning_lines(scores: Scores, words: Translate) -> list[str]:
    """Return one line of plain text a warning."""
    return [
        " ".join(
            (
                f"! {words(f'warning.{warning.key}.title')}",
                words(f"warning.{warning.key}.text", detail=warning.detail),
                *(
                    (f"({' · '.join(_plain(who, words) for who in warning.rows)})",)
                    if warning.rows
                    else ()
                ),
            )
        )
        for warning in warned(scores)
    ]
