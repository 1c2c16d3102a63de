"""The stages of one run, each handed what it needs and nothing more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from riskchainbench import __version__
from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.core.errors import InputError, RiskChainError
from riskchainbench.core.failures import Stage
from riskchainbench.core.stage import (
    SETTINGS,
    RunManifest,
    StageFolder,
    StageManifest,
    StageSettings,
    open_run,
    read_run,
)
from riskchainbench.core.store import read_json
from riskchainbench.core.system import System
from riskchainbench.investigation.ablations import Ablation
from riskchainbench.investigation.conclude import conclude
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import predictions_sha256, wanted_cases
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.judging.protocol import Judge
from riskchainbench.judging.read import judging_stage
from riskchainbench.judging.registry import make_judge
from riskchainbench.judging.run import judge
from riskchainbench.models.marked import MarkedSystem
from riskchainbench.models.provider.budget import Budget
from riskchainbench.models.provider.cache import CACHED
from riskchainbench.models.provider.settings import ModelSettings
from riskchainbench.models.provider.waiting import Waiting
from riskchainbench.models.registry import is_model
from riskchainbench.pipeline.asking import (
    base_name,
    judge_caller,
    require_model,
    require_sight,
    run_budget,
    system_caller,
)
from riskchainbench.pipeline.human import is_human
from riskchainbench.pipeline.investigating import investigate_bundle
from riskchainbench.pipeline.judges import judge_marks, require_judge
from riskchainbench.pipeline.options import Options, marked_options
from riskchainbench.pipeline.systems import system_for
from riskchainbench.restoration.prompts import instruction
from riskchainbench.restoration.run import restore

Update = Callable[[int, int], None]


class Stages:
    """One run of one system over one bundle."""

    def __init__(self, bundle: Path, run: Path, system: str, options: Options) -> None:
        self.bundle: Bundle = open_bundle(bundle)
        self.run = run
        self._system_name = system
        self._options = options
        self._waiting: Waiting | None = None

    @classmethod
    def of_run(cls, bundle: Path, run: Path, given: Options | None = None) -> Stages:
        """Return the stages of a run that exists, under its own system and settings.

        Args:
            bundle: the benchmark's folder.
            run: the run's folder.
            given: how fast and at what cost models are asked; the rest is the run's own.

        Raises:
            InputError: `run` holds no run.
        """
        manifest = read_run(run)
        return cls(bundle, run, base_name(manifest), _options_of(run, manifest, given))

    def waiting(self) -> str:
        """Return what the model's calls are waiting for, in one phrase."""
        return "" if self._waiting is None else self._waiting.told()

    @cached_property
    def _budget(self) -> Budget:
        return run_budget(self.run, self._options.asking)

    @cached_property
    def system(self) -> System:
        """The system, made when first needed; the run's folder is claimed for it.

        Tasks and prompts are opened first, so that nothing is claimed for what cannot run.
        """
        instruction(self._options.language)
        _ = self.bundle.restoration_tasks
        wanted_cases(self.bundle.investigation_tasks, self._options.cases or None, None)
        system = self._made_system()
        if self._options.marks:
            system = MarkedSystem(system, self._options.marks)
        wanted = RunManifest(
            system=system.name,
            system_settings=dict(system.settings),
            repeat=self._options.repeat,
            tasks_sha256=self.bundle.tasks_sha256,
            version=__version__,
        )
        open_run(self.run, wanted)
        return system

    def _made_system(self) -> System:
        options = self._options
        if not is_model(self._system_name):
            return system_for(self.bundle, self._system_name, seed=options.system_seed)
        caller = system_caller(self.run, self._system_name, options.asking, self._budget)
        self._waiting = caller.waiting
        return system_for(self.bundle, self._system_name, caller=caller)

    @property
    def gateless(self) -> bool:
        """Whether an investigation begun now would have no frozen predictions before it."""
        return predictions_sha256(self.run) is None

    def restore(self, update: Update) -> StageManifest:
        """Run Task 1."""
        self._require_fitting()
        if self._options.image_input:
            if not is_model(self._system_name):
                raise InputError(f"{self._system_name}: reads text; --input image is for models")
            self._require_sight()
        manifest = asyncio.run(
            restore(
                self.bundle.restoration_tasks,
                self.bundle.tasks_sha256,
                self.run,
                self.system,
                language=self._options.language,
                repairs=self._options.repairs,
                **self._alone,
                as_image=self._options.image_input,
                progress=update,
            )
        )
        return _settled(self.run / Stage.RESTORATION, manifest)

    def investigate(self, update: Update) -> StageManifest:
        """Run Task 2 up to its frozen trajectories."""
        self._require_fitting()
        self._require_sight()
        manifest = asyncio.run(
            investigate_bundle(
                self.bundle,
                self.run,
                self.system,
                self._rules,
                workers=1 if self._alone else self._options.workers,
                cases=self._options.cases or None,
                limit=self._options.limit,
                unconfined=self._options.unconfined,
                update=update,
            )
        )
        return _settled(self.run / Stage.INVESTIGATION, manifest)

    def conclude(self, update: Update) -> StageManifest:
        """Let the system conclude from its frozen trajectories."""
        self._require_fitting()
        self._require_sight()
        manifest = asyncio.run(
            conclude(
                self.bundle.investigation_tasks,
                self.bundle.tasks_sha256,
                self.bundle.codebook,
                self.run,
                self.system,
                self._rules,
                progress=update,
                **self._alone,
            )
        )
        return _settled(self.run / Stage.CONCLUSION, manifest)

    @property
    def _alone(self) -> dict[str, Any]:
        """One thing at a time for a person, whose clocks would run on what is not before them."""
        return {"concurrency": 1} if is_human(self._system_name) else {}

    @property
    def _rules(self) -> Rules:
        return Rules(
            language=self._options.language,
            repairs=self._options.repairs,
            count_provider_time=self._options.count_provider_time,
            ablations=self._options.ablations,
        )

    def judge(self, name: str, update: Update) -> StageManifest:
        """Let the judge called `name` rate the evidence of every valid conclusion."""
        require_judge(name, self._options.judging, self.run)
        # Claims the run's folder, so that a run made for other tasks is refused first.
        _ = self.system
        manifest = asyncio.run(judge(self.bundle, self.run, self._judge(name), progress=update))
        return _settled(judging_stage(self.run, name).folder, manifest)

    def _judge(self, name: str) -> Judge:
        if not is_model(name):
            return make_judge(name)
        stage = judging_stage(self.run, name)
        caller = judge_caller(stage.folder, name, self._options.judging, self._budget)
        self._waiting = caller.waiting
        check = self._options.judging.judge_check
        marks = judge_marks(caller, self._system_name, check)
        if self._options.judging.cache is not None:
            marks.append(CACHED)
        return ModelJudge(caller, marks)

    def _require_fitting(self) -> None:
        options = self._options
        require_model(self._system_name, options.asking, shared=options.shared_budget)

    def _require_sight(self) -> None:
        _ = self.system
        if Ablation.SCREENSHOT not in self._options.ablations or self._options.image_input:
            require_sight(self.run, self._system_name, self._options.asking)


