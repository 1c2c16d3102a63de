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
    403: "the provider does not permit the call",
    404: "the provider knows no such model or endpoint",
    407: "the proxy wants to be logged in to",
}
_ALWAYS_STOPPING = frozenset({401, 402, 407})
_QUOTA = re.compile(
    r"insufficient.?quota|exceeded.{0,20}current quota|billing|credit balance", re.IGNORECASE
)
_SET_UP = re.compile(
    r"\b(api|access|secret).?key|authenticat|credential|unauthori[sz]ed|permission|access denied|"
    r"quota|billing|payment|subscription|arrears|overdue|\bcredits?\b|"
    r"account.{0,40}(suspend|deactivat|disabl|block|balance)|欠费|余额|权限|密钥",
    re.IGNORECASE,
)
"""Words of an error that holds for every request, whatever its status."""
_UNSENT = re.compile(
    r"must specify a region|unable to locate credentials|partial credentials|"
    r"config profile.{0,80}not be found|sso.{0,40}(expired|token)",
    re.IGNORECASE,
)
"""Words of a library that sent nothing, for want of something in the environment."""
_OWN = re.compile(
    r"content.{0,12}(polic|filter|moderat|\brisk|management)|moderation|flagged|inappropriate|"
    r"sensitive|unsafe|safety|usage polic|data.?inspection|敏感|不安全|违规|违法|审核|"
    r"context.{0,8}(length|window|size)|too (long|large|many)|(length|tokens|size).{0,40}exceed|"
    r"exceed.{0,60}(length|token|size|context|maximum)|maximum.{0,40}(length|token|size)|过长|超长|"
    r"image.{0,40}support|support.{0,40}image|image_url|multi.?modal|\bvision\b",
    re.IGNORECASE,
)
"""Words of an error that lies in what one request holds: its content, its length, its images."""
_SETTING = re.compile(
    r"max_?(completion_?|output_?|new_?)?tokens|temperature|top_?p\b|reasoning|response_format|"
    r"parameter",
    re.IGNORECASE,
)
"""Words of an error that may lie in a setting, which is the same for every request."""
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
    """What an error means, in a few words, and how long the provider asks to wait.

    `own` tells that a rejection names something of the request itself as its reason.
    """

    meaning: Meaning
    detail: str
    status: int | None = None
    retry_after: float | None = None
    own: bool = False


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
        proven: whether the provider has answered a call of this run. Until then a rejection
            that names no reason in the request is taken for a wrong set-up, which would reject
            every case.
        secrets: values to keep out of the detail.
    """
    detail = cleaned(message, secrets)
    if status is not None:
        detail = f"HTTP {status}: {detail}"
    if status == 429 and _QUOTA.search(message):
        return Verdict(Meaning.STOP, f"the quota is used up ({detail})", status)
    if status is None and _UNSENT.search(message):
        return Verdict(Meaning.STOP, f"nothing could be sent ({detail})")
    if status is None or status in _RETRIED or status >= 500 or status < 400:
        return Verdict(Meaning.RETRY, detail, status, retry_after)
    if status in _ALWAYS_STOPPING:
        return Verdict(Meaning.STOP, f"{_STOPPING[status]} ({detail})", status)
    if _SET_UP.search(message):
        told = _STOPPING.get(status, "the provider refuses the set-up")
        return Verdict(Meaning.STOP, f"{told} ({detail})", status)
    if status == 413 or (_OWN.search(message) and not _SETTING.search(message)):
        return Verdict(Meaning.REJECTED, detail, status, own=True)
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
