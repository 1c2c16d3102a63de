"""An opened bundle: everything a stage may use, and nothing of the gold."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from riskchainbench.bundle.layout import (
    CODEBOOK,
    INVESTIGATION_TASKS,
    MANIFEST,
    RESTORATION_TASKS,
    WEBSITES,
    BundleManifest,
    read_data,
)
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.hashing import Sha256, sha256_file
from riskchainbench.core.investigation import InvestigationTask
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.core.store import read_json
from riskchainbench.websites.files import read_website
from riskchainbench.websites.records import LoadedWebsite


class Bundle:
    """A frozen benchmark in a folder.

    Every file is checked against the manifest when it is first read; files that the manifest
    does not name are ignored. `evaluator_only/` is never touched here.
    """

    def __init__(self, folder: Path, manifest: BundleManifest) -> None:
        self.folder = folder
        self.manifest = manifest

    @property
    def tasks_sha256(self) -> Sha256:
        """What runs bind to."""
        return self.manifest.tasks_sha256

    @cached_property
    def codebook(self) -> Codebook:
        """The codebook that the bundle was built under."""
        return read_json(self.checked(CODEBOOK), Codebook)

    @cached_property
    def restoration_tasks(self) -> dict[str, RestorationTask]:
        """The message variants by sample id, sorted."""
        tasks = read_data(self.checked(RESTORATION_TASKS), RestorationTask)
        return {task.sample_id: task for task in tasks}

    @cached_property
    def investigation_tasks(self) -> dict[str, InvestigationTask]:
        """The websites' tasks by case id, sorted."""
        tasks = read_data(self.checked(INVESTIGATION_TASKS), InvestigationTask)
        return {task.case_id: task for task in tasks}

    def website(self, case_id: str) -> LoadedWebsite:
        """Return the website of `case_id`.

        Raises:
            InputError: there is no such case, or a file of it is missing.
            IntegrityError: a file of it was changed.
        """
        if case_id not in self.investigation_tasks:
            raise InputError(f"{self.folder}: no case {case_id}; riskchain serve lists them")
        for name in self._website_files.get(case_id, ()):
            self.checked(name)
        return read_website(self.folder / WEBSITES / case_id)

    @cached_property
    def _website_files(self) -> dict[str, list[str]]:
        """The names of every website's files by case id."""
        files: dict[str, list[str]] = {}
        for name in self.manifest.files:
            folder, _, rest = name.partition("/")
            if folder == WEBSITES:
                files.setdefault(rest.partition("/")[0], []).append(name)
        return files

    def websites(self) -> dict[str, LoadedWebsite]:
        """Return every website by case id."""
        return {case_id: self.website(case_id) for case_id in self.investigation_tasks}

    def checked(self, name: str) -> Path:
        """Return the path of the file `name` once its bytes are those of the manifest.

        Raises:
            InputError: the manifest does not name it, or it is missing.
            IntegrityError: it was changed.
        """
        entry = self.manifest.files.get(name)
        path = self.folder / name
        if entry is None:
            raise InputError(f"{path}: the bundle's manifest names no such file")
        if not path.is_file():
            raise InputError(f"{path}: missing; copy the bundle again")
        if path.stat().st_size != entry.size or sha256_file(path) != entry.sha256:
            raise IntegrityError(f"{path}: changed after it was frozen; copy the bundle again")
        return path


def open_bundle(folder: Path) -> Bundle:
    """Open the bundle in `folder`.

    Raises:
        InputError: there is no bundle.
    """
    path = folder / MANIFEST
    if not path.exists():
        raise InputError(f"{folder}: not a bundle (no {MANIFEST}); make one with riskchain build")
    return Bundle(folder, read_json(path, BundleManifest))
