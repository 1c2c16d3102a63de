"""Named streams of randomness: each use of chance has its own name under one seed.

A stream depends on the seed and on its names alone, so adding a new use of chance
never changes what another one draws.
"""

from __future__ import annotations

import hashlib
import secrets
from random import Random

SEED_BITS = 128


def stream(seed: int, *names: str | int) -> Random:
    """Return the generator that belongs to `names` under `seed`.

    >>> stream(7, "messages", 3).random() == stream(7, "messages", 3).random()
    True
    """
    digest = hashlib.sha256("\x1f".join([str(seed), *map(str, names)]).encode("utf-8")).digest()
    return Random(int.from_bytes(digest, "big"))


def derive(seed: int, *names: str | int) -> int:
    """Return a seed of its own for `names`, to be handed to another room."""
    return stream(seed, *names).getrandbits(SEED_BITS)


def fresh_seed() -> int:
    """Draw a seed that nobody can guess; a bundle from a known seed keeps no secret."""
    return secrets.randbits(SEED_BITS)


def commitment(seed: int, salt: str) -> str:
    """Return a public commitment to `seed` that does not reveal it.

    The salt stands beside the seed in the bundle's private part, so that whoever holds
    both can prove which seed the bundle came from.
    """
    return hashlib.sha256(f"{salt}:{seed}".encode()).hexdigest()
