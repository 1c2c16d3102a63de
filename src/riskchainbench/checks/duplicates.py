"""Near-duplicates, counted and printed: websites of different sets that look like copies.

A count is no verdict; the sameness audit gives one. Words are compared by MinHash, pages by
the sequence of their elements, pictures by perceptual hash.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from riskchainbench.checks.audited import AuditedWebsite, numbered, set_numbers
from riskchainbench.checks.sameness import runs
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream

NEAR = 0.8
"""The estimated Jaccard index of runs of five words from which websites are near."""

NEAR_BITS = 4
"""The bits of 64 in which two pictures may differ and still be near."""

_PERMUTATIONS = 64
_SIDE = 32
_LOW = 8

Signatures = NDArray[np.uint64]


class Duplicates(Record):
    """How many pairs of websites of different sets are near in one respect, of how many."""

    schema_version: Literal["duplicates/1"] = "duplicates/1"
    respect: str
    websites: int
    pairs: int
    involved: int

    @property
    def line(self) -> str:
        """The figures in one line."""
        found = f"{self.pairs} pairs of different sets"
        return (
            f"near-duplicates in {self.respect}: {found}, {self.involved} of {self.websites} "
            "websites"
        )


def near_duplicates(websites: Sequence[AuditedWebsite]) -> tuple[Duplicates, ...]:
    """Count the pairs that are near in words, and those of one sequence of elements."""
    groups = set_numbers(websites)
    signatures = np.array([signature(runs(w.words, w.stratum.language)) for w in websites])
    languages = numbered([website.stratum.language for website in websites])
    near = np.zeros((len(websites), len(websites)), dtype=bool)
    for language in set(languages.tolist()):
        members = np.flatnonzero(languages == language)
        mine = signatures[members]
        equal = np.array([(mine == own).mean(axis=1) for own in mine])
        near[np.ix_(members, members)] = equal >= NEAR
    tags = numbered([website.tags for website in websites])
    return (
        _counted("words", near, groups),
        _counted("elements", tags[:, None] == tags[None, :], groups),
    )


def near_pictures(hashes: Mapping[str, str], websites: Sequence[AuditedWebsite]) -> Duplicates:
    """Count the pairs whose pictures are near; `hashes` are perceptual, by case id."""
    own = [website for website in websites if website.case_id in hashes]
    words = np.array([int(hashes[website.case_id], 16) for website in own], dtype=np.uint64)
    bits = np.unpackbits(words.view(np.uint8).reshape(len(own), 8), axis=1)
    apart = (bits[:, None, :] != bits[None, :, :]).sum(axis=2)
    return _counted("pictures", apart <= NEAR_BITS, set_numbers(own))


def signature(members: Iterable[str]) -> Signatures:
    """Return the MinHash of a set (Broder 1997); the share of equal places estimates Jaccard."""
    values = np.array([crc32(each.encode("utf-8")) for each in members] or [0], dtype=np.uint64)
    mixed = (values ^ (values << np.uint64(29))) * _SPREAD
    mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed[:, None] * _FACTORS + _TERMS).min(axis=0), dtype=np.uint64)


def perceptual_hash(png: bytes) -> str:
    """Return 64 bits of a picture in hexadecimal.

    They tell which of its lowest frequencies lie above their median.
    """
    with Image.open(io.BytesIO(png)) as image:
        small = np.asarray(image.convert("L").resize((_SIDE, _SIDE)), dtype=np.float64)
    frequencies = (_COSINES @ small @ _COSINES.T)[:_LOW, :_LOW].ravel()
    return np.packbits(frequencies > np.median(frequencies)).tobytes().hex()


def _counted(respect: str, near: NDArray[np.bool_], groups: NDArray[np.int64]) -> Duplicates:
    near = near & (groups[:, None] != groups[None, :])
    return Duplicates(
        respect=respect,
        websites=len(groups),
        pairs=int(near.sum()) // 2,
        involved=int(near.any(axis=1).sum()) if len(groups) else 0,
    )


_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_DRAW = stream(0, "minhash")
_FACTORS = np.array([_DRAW.getrandbits(64) | 1 for _ in range(_PERMUTATIONS)], dtype=np.uint64)
_TERMS = np.array([_DRAW.getrandbits(64) for _ in range(_PERMUTATIONS)], dtype=np.uint64)
_COSINES = np.cos(np.pi / _SIDE * np.outer(np.arange(_SIDE), np.arange(_SIDE) + 0.5))
