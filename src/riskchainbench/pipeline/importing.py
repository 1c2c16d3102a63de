"""Importing captures into a pool: many at once, each bounded, resumable."""

from __future__ import annotations

import multiprocessing
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.capture.compiler import Compiled
from riskchainbench.capture.entry import (
    compile_entry,
    finished,
    pool_salt,
    settings_sha256,
    write_entry,
    write_strata,
)
from riskchainbench.capture.picture_text import require_reader
from riskchainbench.capture.policy import DESKTOP, MOBILE, ImportPolicy, Scripts
from riskchainbench.capture.readers.open import identity_of, read_capture
from riskchainbench.capture.record import CaptureRecord, Provenance
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.store import StorageError, validate
from riskchainbench.core.text import gate, is_day

Tell = Callable[[int, int], None]

TIME_LIMIT = 300.0
OCR_TIME_LIMIT = 1800.0
"""Seconds that one capture may take, without and with the reading of pictures."""

MEMORY_LIMIT = 6 * 1024**3


class ImportRow(Record):
    """What came of one capture: a line of the result table; `masked` counts by kind."""

    capture: str
    outcome: Literal["imported", "there already", "failed"]
    website: str | None = None
    kind: str = ""
    pages: int = 0
    bytes_kept: int = 0
    masked: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    trouble: str = ""
    detail: str = ""


class ImportResult(Record):
    """What came of an import."""

    rows: tuple[ImportRow, ...]
    table: str

    @property
    def failed(self) -> int:
        """How many captures gave no website."""
        return sum(1 for row in self.rows if row.outcome == "failed")


def settings_of(
    *,
    scripts: str,
    names: Path | None,
    basis: str,
    terms: str,
    delete_by: str,
    mobile: bool,
    ocr: bool = False,
) -> tuple[ImportPolicy, Provenance]:
    """Return the settings that the options of a command ask for.

    Raises:
        InputError: an option holds what it may not hold, the list of names cannot be read, or
            the reader of pictures is not installed.
    """
    if scripts not in list(Scripts):
        raise InputError(f"--scripts {scripts}: choose one of {', '.join(Scripts)}")
    if delete_by and not is_day(delete_by):
        raise InputError(f"--delete-by {delete_by}: no day of the calendar; write it as 2027-01-31")
    listed: tuple[str, ...] = ()
    if names is not None:
        try:
            listed = tuple(n for n in names.read_text("utf-8-sig").splitlines() if n.strip())
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{names}: no list of names in UTF-8 ({error})") from error
    if ocr:
        require_reader()
    viewport = MOBILE if mobile else DESKTOP
    policy = ImportPolicy(scripts=Scripts(scripts), names=listed, viewport=viewport, ocr=ocr)
    given = {"basis": basis, "terms": terms, "delete_by": delete_by}
    stated = {name: value for name, value in given.items() if value}
    return policy, validate(Provenance, stated, "import")


@dataclass(frozen=True)
class _Work:
    path: Path
    pool: Path
    policy: ImportPolicy
    provenance: Provenance
    salt: str
    time_limit: float
    browser: BrowserSettings | None
    likeness: bool


def import_captures(
    captures: Iterable[Path],
    pool: Path,
    policy: ImportPolicy,
    provenance: Provenance,
    *,
    workers: int,
    tell: Tell,
    likeness: bool = False,
    time_limit: float | None = None,
) -> ImportResult:
    """Import each capture as a website of `pool`; what is there already is left alone.

    A capture that fails leaves nothing behind and stops no other. With `likeness`, pages are
    rendered from the capture and from the website, and those that look unlike are flagged.

    Raises:
        InputError: no capture is given, or one does not exist.
        StorageError: the pool cannot be written.
    """
    paths = list(dict.fromkeys(captures))
    if not paths:
        raise InputError("no capture given; name files or folders")
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
    browser = _browser() if likeness or policy.scripts is Scripts.FREEZE else None
    salt = pool_salt(pool)
    limit = time_limit or (OCR_TIME_LIMIT if policy.ocr else TIME_LIMIT)
    work = [_Work(path, pool, policy, provenance, salt, limit, browser, likeness) for path in paths]
    rows: dict[Path, ImportRow] = {}
    for each, row in _all(work, workers):
        rows[each.path] = row
        tell(len(rows), len(work))
    table = write_strata(pool)
    return ImportResult(rows=tuple(rows[path] for path in paths), table=str(table))


def _browser() -> BrowserSettings:
    from riskchainbench.pipeline.investigating import browser_settings

    return browser_settings()


