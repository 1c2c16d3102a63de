"""The leaderboard: a static site of one or many runs, each board for one protocol only.

What may stand on one board is decided by whoever fills a `Board`; this file ranks nothing
itself and shows nothing of the gold.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from riskchainbench.reporting.chunks import write_file, write_script
from riskchainbench.reporting.page import (
    PAGE_ASSETS,
    attribute_in,
    in_all,
    new_folder,
    rendered,
    write_assets,
)
from riskchainbench.reporting.score_tables import main_tables
from riskchainbench.reporting.strings import LANGUAGES, all_strings
from riskchainbench.reporting.tables import Table, to_csv
from riskchainbench.reporting.warned import Warned, warned
from riskchainbench.scoring.catalogue import CATALOGUE
from riskchainbench.scoring.records import Family, Scores


class BoardKind(StrEnum):
    """What a board ranks; each is a table of the report."""

    RESTORATION = "restoration"
    INVESTIGATION = "investigation"
    COMPOSITION = "composition"


@dataclass(frozen=True)
class Board:
    """Runs under one protocol, scored together.

    `protocol` names what all of them have in common, in the order it is to be shown: each a
    key of ``strings.toml`` under `board`, or the readable name of a setting, and its value.
    """

    kind: BoardKind
    protocol: tuple[tuple[str, str], ...]
    scores: Scores


@dataclass(frozen=True)
class _Shown:
    number: int
    board: Board
    table: Table
    warnings: tuple[Warned, ...]


def write_leaderboard(
    boards: Sequence[Board], out: Path, languages: Sequence[str] = LANGUAGES
) -> Path:
    """Write the site into `out` and return the path of its ``index.html``.

    The folder appears whole or not at all; a report that stands there is replaced.

    Raises:
        InputError: `out` holds something that is no report.
    """
    shown = [
        _Shown(number, board, table, warned(board.scores))
        for number, board in enumerate(boards, start=1)
        if (table := _table(board, number)) is not None
    ]
    with new_folder(out) as work:
        write_assets(work, PAGE_ASSETS)
        write_script(work / "assets" / "strings.js", "strings", all_strings())
        write_script(work / "assets" / "index.js", "index", {"languages": list(languages)})
        for each in shown:
            write_file(work / "tables" / f"board-{each.number}.csv", to_csv(each.table))
        write_file(work / "leaderboard.json", _data(shown))
        page = rendered(
            "leaderboard.html.j2",
            boards=shown,
            systems=len({row.name for board in boards for row in board.scores.systems}),
            version=boards[0].scores.header.version if boards else "",
            languages=languages,
            t=in_all(languages, {}),
            attribute=attribute_in(languages[0]),
        )
        write_file(work / "index.html", page)
    return out / "index.html"


def _table(board: Board, number: int) -> Table | None:
    found = next((t for t in main_tables(board.scores) if t.key == board.kind.value), None)
    if found is None:
        return None
    notes = tuple(note for note in found.notes if note.key != "note.intervals" or number == 1)
    return replace(found, notes=notes)


def _data(shown: Sequence[_Shown]) -> str:
    """Return every board as data, without what sums up stated confidences.

    Beside the confidences themselves such sums, unrounded, tell which answers are right.
    """
    unprinted = {info.metric_id for info in CATALOGUE if info.family is Family.CALIBRATION}
    value = [
        {
            "board": each.number,
            "kind": each.board.kind.value,
            "protocol": dict(each.board.protocol),
            "rows": [
                {
                    "system": row.name,
                    "repeat": row.repeat,
                    "kind": row.kind.value,
                    "metrics": [
                        metric.model_dump(mode="json")
                        for metric in row.metrics
                        if metric.metric_id not in unprinted
                    ],
                }
                for row in each.board.scores.systems
            ],
            "tied_groups": [
                groups.model_dump(mode="json") for groups in each.board.scores.tied_groups
            ],
        }
        for each in shown
    ]
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
