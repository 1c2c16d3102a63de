"""Beginning a project and opening it again, with everything that must still be the same."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.annotation.project import Project
from riskchainbench.annotation.settings import PROJECT, Clock, ProjectSettings
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import DriftError, InputError
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.store import read_json, write_json


def open_project(folder: Path, codebook: Codebook, tasks_sha256: Sha256, clock: Clock) -> Project:
    """Open a project and check its whole ledger.

    Raises:
        InputError: there is no project in `folder`.
        IntegrityError: an entry of the ledger was changed.
        DriftError: the project was begun for other websites or under another codebook.
    """
    if not (folder / PROJECT).exists():
        raise InputError(
            f"{folder}: not a labeling project (no {PROJECT}); riskchain annotate makes one"
        )
    settings = read_json(folder / PROJECT, ProjectSettings)
    if settings.tasks_sha256 != tasks_sha256:
        raise DriftError(
            f"{folder}: this project labels tasks {settings.tasks_sha256[:12]}, the bundle's are "
            f"{tasks_sha256[:12]}; name the bundle it was made for, or another project folder"
        )
    if settings.codebook_sha256 != codebook.sha256:
        raise DriftError(
            f"{folder}: begun under codebook {settings.codebook_version} "
            f"({settings.codebook_sha256[:12]}), the bundle's is {codebook.version} "
            f"({codebook.sha256[:12]}); judgments under two codebooks never mix, "
            "so begin a new project folder"
        )
    project = Project(folder, settings, codebook, clock)
    project.store.verify()
    return project


def create_project(
    folder: Path, settings: ProjectSettings, codebook: Codebook, clock: Clock
) -> Project:
    """Begin a project in `folder`.

    Raises:
        InputError: a project stands there or in the database already, or `folder` is a file.
    """
    if (folder / PROJECT).exists():
        raise InputError(f"{folder}: holds a project already")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is no folder; name a new one")
    folder.mkdir(parents=True, exist_ok=True)
    project = Project(folder, settings, codebook, clock)
    project.store.begin()
    write_json(folder / PROJECT, settings)
    return project
