"""Passwords and sign-in tokens: only their hashes are kept."""

from __future__ import annotations

import base64
import hashlib
import hmac

from riskchainbench.annotation.settings import RefusedError
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.seeds import fresh_seed

MIN_PASSWORD = 10
_COST, _BLOCK, _LANES = 2**14, 8, 1


def hash_password(password: str, salt: bytes | None = None) -> str:
    """Return the scrypt hash of `password` with its salt and cost (RFC 7914).

    Raises:
        RefusedError: the password is shorter than `MIN_PASSWORD`.
    """
    if len(password) < MIN_PASSWORD:
        raise RefusedError(
            "refused.password", f"password: needs at least {MIN_PASSWORD} characters"
        )
    salt = fresh_seed().to_bytes(16, "big") if salt is None else salt
    key = _derived(password, salt, _COST)
    return "$".join(["scrypt", str(_COST), _text(salt), _text(key)])


def password_fits(password: str, stored: str) -> bool:
    """Tell whether `password` is the one that `stored` was made from, in constant time."""
    scheme, cost, salt, key = stored.split("$")
    found = _derived(password, base64.b64decode(salt), int(cost))
    return scheme == "scrypt" and hmac.compare_digest(found, base64.b64decode(key))


def _derived(password: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(
        password.encode("utf-8"), salt=salt, n=cost, r=_BLOCK, p=_LANES, maxmem=2**26
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


NO_ACCOUNT = hash_password("no such person", b"riskchain-no-one")
"""Compared with where nobody of the given name exists, so that the time taken tells nothing."""


def fresh_token() -> str:
    """Return a token of 256 random bits for a session or a form."""
    return f"{fresh_seed():032x}{fresh_seed():032x}"


def token_sha256(token: str) -> Sha256:
    """Return what is stored of a session's token."""
    return sha256_text(token)
