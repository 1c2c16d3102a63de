"""The stages of one run, each handed what it needs and nothing more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from riskchainbench import __version__
from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.core.failures import Stage
from riskchainbench.core.investigation import MAX_REPAIRS
from riskchainbench.core.stage import (
    SETTINGS,
    RunManifest,
    StageManifest,
    StageSettings,
    open_run,
    read_run,
)
from riskchainbench.core.store import read_json
from riskchainbench.core.system import System
from riskchainbench.investigation.conclude import conclude
from riskchainbench.investigation.episode import Rules
from riskchainbench.judging.registry import make_judge
from riskchainbench.judging.run import judge
from riskchainbench.pipeline.investigating import investigate_bundle
from riskchainbench.pipeline.systems import system_for
from riskchainbench.restoration.run import restore

Update = Callable[[int, int], None]


@dataclass(frozen=True)
class Options:
    """The options of a run; they mean the same in every stage."""

    system_seed: int = 0
    language: str = "zh-CN"
    strict: bool = False
    workers: int = 2
    limit: int | None = None
    cases: tuple[str, ...] = ()
    repeat: int = 1

    @property
    def repairs(self) -> int:
        """Repair turns allowed for an invalid output."""
        return 0 if self.strict else MAX_REPAIRS


class Stages:
    """One run of one system over one bundle."""

    def __init__(self, bundle: Path, run: Path, system: str, options: Options) -> None:
        self.bundle: Bundle = open_bundle(bundle)
        self.run = run
        self._system_name = system
        self._options = options

    @classmethod
    def of_run(cls, bundle: Path, run: Path) -> Stages:
        """Return the stages of a run that exists, under its own system and settings.

        Raises:
            InputError: `run` holds no run.
        """
        manifest = read_run(run)
        return cls(bundle, run, manifest.system, _options_of(run, manifest))

    @cached_property
    def system(self) -> System:
        """The system, made when first needed; the run's folder is claimed for it."""
        system = system_for(self.bundle, self._system_name, seed=self._options.system_seed)
        wanted = RunManifest(
            system=system.name,
            system_settings=dict(system.settings),
            repeat=self._options.repeat,
            tasks_sha256=self.bundle.tasks_sha256,
            version=__version__,
        )
        open_run(self.run, wanted)
        return system

    def restore(self, update: Update) -> StageManifest:
        """Run Task 1."""
        return asyncio.run(
            restore(
                self.bundle.restoration_tasks,
                self.bundle.tasks_sha256,
                self.run,
                self.system,
                language=self._options.language,
                repairs=self._options.repairs,
                progress=update,
            )
        )

    def investigate(self, update: Update) -> StageManifest:
        """Run Task 2 up to its frozen trajectories."""
        return asyncio.run(
            investigate_bundle(
                self.bundle,
                self.run,
                self.system,
                self._rules,
                workers=self._options.workers,
                cases=self._options.cases or None,
                limit=self._options.limit,
                update=update,
            )
        )

    def conclude(self, update: Update) -> StageManifest:
        """Let the system conclude from its frozen trajectories."""
        return asyncio.run(
            conclude(
                self.bundle.investigation_tasks,
                self.bundle.tasks_sha256,
                self.bundle.codebook,
                self.run,
                self.system,
                self._rules,
                progress=update,
            )
        )

    @property
    def _rules(self) -> Rules:
        return Rules(language=self._options.language, repairs=self._options.repairs)

    def judge(self, name: str, update: Update) -> StageManifest:
        """Let the judge called `name` rate the evidence of every valid conclusion."""
        # Claims the run's folder, so that a run made for other tasks is refused first.
        _ = self.system
        return asyncio.run(judge(self.bundle, self.run, make_judge(name), progress=update))


def _options_of(run: Path, manifest: RunManifest) -> Options:
    """Return the options that the run's investigation was begun with, as far as it was."""
    seed = int(manifest.system_settings.get("seed", 0))
    path = run / Stage.INVESTIGATION / SETTINGS
    if not path.exists():
        return Options(system_seed=seed, repeat=manifest.repeat)
    begun = read_json(path, StageSettings).settings
    return Options(
        system_seed=seed,
        repeat=manifest.repeat,
        language=str(begun["prompt_language"]),
        strict=begun["repairs"] == 0,
    )
