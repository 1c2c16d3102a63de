"""All stages of one system, one after the other, once or several times."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from riskchainbench.core.errors import InputError
from riskchainbench.core.stage import MANIFEST
from riskchainbench.models.provider.prices import load_prices
from riskchainbench.models.registry import is_model
from riskchainbench.pipeline.judges import require_judge
from riskchainbench.pipeline.options import Options
from riskchainbench.pipeline.results import SCORES, score_runs, write_scores
from riskchainbench.pipeline.stages import Stages
from riskchainbench.scoring.records import Scores


class ProgressBar(Protocol):
    """Opens a progress display under a title; what it yields is told (done, total).

    `note` is asked now and then for a phrase to show beside it.
    """

    def __call__(
        self, title: str, note: Callable[[], str] | None = None
    ) -> AbstractContextManager[Callable[[int, int], None]]:
        """Open the display."""


RULES_JUDGE = "rules"


def run_stages(
    bundle: Path,
    run: Path,
    system: str,
    options: Options,
    progress: ProgressBar,
    judge: str = RULES_JUDGE,
) -> None:
    """Restore, investigate, conclude and judge; each stage resumes or is done already.

    Raises:
        InputError: the judge cannot judge, or the prices cannot be read, which is known before
            anything is paid for.
    """
    load_prices(options.asking.prices)
    require_judge(judge, options.judging, run)
    if is_model(judge):
        options = replace(options, shared_budget=True)
    stages = Stages(bundle, run, system, options)
    with progress(f"{system}: restore", stages.waiting) as update:
        stages.restore(update)
    with progress(f"{system}: investigate", stages.waiting) as update:
        stages.investigate(update)
    with progress(f"{system}: conclude", stages.waiting) as update:
        stages.conclude(update)
    with progress(f"{system}: judge", stages.waiting) as update:
        stages.judge(judge, update)


def evaluate(
    bundle: Path,
    run: Path,
    system: str,
    options: Options,
    progress: ProgressBar,
    *,
    judge: str = RULES_JUDGE,
    repeats: int = 1,
) -> Scores:
    """Run every stage of `system` and return its scores, which also stand in `run`.

    Args:
        bundle: the benchmark's folder.
        run: the run's folder; with several repeats the folder of the runs, one each.
        system: what is evaluated.
        options: of every repeat.
        progress: shows how far it is.
        judge: who rates the evidence.
        repeats: how often the system is run anew.

    Raises:
        InputError: the folder holds a single run where several are asked for, or the reverse.
    """
    require_repeats(run, repeats)
    runs = repeated(run, repeats)
    for number, folder in enumerate(runs, start=1):
        run_stages(bundle, folder, system, repeat_of(options, number), progress, judge)
    scores = score_runs(bundle, runs, prices=options.asking.prices).scores
    write_scores(scores, run / SCORES, [run])
    return scores


def repeated(run: Path, repeats: int) -> list[Path]:
    """Return the folder of each repeat: `run` itself where there is only one."""
    if repeats == 1:
        return [run]
    return [run / f"repeat-{number}" for number in range(1, repeats + 1)]


def require_repeats(run: Path, repeats: int) -> None:
    """Check that the folder `run` holds no runs of another kind: a single one, or repeats.

    Raises:
        InputError: it does.
    """
    if repeats > 1 and (run / MANIFEST).exists():
        raise InputError(
            f"{run}: holds a single run; name another folder for {repeats} repeats, or leave "
            "--repeat out to go on with it"
        )
    if repeats == 1 and (run / "repeat-1").exists():
        raise InputError(
            f"{run}: holds the runs of --repeat; give --repeat to go on with them, or name "
            "another folder"
        )


def repeat_of(options: Options, number: int) -> Options:
    """Return the options of repeat `number`; chance is drawn anew in each."""
    return replace(options, repeat=number, system_seed=options.system_seed + number - 1)
