"""From submitted runs to a leaderboard: verified, grouped by protocol, scored board by board.

Runs stand on one board only where everything that could move a score besides the system is
the same: tasks, generator, codebook, prompts, repair turns and the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from riskchainbench.bundle import Bundle, open_bundle, open_gold
from riskchainbench.checks.run import verify_run
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage
from riskchainbench.core.hashing import sha256_json
from riskchainbench.core.stage import read_run
from riskchainbench.reporting.leaderboard import Board, BoardKind, write_leaderboard
from riskchainbench.scoring.load import load_run, stage_protocol
from riskchainbench.scoring.records import Scores, WarningKey
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.score import score

Protocol = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Entry:
    """A run on its way to its boards; a protocol is None where that task was not run."""

    run: Path
    data: RunData
    restoration: Protocol | None
    investigation: Protocol | None

    def scored(self, kind: BoardKind) -> RunData:
        """Return what a board of that kind scores, so that no other task has a say in it."""
        if kind is BoardKind.RESTORATION:
            return replace(self.data, conclusions=None, judges=(), unfinished_judges=())
        if kind is BoardKind.INVESTIGATION:
            return replace(self.data, predictions=None, judges=(), unfinished_judges=())
        return replace(self.data, judges=(), unfinished_judges=())

    def protocol(self, kind: BoardKind) -> Protocol | None:
        """Return what has to be equal on a board of that kind; None if the run has no place."""
        if kind is BoardKind.RESTORATION:
            return self.restoration
        if kind is BoardKind.INVESTIGATION or self.investigation is None:
            return self.investigation
        if self.restoration is None or self.data.gated_missing is not None:
            return None
        return (*self.restoration, *self.investigation)


def leaderboard(runs: Sequence[Path], bundles: Sequence[Path], out: Path) -> Path:
    """Write the leaderboard of `runs` into `out` and return its page.

    Raises:
        InputError: a run's bundle is not among `bundles`, two of them have the same tasks, or a
            run is not whole.
        IntegrityError: a run or a bundle was changed after it was frozen.
    """
    if len({run.resolve() for run in runs}) != len(runs):
        raise InputError("a run is named twice; name each once")
    opened = _opened(bundles)
    grouped: dict[str, list[Entry]] = {}
    for run in runs:
        tasks = read_run(run).tasks_sha256
        if tasks not in opened:
            raise InputError(f"{run}: made for tasks {tasks[:12]}; name their bundle with --bundle")
        verify_run(run, opened[tasks])
        grouped.setdefault(tasks, []).append(_entry(run, opened[tasks]))
    boards = [
        board
        for tasks, entries in sorted(grouped.items())
        for board in _boards(opened[tasks], entries)
    ]
    order = list(BoardKind)
    return write_leaderboard(sorted(boards, key=lambda board: order.index(board.kind)), out)


def _opened(bundles: Sequence[Path]) -> dict[str, Bundle]:
    found: dict[str, Bundle] = {}
    for folder in bundles:
        bundle = open_bundle(folder)
        if bundle.tasks_sha256 in found:
            raise InputError(
                f"{folder}: a bundle of the same tasks is named already; name the one whose labels "
                "count"
            )
        found[bundle.tasks_sha256] = bundle
    return found


def _entry(run: Path, bundle: Bundle) -> Entry:
    restoration = _settings(run, Stage.RESTORATION)
    investigation = [
        *_settings(run, Stage.INVESTIGATION),
        *_settings(run, Stage.CONCLUSION),
    ]
    clock = dict(investigation).get("investigation.count_provider_time")
    shown = {"True": "with provider time", "False": "without provider time"}
    return Entry(
        run,
        load_run(run, bundle),
        (("restoration_prompt", sha256_json(restoration)),) if restoration else None,
        (
            ("investigation_prompt", sha256_json(investigation)),
            ("clock", shown.get(clock or "", "not recorded")),
        )
        if investigation
        else None,
    )


def _settings(run: Path, stage: Stage) -> list[tuple[str, str]]:
    return [(f"{stage}.{name}", value) for name, value in stage_protocol(run, stage).items()]


def _boards(bundle: Bundle, entries: Sequence[Entry]) -> list[Board]:
    gold = open_gold(bundle)
    common = (
        ("tasks", bundle.tasks_sha256),
        ("gold", gold.gold_sha256),
        ("labels", gold.label_source.value),
        ("generator", bundle.manifest.generator),
        ("codebook", f"{bundle.codebook.codebook_id} {bundle.codebook.version}"),
    )
    found: list[Board] = []
    for kind in BoardKind:
        members: dict[Protocol, list[RunData]] = {}
        for entry in entries:
            protocol = entry.protocol(kind)
            if protocol is not None:
                members.setdefault(protocol, []).append(entry.scored(kind))
        for protocol, runs in sorted(members.items(), key=lambda item: item[0]):
            scores = _of_its_kind(kind, score(bundle, gold, runs).without_units())
            found.append(Board(kind, (*common, *protocol), scores))
    return found


def _of_its_kind(kind: BoardKind, scores: Scores) -> Scores:
    """Leave out the warning that a view is missing which the board does not show."""
    if kind is BoardKind.COMPOSITION:
        return scores
    kept = (each for each in scores.warnings if each.key is not WarningKey.NO_GATED_VIEW)
    return scores.but(warnings=tuple(kept))
