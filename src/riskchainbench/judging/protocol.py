"""What a judge is: one question about one package, one reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.system import ImageLoader, Reply, Request
from riskchainbench.judging.records import EvidencePackage


@dataclass(frozen=True, kw_only=True)
class JudgingRequest(Request):
    """Rate one evidence package. A model is sent the prompt and the images it names alone."""

    package: EvidencePackage
    codebook: Codebook
    images: ImageLoader = field(repr=False)


class Judge(Protocol):
    """Anything that rates evidence packages.

    `deterministic` marks a judge that computes its scores by rule and validates nothing.
    `settings` is recorded in the stage's manifest, decoding included; it holds no secret.
    """

    @property
    def name(self) -> str:
        """The judge's name: its folder below ``judging/``."""

    @property
    def title(self) -> str:
        """How every table calls it."""

    @property
    def deterministic(self) -> bool:
        """Whether its scores are computed by rule."""

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """What a rerun would need to know."""

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
        """Answer one request.

        Raises:
            SystemFailureError: no answer could be had, by no fault of the judge's.
        """