def _all(work: list[_Work], workers: int) -> Iterator[tuple[_Work, ImportRow]]:
    if len(work) == 1:
        yield work[0], _alone(work[0])
        return
    lost: list[_Work] = []
    for each, row in _pooled(work, min(workers, len(work))):
        if row is None:
            lost.append(each)
        else:
            yield each, row
    for each in lost:  # one of these took a worker down; alone, it takes down only its own
        for _, row in _pooled([each], 1):
            yield each, row or _failed(each, Trouble.INTERNAL, "the worker process died")


def _pooled(work: list[_Work], workers: int) -> Iterator[tuple[_Work, ImportRow | None]]:
    context = multiprocessing.get_context("spawn")
    # A browser maps more memory than it uses, so a limit on addresses would keep it from starting.
    confine = _confine if work[0].browser is None else _quiet
    with ProcessPoolExecutor(workers, mp_context=context, initializer=confine) as executor:
        futures: dict[Future[ImportRow], _Work] = {executor.submit(_alone, w): w for w in work}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                yield futures[future], None


def _quiet() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _confine() -> None:
    _quiet()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _alone(work: _Work) -> ImportRow:
    """Import one capture within the time limit; whatever goes wrong with it is a row."""
    before = signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, work.time_limit)
    try:
        return _imported(work)
    except CaptureError as error:
        return _failed(work, error.trouble, error.detail)
    except StorageError:
        raise
    except InputError as error:
        return _failed(work, Trouble.MALFORMED, str(error))
    except (MemoryError, RecursionError) as error:
        return _failed(work, Trouble.TOO_LARGE, type(error).__name__)
    except Exception as error:  # an archive is untrusted: no fault of one may end the others
        return _failed(work, Trouble.INTERNAL, f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _too_slow(*_: object) -> None:
    raise CaptureError(Trouble.TOO_SLOW, "the time limit of one capture has passed")


def _imported(work: _Work) -> ImportRow:
    settings = settings_sha256(work.policy, work.provenance)
    there = finished(work.pool, identity_of(work.path), settings)
    if there is not None:
        return _row(work, there, "there already")
    capture = read_capture(work.path, work.policy.limits)
    frozen = None
    if work.browser is not None and work.policy.scripts is Scripts.FREEZE:
        from riskchainbench.capture.rendering import frozen_pages

        frozen = frozen_pages(work.path, capture, work.policy, work.browser)
    compiled, record = compile_entry(capture, work.policy, work.provenance, work.salt, frozen)
    if work.likeness and work.browser is not None:
        record = _measured(work, compiled, record, work.browser)
    write_entry(work.pool, compiled, record)
    return _row(work, record, "imported")


def _measured(
    work: _Work, compiled: Compiled, record: CaptureRecord, browser: BrowserSettings
) -> CaptureRecord:
    """Return the record with its pages' likeness and a warning for each that is unlike."""
    from riskchainbench.capture.likeness import flagged, measure

    found = measure(work.path, compiled, work.policy, browser)
    unlike = tuple(
        f"page {each.page_id} looks unlike its capture: text {each.text_overlap:.2f}, "
        f"image {each.image_similarity:.2f}"
        for each in found
        if flagged(each)
    )
    return record.but(likeness=found, warnings=(*record.warnings, *unlike))


def _row(
    work: _Work, record: CaptureRecord, outcome: Literal["imported", "there already"]
) -> ImportRow:
    return ImportRow(
        capture=gate(work.path.name)[0],
        outcome=outcome,
        website=record.pool_id,
        kind=record.kind.value,
        pages=record.counts.pages,
        bytes_kept=record.counts.bytes_kept,
        masked=record.masked,
        warnings=(*record.warnings, *record.notes)[:20],
    )


def _failed(work: _Work, trouble: Trouble, detail: str) -> ImportRow:
    return ImportRow(
        capture=gate(work.path.name)[0],
        outcome="failed",
        trouble=trouble.value,
        detail=" ".join(detail.split())[:300],
    )


def join(pool: Path, labels: Path, out: Path, codebook: Path | None) -> int:
    """Write the labeled websites of `pool` as a pool of their own; return how many there are.

    Raises:
        InputError: a label is missing or wrong, or `out` exists.
    """
    from riskchainbench.capture.joining import labeled_websites
    from riskchainbench.core.codebook import default_codebook, load_codebook
    from riskchainbench.websites.pool import write_pool

    policy = load_codebook(codebook) if codebook else default_codebook()
    websites = labeled_websites(pool, labels, policy)
    write_pool(out, websites, policy)
    return len(websites)
