"""A small world for the annotation room: cases without websites, and a clock that tests move."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.annotation.opening import create_project
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.settings import ANNOTATOR, COORDINATOR, ProjectSettings
from riskchainbench.annotation.simulate import judgment_of
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.decisions import Decision

PASSWORD = "correct horse battery"
TASKS = "a" * 64
V = (Decision.VIOLATION, "GAMBLING_BETTING_PROMOTION")
V2 = (Decision.VIOLATION, "PHISHING_CREDENTIAL_THEFT")
N = (Decision.NON_VIOLATION, "NONE")
U = (Decision.INSUFFICIENT_EVIDENCE, "UNKNOWN")


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class World:
    """A project under a clock of its own, and short ways to act in it."""

    def __init__(self, folder: Path, count: int, **changes: object) -> None:
        self.clock = Clock()
        codebook = default_codebook()
        values: dict[str, object] = {
            "tasks_sha256": TASKS,
            "codebook_sha256": codebook.sha256,
            "codebook_version": codebook.version,
            "cases": tuple(f"w{number:03}" for number in range(count)),
            "seed": "11",
            "repeat_rate": 0.0,
        }
        settings = ProjectSettings.model_validate({**values, **changes})
        self.project: Project = create_project(folder, settings, codebook, self.clock)

    def people(self, *names: str, coordinator: str | None = "cleo") -> None:
        for name in names:
            self.project.add_person(name, ANNOTATOR, PASSWORD)
        if coordinator:
            self.project.add_person(coordinator, COORDINATOR, PASSWORD)

    def judge(self, person: str, label: tuple[Decision, str]) -> str:
        """Let a person judge what comes next, and return its case."""
        slot = self.project.next_slot(person)
        assert slot is not None
        self.clock.now += 60
        self.project.submit(person, slot.slot_id, self.judged(label))
        return slot.case_id

    def judged(self, label: tuple[Decision, str]):
        return judgment_of(*label, self.project.codebook)

    def path(self, case_id: str) -> str:
        return self.project.standing().resolutions[case_id].path.value
