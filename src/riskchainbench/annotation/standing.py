"""Where every website stands, kept up as the ledger grows.

A standing is never changed once it was handed out, so that a page may read it while others
judge: what an entry touches is copied first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from riskchainbench.annotation.records import (
    Adjudication,
    HumanJudgment,
    LedgerLine,
    SiteReport,
    TrainingAnswer,
)
from riskchainbench.annotation.resolution import CaseFile, Resolution, resolve, taken


@dataclass(frozen=True)
class Standing:
    """The state of all websites, read off the ledger at one moment.

    `trained` holds each person's answers to training websites; `practiced` names those that
    they answered or left.
    """

    files: dict[str, CaseFile]
    resolutions: dict[str, Resolution]
    trained: dict[str, tuple[TrainingAnswer, ...]] = field(default_factory=dict)
    practiced: dict[str, frozenset[str]] = field(default_factory=dict)


class Standings:
    """The newest standing of a project."""

    def __init__(self, cases: Iterable[str]) -> None:
        files = {case_id: CaseFile(case_id) for case_id in cases}
        self._seen = 0
        self._now = Standing(files, {case_id: resolve(file) for case_id, file in files.items()})
        self._lock = Lock()

    def after(self, lines: Sequence[LedgerLine]) -> Standing:
        """Return the standing after `lines`, the whole ledger; only what is new is looked at."""
        with self._lock:
            if len(lines) > self._seen:
                self._now = _after(self._now, lines[self._seen :])
                self._seen = len(lines)
            return self._now


def _after(before: Standing, new: Sequence[LedgerLine]) -> Standing:
    files, trained = dict(before.files), dict(before.trained)
    practiced = dict(before.practiced)
    touched: set[str] = set()
    for line in new:
        entry = line.entry
        if isinstance(entry, HumanJudgment | Adjudication | SiteReport) and entry.case_id in files:
            files[entry.case_id] = taken(files[entry.case_id], line)
            touched.add(entry.case_id)
        elif isinstance(entry, TrainingAnswer | SiteReport):
            done = practiced.get(entry.person, frozenset())
            practiced[entry.person] = done | {entry.case_id}
        if isinstance(entry, TrainingAnswer):
            trained[entry.person] = (*trained.get(entry.person, ()), entry)
    resolutions = {
        **before.resolutions,
        **{case_id: resolve(files[case_id]) for case_id in touched},
    }
    return Standing(files, resolutions, trained, practiced)
