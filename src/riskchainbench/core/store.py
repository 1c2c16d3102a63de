"""Files that survive: append-only logs, atomic writes, frozen folders.

Work in progress goes to a log, one JSON line a unit, flushed to the disk before the next
unit starts. A kill can tear only the last line, which the next start cuts off. Freezing
writes sorted files by atomic rename and a manifest last, so a folder with a manifest is whole.
"""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from riskchainbench.core.errors import InputError, IntegrityError, RiskChainError
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.hashing import Sha256, canonical_json, sha256_bytes
from riskchainbench.core.record import Record

R = TypeVar("R", bound=Record)
M = TypeVar("M", bound=BaseModel)


class StorageError(RiskChainError):
    """A file could not be written; what was finished before it is safe.

    It ends a stage at once, as every other unit would fail alike, and belongs to the system.
    """

    failure_class: ClassVar = FailureClass.STORAGE_ERROR


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader sees the old file or the whole new one.

    Raises:
        StorageError: the disk is full or the folder cannot be written.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise StorageError(f"{path}: cannot be written: {error.strerror or error}") from error


def json_bytes(record: Record) -> bytes:
    """Return one record as indented JSON that a person can read."""
    text = json.dumps(record.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True)
    return (text + "\n").encode("utf-8")


def write_json(path: Path, record: Record) -> None:
    """Write one record as a file of its own."""
    write_atomic(path, json_bytes(record))


def jsonl_bytes(records: Iterable[Record]) -> bytes:
    """Return records as canonical JSON lines."""
    return "".join(record.to_json() + "\n" for record in records).encode("utf-8")


def validate(kind: type[M], value: Any, where: str) -> M:
    """Return `value` as a record of `kind`.

    Raises:
        InputError: it is none; the message names `where` and the first wrong field.
    """
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = _telling(error)
        place = ".".join(_place(first, value)) or "record"
        # A folder of another kind is told by what its manifest says it is.
        found = first["input"] if first["type"] == "literal_error" else None
        instead = f", not {found!r}" if isinstance(found, str) else ""
        told = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{where}: {place}: {told}{instead}") from error


def _telling(error: ValidationError) -> ErrorDetails:
    """Return the first fault; of a value that may be of several kinds, the deepest.

    What is wrong within the kind that was meant stands deeper than that it is not another.
    """
    faults = error.errors()
    around = faults[0]["loc"][:-1]
    near = [fault for fault in faults if around and fault["loc"][: len(around)] == around]
    return max(near, key=lambda fault: len(fault["loc"]), default=faults[0])


def _place(fault: ErrorDetails, value: Any) -> Iterator[str]:
    """Yield the way to a fault without the names of kinds that pydantic puts between."""
    for number, step in enumerate(fault["loc"], start=1):
        try:
            value = value[step]
        except (LookupError, TypeError):
            if fault["type"] == "missing" and number == len(fault["loc"]):
                yield str(step)
        else:
            yield str(step)


def read_json(path: Path, kind: type[R]) -> R:
    """Read one record.

    Raises:
        InputError: the file is missing, no JSON, or no record of `kind`.
    """
    return validate(kind, _parse(_read(path), str(path)), str(path))


def read_jsonl(path: Path, kind: type[R]) -> list[R]:
    """Read a frozen JSONL file; every line has to be whole.

    Raises:
        InputError: naming the file and the line.
    """
    return [validate(kind, value, where) for where, value in read_lines(path)]


def read_lines(path: Path) -> list[tuple[str, Any]]:
    """Return the values of a frozen JSONL file, each with the file and line it stands in.

    Raises:
        InputError: naming the file and the line that is cut off or no JSON.
    """
    text = _read(path)
    if text and not text.endswith("\n"):
        last = text.count("\n") + 1
        raise InputError(f"{path}: line {last} is cut off; restore the file from its source")
    places = (f"{path}: line {number}" for number in itertools.count(1))
    return [
        (place, _parse(line, place))
        for line, place in zip(text.split("\n")[:-1], places, strict=False)
    ]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _parse(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{where}: not JSON ({error})") from error


class Log:
    """An append-only JSONL file of values, durable line by line.

    Opening cuts off a torn last line; a broken line elsewhere is an error, since nothing of
    ours writes one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._repair()

    def _repair(self) -> None:
        if not self.path.exists():
            return
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            with self.path.open("r+b") as file:
                file.truncate(whole)
                file.flush()
                os.fsync(file.fileno())

    def append(self, value: Any) -> None:
        """Add one JSON value and wait until it is on the disk.

        A line that could not be written whole is taken back.

        Raises:
            StorageError: the disk is full or the file cannot be written.
        """
        data = (canonical_json(value) + "\n").encode("utf-8")
        size: int | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab", buffering=0) as file:
                size = file.tell()
                written = file.write(data)
                if written != len(data):
                    raise OSError("only a part could be written")
                os.fsync(file.fileno())
        except OSError as error:
            if size is not None:
                with self.path.open("r+b") as file:
                    file.truncate(size)
            reason = error.strerror or error
            raise StorageError(f"{self.path}: cannot be written: {reason}") from error

    def __iter__(self) -> Iterator[Any]:
        if not self.path.exists():
            return
        for _, value in read_lines(self.path):
            yield value

    def records(self, kind: type[R]) -> Iterator[R]:
        """Yield the log's values as records of `kind`."""
        for number, value in enumerate(self, start=1):
            yield validate(kind, value, f"{self.path}: line {number}")


class Images:
    """Screenshots stored once each, by the SHA-256 of their PNG bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: Sha256) -> Path:
        """Return where the image of that hash stands."""
        return self.folder / f"{sha256}.png"

    def put(self, png: bytes) -> Sha256:
        """Store an image and return its hash."""
        sha256 = sha256_bytes(png)
        if not self.path(sha256).exists():
            write_atomic(self.path(sha256), png)
        return sha256

    def get(self, sha256: Sha256) -> bytes:
        """Return the bytes of an image.

        Raises:
            InputError: it is missing.
            IntegrityError: its bytes are not those that were recorded.
        """
        try:
            data = self.path(sha256).read_bytes()
        except OSError as error:
            raise InputError(f"{self.path(sha256)}: screenshot cannot be read") from error
        if sha256_bytes(data) != sha256:
            raise IntegrityError(f"{self.path(sha256)}: screenshot was changed after it was taken")
        return data
