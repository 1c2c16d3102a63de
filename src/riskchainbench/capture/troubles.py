"""Every way in which a capture can fail to become a website; each is bounded and has a name."""

from __future__ import annotations

from enum import StrEnum

from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record


class Trouble(StrEnum):
    """The closed set of failures of an import."""

    UNREADABLE = "unreadable"
    UNKNOWN_FORMAT = "unknown format"
    MALFORMED = "malformed"
    ENCRYPTED = "password-protected"
    TOO_LARGE = "too large"
    EMPTY = "no response in it"
    NO_START_PAGE = "no start page"
    TOO_SLOW = "took too long"
    INTERNAL = "internal error"


class CaptureError(InputError):
    """A capture cannot be imported; `trouble` says of which kind."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(f"{trouble.value}: {detail}")
        self.trouble = trouble
        self.detail = detail


class Limits(Record):
    """What is read of one capture at most; sizes are bytes.

    A body above `resource` is left out and noted; everything else that is crossed ends the
    import with a `Trouble`.
    """

    resource: int = 32 * 1024**2
    page: int = 8 * 1024**2
    total: int = 400 * 1024**2
    inflated: int = 1024 * 1024**2
    exchanges: int = 20_000
    archive: int = 2 * 1024**3
    pages: int = 200
    notes: int = 200
