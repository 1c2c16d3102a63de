"""The audit of first screenshots: can the label be told from how a website looks?

Pictures are scaled down, so that colors and blocks are left and letters are not.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from PIL import Image

from riskchainbench.checks.audited import ENOUGH, AuditedWebsite
from riskchainbench.checks.duplicates import Duplicates, near_pictures
from riskchainbench.checks.shortcut import (
    ShortcutTest,
    evidence_later,
    shortcut_findings,
    shortcut_test,
    whole_sets,
)
from riskchainbench.core.record import Record

WIDTH, HEIGHT = 32, 32


class PictureAudit(Record):
    """What the audit found; under `ENOUGH` websites its tests are no verdict."""

    schema_version: Literal["picture-audit/1"] = "picture-audit/1"
    websites: int
    tests: tuple[ShortcutTest, ...]
    duplicates: Duplicates

    @property
    def findings(self) -> tuple[str, ...]:
        """What is wrong, one line each."""
        return shortcut_findings(self.tests)

    def lines(self) -> tuple[str, ...]:
        """Return every figure, one line each."""
        return (*(test.line for test in self.tests), self.duplicates.line)


def thumbnail(png: bytes) -> bytes:
    """Return a picture scaled down to `WIDTH` by `HEIGHT` points of three bytes."""
    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.BOX).tobytes()


def audit_pictures(
    thumbnails: Mapping[str, bytes],
    hashes: Mapping[str, str],
    websites: Sequence[AuditedWebsite],
    seed: int,
) -> PictureAudit:
    """Test pictures of first pages.

    Args:
        thumbnails: by case id, as `thumbnail` gives them.
        hashes: perceptual hashes by case id.
        websites: those of the bundle; the ones without a picture are left out.
        seed: draws the sets for the bounds.
    """
    from riskchainbench.checks import classifiers

    pictured = [website for website in websites if website.case_id in thumbnails]
    whole = whole_sets(pictured)

    def points(of: Sequence[AuditedWebsite]) -> Any:
        rows = [np.frombuffer(thumbnails[website.case_id], dtype=np.uint8) for website in of]
        return np.array(rows, dtype=np.float64)

    few = len(whole) < ENOUGH
    tests = (
        shortcut_test(
            "first screenshot, evidence later",
            evidence_later(whole),
            points,
            classifiers.pictures,
            seed,
            printed=few,
        ),
        shortcut_test("first screenshot", whole, points, classifiers.pictures, seed, printed=True),
    )
    return PictureAudit(
        websites=len(pictured),
        tests=tuple(test for test in tests if test is not None),
        duplicates=near_pictures(hashes, pictured),
    )
