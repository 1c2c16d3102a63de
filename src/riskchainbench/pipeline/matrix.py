"""Many systems over one bundle, from a file that names them; resumed like any run.

A system that cannot be run keeps no other from running.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from riskchainbench.bundle import open_bundle
from riskchainbench.core.errors import InputError, RiskChainError
from riskchainbench.core.record import Record
from riskchainbench.investigation.ablations import Ablation
from riskchainbench.models.provider.settings import ModelSettings, Pace
from riskchainbench.pipeline.evaluate import (
    RULES_JUDGE,
    ProgressBar,
    repeat_of,
    repeated,
    require_repeats,
    run_stages,
)
from riskchainbench.pipeline.human import require_system
from riskchainbench.pipeline.judges import require_judge_name
from riskchainbench.pipeline.options import Asking, Options


class SystemEntry(Record):
    """One system of a matrix. `folder` names its runs where two entries would share one."""

    name: str
    folder: str | None = Field(default=None, pattern=r"^[\w.-]+$")
    repeats: int = Field(default=1, gt=0)
    seed: int = Field(default=0, ge=0)
    unprobed: bool = False
    input: Literal["text", "image"] = "text"
    ablate: tuple[Literal["codebook", "screenshot", "text", "interaction", "scaffold"], ...] = ()
    max_cost: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    settings: ModelSettings = ModelSettings()
    pace: Pace = Pace()

    @property
    def place(self) -> str:
        """The folder of its runs below the matrix's."""
        if self.folder is not None:
            return self.folder
        marks = [f"no-{name}" for name in self.ablate] + (
            ["image"] if self.input == "image" else []
        )
        return "--".join([*re.split("[/:]", self.name), *marks])


class Matrix(Record):
    """The systems to run, and who judges them."""

    judge: str = RULES_JUDGE
    judge_settings: ModelSettings = ModelSettings()
    system: tuple[SystemEntry, ...] = Field(min_length=1)


@dataclass(frozen=True)
class Ran:
    """The runs of one system, and why it could not be finished, if it could not."""

    name: str
    runs: tuple[Path, ...]
    error: str = ""


def read_matrix(path: Path) -> Matrix:
    """Read a matrix of systems.

    Raises:
        InputError: the file cannot be read, holds an unknown key, system or judge, or two
            entries share a folder.
    """
    matrix = _parsed(path)
    require_judge_name(matrix.judge)
    places: set[str] = set()
    for entry in matrix.system:
        require_system(entry.name)
        if entry.place in places:
            raise InputError(f"{path}: two systems share the folder {entry.place}; add `folder`")
        places.add(entry.place)
    return matrix


def _parsed(path: Path) -> Matrix:
    try:
        value: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return Matrix.model_validate(value)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a list of systems: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: {place}: {first['msg']}") from error


def run_matrix(
    bundle: Path, runs: Path, matrix: Matrix, options: Options, progress: ProgressBar
) -> list[Ran]:
    """Run every system of `matrix` below `runs`, each resumed where it stopped.

    Raises:
        InputError: there is no such bundle.
    """
    open_bundle(bundle)
    done: list[Ran] = []
    for entry in matrix.system:
        folders = repeated(runs / entry.place, entry.repeats)
        error = ""
        for number, folder in enumerate(folders, start=1):
            wanted = repeat_of(entry_options(entry, matrix, options), number)
            try:
                require_repeats(runs / entry.place, entry.repeats)
                run_stages(bundle, folder, entry.name, wanted, progress, matrix.judge)
            except RiskChainError as failed:
                error = " ".join(str(failed).split())
                break
        done.append(Ran(entry.name, tuple(folders), error))
    return done


def entry_options(entry: SystemEntry, matrix: Matrix, options: Options) -> Options:
    """Return the options of one system: its own, and those that all systems share."""
    asking = Asking(
        settings=entry.settings,
        pace=entry.pace,
        unprobed=entry.unprobed or options.asking.unprobed,
        max_cost=entry.max_cost or options.asking.max_cost,
        max_tokens=entry.max_tokens or options.asking.max_tokens,
        prices=options.asking.prices,
    )
    judging = Asking(
        settings=matrix.judge_settings,
        unprobed=asking.unprobed,
        max_cost=asking.max_cost,
        prices=asking.prices,
        judge_check=options.judging.judge_check,
    )
    own = entry.max_cost is not None or entry.max_tokens is not None or entry.unprobed
    return Options(
        shared_budget=not own,
        system_seed=entry.seed,
        language=options.language,
        strict=options.strict,
        workers=options.workers,
        limit=options.limit,
        cases=options.cases,
        image_input=entry.input == "image",
        ablations=frozenset(Ablation[name.upper()] for name in entry.ablate),
        count_provider_time=options.count_provider_time,
        asking=asking,
        judging=judging,
    )
