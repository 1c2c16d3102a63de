"""What a report is made from: the public half, the gold half, and the frozen runs.

Shapes that `pipeline` fills; nothing here reads a file or opens gold. The gold half may be
absent, and a public report behaves as if it were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.gold import SampleGold, Stratum, WebsiteLabel
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import InvestigationTask
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.messages.records import Trace
from riskchainbench.scoring.run import RunData


class PublicHalf(Protocol):
    """The public half of a bundle, as `bundle.Bundle` gives it."""

    @property
    def tasks_sha256(self) -> Sha256:
        """What runs bind to."""

    @property
    def codebook(self) -> Codebook:
        """The codebook that the bundle was built under."""

    @property
    def investigation_tasks(self) -> Mapping[str, InvestigationTask]:
        """The websites' tasks by case id."""

    @property
    def restoration_tasks(self) -> Mapping[str, RestorationTask]:
        """The message variants by sample id."""


class GoldHalf(Protocol):
    """The gold half of a bundle, as `bundle.Gold` gives it."""

    @property
    def labels(self) -> Mapping[str, WebsiteLabel]:
        """Labels by case id."""

    @property
    def strata(self) -> Mapping[str, Stratum]:
        """Strata by case id."""

    @property
    def samples(self) -> Mapping[str, SampleGold]:
        """Reference restorations by sample id."""

    @property
    def traces(self) -> Mapping[str, Trace]:
        """Traces by sample id."""


@dataclass(frozen=True)
class ReportRun:
    """One run as scoring read it, and the folder that holds its screenshots."""

    data: RunData
    images: Path
