"""One stage of a run: a folder, the settings it was begun under, and its freeze.

`restore`, `investigate`, `conclude` and `judge` all keep their work here, so that resuming,
refusing drift and freezing are the same everywhere. The layout of a stage's folder::

    settings.json        written first; a resume under other settings is refused
    work/…               append-only logs, one line a unit
    <frozen files>       written when every unit is done
    manifest.json        written last: hashes of the frozen files
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from riskchainbench.core.errors import DriftError, InputError, IntegrityError
from riskchainbench.core.failures import Failure
from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_file
from riskchainbench.core.record import Record
from riskchainbench.core.store import Log, read_json, write_atomic, write_json

MANIFEST = "manifest.json"
SETTINGS = "settings.json"
_SYSTEM_FAILURES = "system_failures"


class RunManifest(Record):
    """What a run is: one system, one repeat, one set of tasks."""

    schema_version: Literal["run/1"] = "run/1"
    system: str = Field(min_length=1)
    system_settings: dict[str, str | int | float | bool] = Field(default_factory=dict)
    repeat: int = 1
    tasks_sha256: Sha256
    version: str


class StageSettings(Record):
    """What a stage was begun under; equal settings make a resume safe."""

    schema_version: Literal["stage-settings/1"] = "stage-settings/1"
    stage: str
    tasks_sha256: Sha256
    inputs: dict[str, Sha256 | None]
    settings: dict[str, Any]


class StageManifest(Record):
    """What a finished stage froze.

    `open_units` are those that only system failures kept from an outcome; running the stage
    again tries them again and freezes anew, leaving every finished unit as it is.
    """

    schema_version: Literal["stage/1"] = "stage/1"
    stage: str
    units: int
    open_units: tuple[str, ...] = ()
    files: dict[str, Sha256]
    notes: dict[str, Any] = Field(default_factory=dict)


def open_run(folder: Path, wanted: RunManifest) -> None:
    """Begin a run in `folder`, or check that the run there is the wanted one.

    Raises:
        DriftError: the folder holds a run of another system, repeat or set of tasks, or one
            under other settings; each that differs is named.
    """
    path = folder / MANIFEST
    if not path.exists():
        write_json(path, wanted)
        return
    found = read_json(path, RunManifest)
    if found.tasks_sha256 != wanted.tasks_sha256:
        raise DriftError(
            f"{folder}: this run was made for tasks {found.tasks_sha256[:12]}, the bundle's are "
            f"{wanted.tasks_sha256[:12]}; name the bundle it was made for, or another run folder"
        )
    if (found.system, found.repeat) != (wanted.system, wanted.repeat):
        raise DriftError(
            f"{folder}: this run belongs to {found.system} (repeat {found.repeat}), "
            f"not {wanted.system} (repeat {wanted.repeat}); name another run folder"
        )
    if found.system_settings != wanted.system_settings:
        raise DriftError(
            f"{folder}: this run of {found.system} was begun under other settings "
            f"({'; '.join(_changes(found.system_settings, wanted.system_settings))}); "
            "use the same ones, or another run folder"
        )


def read_run(folder: Path) -> RunManifest:
    """Return the manifest of the run in `folder`."""
    path = folder / MANIFEST
    if not path.exists():
        raise InputError(f"{folder}: not a run (no {MANIFEST}); make one with riskchain restore")
    return read_json(path, RunManifest)


class StageFolder:
    """The folder of one stage of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, settings: StageSettings) -> None:
        """Start the stage, or check that it is resumed under the settings it was begun with.

        Raises:
            DriftError: naming each setting that differs.
        """
        path = self.folder / SETTINGS
        if not path.exists():
            write_json(path, settings)
            return
        found = read_json(path, StageSettings)
        if found == settings:
            return
        changes = _differences(found, settings)
        raise DriftError(
            f"{self.folder}: begun under other settings ({'; '.join(changes)}); "
            "use the same ones, or a new run folder"
        )

    def log(self, name: str) -> Log:
        """Return the append-only log `name` of the stage's work."""
        return Log(self.folder / "work" / f"{name}.jsonl")

    def note_system_failure(self, unit_id: str, failure: Failure) -> None:
        """Keep what left a unit open, for whoever resumes the stage."""
        self.log(_SYSTEM_FAILURES).append(
            {"unit": unit_id, "failure": failure.model_dump(mode="json")}
        )

    def system_failures(self) -> dict[str, Failure]:
        """Return the last system failure of every unit that is still open."""
        if not self.frozen:
            return {}
        waiting = set(self.manifest().open_units)
        return {
            value["unit"]: Failure.model_validate(value["failure"])
            for value in self.log(_SYSTEM_FAILURES)
            if value["unit"] in waiting
        }

    @property
    def begun(self) -> bool:
        """Whether the stage was ever started."""
        return (self.folder / SETTINGS).exists()

    @property
    def frozen(self) -> bool:
        """Whether the stage was frozen, with or without open units."""
        return (self.folder / MANIFEST).exists()

    @property
    def complete(self) -> bool:
        """Whether the stage is finished and no unit was left open by a system failure."""
        return self.frozen and not self.manifest().open_units

    def manifest(self) -> StageManifest:
        """Return what the finished stage froze.

        Raises:
            InputError: the stage is not finished.
        """
        if not self.frozen:
            raise InputError(f"{self.folder}: this stage is not finished; run it (again) first")
        return read_json(self.folder / MANIFEST, StageManifest)

    def freeze(
        self,
        stage: str,
        files: Mapping[str, bytes],
        *,
        written: Iterable[str] = (),
        units: int,
        open_units: tuple[str, ...] = (),
        notes: Mapping[str, Any] | None = None,
    ) -> StageManifest:
        """Write the stage's frozen `files`, by path below the folder, then its manifest.

        Files that were `written` when their units were done are frozen as they stand, and never
        held in memory together.
        """
        for name, data in sorted(files.items()):
            write_atomic(self.folder / name, data)
        hashes = {name: sha256_bytes(data) for name, data in files.items()}
        hashes |= {name: sha256_file(self.folder / name) for name in written}
        manifest = StageManifest(
            stage=stage,
            units=units,
            open_units=open_units,
            files=dict(sorted(hashes.items())),
            notes=dict(notes or {}),
        )
        write_json(self.folder / MANIFEST, manifest)
        return manifest

    def verified(self) -> StageManifest:
        """Return the manifest after checking every frozen file against it.

        Raises:
            IntegrityError: naming the first file that is missing or was changed.
        """
        manifest = self.manifest()
        for name, expected in manifest.files.items():
            path = self.folder / name
            if not path.exists():
                raise IntegrityError(f"{path}: missing; the stage's manifest names it")
            if sha256_file(path) != expected:
                raise IntegrityError(f"{path}: changed after it was frozen")
        return manifest

    def identity(self) -> Sha256:
        """Return the hash of the stage's manifest: what later stages bind to."""
        self.manifest()
        return sha256_file(self.folder / MANIFEST)


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [
        f"{name}: {old.get(name)!r} then, {new.get(name)!r} now"
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


def _differences(found: StageSettings, wanted: StageSettings) -> list[str]:
    old, new = found.model_dump(mode="json"), wanted.model_dump(mode="json")
    changes: list[str] = []
    for group in ("inputs", "settings"):
        changes += _changes(old[group], new[group])
    if old["tasks_sha256"] != new["tasks_sha256"]:
        changes.append("other tasks")
    return changes or ["other stage"]
