"""What a provider's error means: try again, stop the run, or a rejected request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from riskchainbench.core.errors import RiskChainError

_RETRIED = frozenset({408, 409, 425, 429})
_STOPPING = {
    401: "the provider refuses the key",
    402: "the account has no credit left",
    404: "the provider knows no such model or endpoint",
    407: "the proxy wants to be logged in to",
}
_QUOTA = re.compile(
    r"insufficient.?quota|exceeded.{0,20}current quota|billing|credit balance", re.IGNORECASE
)
_KEY = re.compile(r"\b(sk|key|xai|gsk|AIza)[-_A-Za-z0-9*]{12,}")
_MAX_DETAIL = 200


class ProviderStopError(RiskChainError):
    """The provider will answer no call of this run as it is set up; nothing is lost."""


class Meaning(Enum):
    """What follows from an error."""

    RETRY = auto()
    STOP = auto()
    REJECTED = auto()


@dataclass(frozen=True)
class Verdict:
    """What an error means, in a few words, and how long the provider asks to wait."""

    meaning: Meaning
    detail: str
    status: int | None = None
    retry_after: float | None = None


def judged(
    status: int | None,
    message: str,
    retry_after: float | None,
    *,
    proven: bool,
    secrets: Sequence[str] = (),
) -> Verdict:
    """Return what an error of HTTP `status` means; None for a transport or content error.

    Args:
        status: the HTTP status, if there was an answer with one.
        message: the error's text.
        retry_after: seconds that the provider asks to wait.
        proven: whether the provider has answered a call of this run. Until then a rejection is
            taken for a wrong set-up, which would reject every case.
        secrets: values to keep out of the detail.
    """
    detail = cleaned(message, secrets)
    if status is not None:
        detail = f"HTTP {status}: {detail}"
    if status == 429 and _QUOTA.search(message):
        return Verdict(Meaning.STOP, f"the quota is used up ({detail})", status)
    if status is None or status in _RETRIED or status >= 500 or status < 400:
        return Verdict(Meaning.RETRY, detail, status, retry_after)
    if status in _STOPPING:
        return Verdict(Meaning.STOP, f"{_STOPPING[status]} ({detail})", status)
    if not proven:
        return Verdict(Meaning.STOP, f"the provider rejects the request ({detail})", status)
    return Verdict(Meaning.REJECTED, detail, status)


def cleaned(message: str, secrets: Sequence[str]) -> str:
    """Return `message` on one line, shortened, without any secret."""
    for secret in secrets:
        message = message.replace(secret, "[key]")
    return _KEY.sub("[key]", " ".join(message.split()))[:_MAX_DETAIL]
