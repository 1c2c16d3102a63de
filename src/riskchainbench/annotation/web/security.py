"""Who is asking, whether a form is their own, and the headers that every page carries.

Cookies are ``__Host-`` ones: kept by the browser for the workbench's own host alone, so that a
website, on whatever port or name below it, can neither read nor set them.
"""

from __future__ import annotations

import hmac
from collections import defaultdict, deque

from starlette.requests import Request
from starlette.responses import Response

SESSION = "__Host-riskchain"
LANGUAGE = "__Host-riskchain-language"
SESSION_SECONDS = 12 * 3600
MAX_FORM = 3 * 1024 * 1024
ATTEMPTS, ATTEMPT_SECONDS = 8, 60.0


def headers(frames: str) -> dict[str, str]:
    """Return the headers of every answer; `frames` is where websites in frames come from."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self'; form-action 'self'; frame-src {frames}; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
    }


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """Set a cookie that only the workbench's own pages are sent, over a trustworthy line."""
    response.set_cookie(
        name, value, max_age=seconds, path="/", secure=True, httponly=True, samesite="strict"
    )


def from_own_page(request: Request) -> bool:
    """Tell whether a form was sent from a page of the workbench itself."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    return origin.partition("//")[2] == request.headers.get("host", "")


def token_fits(given: str, expected: str) -> bool:
    """Tell whether a form carries the session's token, in constant time."""
    return hmac.compare_digest(given.encode("utf-8"), expected.encode("utf-8"))


class Attempts:
    """Counts failed sign-ins by name, to slow guessing down."""

    def __init__(self) -> None:
        self._failed: dict[str, deque[float]] = defaultdict(deque)

    def blocked(self, name: str, now: float) -> bool:
        """Tell whether `name` has failed too often within the last minute."""
        failed = self._failed.get(name)
        if not failed:
            return False
        while failed and failed[0] < now - ATTEMPT_SECONDS:
            failed.popleft()
        if not failed:
            del self._failed[name]
        return len(failed) >= ATTEMPTS

    def failed(self, name: str, now: float) -> None:
        """Remember a failure."""
        if len(self._failed) < 10_000:
            self._failed[name].append(now)
