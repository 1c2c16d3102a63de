"""The neutral model of a capture: requests and what they were answered with, in order of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from riskchainbench.capture.troubles import CaptureError, Limits, Trouble
from riskchainbench.core.hashing import Sha256, sha256_bytes
from riskchainbench.core.text import gate


class CaptureKind(StrEnum):
    """The formats that are read."""

    WARC = "warc"
    WACZ = "wacz"
    HAR = "har"
    MHTML = "mhtml"
    SINGLE = "single page"
    SAVED = "saved page with folder"
    MIRROR = "mirror"


@dataclass(frozen=True)
class Exchange:
    """One request and its response.

    Attributes:
        url: absolute and without a fragment, as `urls.absolute` writes it.
        headers: of the response, names in lower case.
        body: with transfer and content encoding undone.
        time: seconds since 1970, where the capture says it.
        sent: the body of the request, `sent_type` its media type.
        whole: False where the body was absent, cut off or too large to keep.
    """

    url: str
    method: str = "GET"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    time: float | None = None
    sent: bytes = field(default=b"", repr=False)
    sent_type: str = ""
    whole: bool = True

    def header(self, name: str) -> str:
        """Return the first header of that name, or nothing."""
        return next((value for key, value in self.headers if key == name), "")


@dataclass(frozen=True)
class Capture:
    """All exchanges of one capture.

    Attributes:
        start: the URL of the page a visitor begins on, where the capture names one.
        notes: what was left out and why.
        size: bytes of all bodies kept, each counted once.
        sha256: the identity of the capture's files.
    """

    kind: CaptureKind
    exchanges: tuple[Exchange, ...]
    start: str | None
    notes: tuple[str, ...]
    size: int
    sha256: Sha256


class Intake:
    """What a reader fills while it streams: counts against the limits, notes, the start page."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.start: str | None = None
        self._notes: list[str] = []
        self._dropped_notes = 0
        self._inflated = 0

    def note(self, text: str) -> None:
        """Record something that was left out."""
        if len(self._notes) < self.limits.notes:
            self._notes.append(gate(text[:300])[0])
        else:
            self._dropped_notes += 1

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes; the last says how many were too many."""
        more = (f"{self._dropped_notes} more notes",) if self._dropped_notes else ()
        return (*self._notes, *more)

    def inflate(self, count: int) -> None:
        """Count bytes that came out of a decompressor.

        Raises:
            CaptureError: more came out than any honest capture holds.
        """
        self._inflated += count
        if self._inflated > self.limits.inflated:
            raise CaptureError(
                Trouble.TOO_LARGE, f"unpacks to more than {self.limits.inflated // 1024**2} MiB"
            )


def gather(
    kind: CaptureKind, exchanges: Iterable[Exchange], intake: Intake, sha256: Sha256
) -> Capture:
    """Drain a reader into a `Capture`, keeping equal bodies once.

    Raises:
        CaptureError: a limit is crossed, or there is no response at all.
    """
    kept: list[Exchange] = []
    bodies: dict[Sha256, bytes] = {}
    size = 0
    for exchange in exchanges:
        if len(kept) >= intake.limits.exchanges:
            raise CaptureError(
                Trouble.TOO_LARGE, f"holds more than {intake.limits.exchanges} responses"
            )
        key = sha256_bytes(exchange.body)
        if key not in bodies:
            bodies[key] = exchange.body
            size += len(exchange.body)
            if size > intake.limits.total:
                raise CaptureError(
                    Trouble.TOO_LARGE,
                    f"its responses exceed {intake.limits.total // 1024**2} MiB",
                )
        kept.append(_with_body(exchange, bodies[key]))
    if not kept:
        raise CaptureError(Trouble.EMPTY, noted("it holds no HTTP response or file", intake.notes))
    kept.sort(key=lambda each: (each.time is None, each.time or 0.0))
    return Capture(kind, tuple(kept), intake.start, intake.notes, size, sha256)


def noted(detail: str, notes: Sequence[str]) -> str:
    """Return what went wrong with the first note of the reader, which may say why."""
    return f"{detail} ({notes[0]})" if notes else detail


def _with_body(exchange: Exchange, body: bytes) -> Exchange:
    if exchange.body is body:
        return exchange
    return replace(exchange, body=body)