def _settled(folder: Path, manifest: StageManifest) -> StageManifest:
    """Return `manifest` unless system failures left units of the stage open.

    Raises:
        RiskChainError: naming how many, the last failure, and what to do.
    """
    failures = StageFolder(folder).system_failures()
    if not failures:
        return manifest
    unit_id, failure = list(failures.items())[-1]
    raise RiskChainError(
        f"{folder}: {len(failures)} of {manifest.units} stay open after system failures "
        f"({unit_id}: {failure.failure_class}: {failure.detail}); "
        "what is finished is kept, and the same command tries the rest again"
    )


def _options_of(run: Path, manifest: RunManifest, given: Options | None) -> Options:
    """Return the options that the run's investigation was begun with, as far as it was."""
    options = replace(
        given or Options(),
        repeat=manifest.repeat,
        **marked_options(str(manifest.system_settings.get("marks", ""))),
    )
    if not is_model(base_name(manifest)):
        seed = int(manifest.system_settings.get("seed", 0))
        options = replace(options, system_seed=seed)
    else:
        settings = ModelSettings.of_record(manifest.system_settings)
        options = replace(options, asking=replace(options.asking, settings=settings))
    path = run / Stage.INVESTIGATION / SETTINGS
    if not path.exists():
        return options
    begun = read_json(path, StageSettings).settings
    return replace(options, language=str(begun["prompt_language"]), strict=begun["repairs"] == 0)
