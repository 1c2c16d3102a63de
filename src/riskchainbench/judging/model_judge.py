"""A provider's model as a judge: sent the fixed prompt and the admitted images, nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riskchainbench.core.failures import Stage
from riskchainbench.core.system import Reply
from riskchainbench.judging.protocol import JudgingRequest
from riskchainbench.judging.records import DIMENSIONS
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.client import ReplySchema
from riskchainbench.models.provider.schemas import closed, text

_SCORE = closed({"score": {"type": "integer", "minimum": 1, "maximum": 5}, "reason": text(600)})
SCHEMA = ReplySchema("judgment", closed(dict.fromkeys(DIMENSIONS, _SCORE)))


class ModelJudge:
    """The judge that a provider's model is."""

    deterministic = False

    def __init__(self, caller: ModelCaller, marks: Sequence[str] = ()) -> None:
        """Make the judge; `marks` are shown beside its name wherever its scores are."""
        self.caller = caller
        self._marks = tuple(marks)

    @property
    def name(self) -> str:
        """The provider and the model."""
        return self.caller.name

    @property
    def title(self) -> str:
        """How every table calls it."""
        marks = f" ({', '.join(self._marks)})" if self._marks else ""
        return f"{self.caller.name}{marks}"

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """How the model is asked, decoding included; no key and no address."""
        return self.caller.settings.recorded()

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
        """Answer one request.

        Raises:
            SystemFailureError: the provider failed; the case stays open.
            ProviderStopError: no further call could do better.
        """
        return await self.caller.call(
            unit_id, request.prompt, request.images, SCHEMA, Stage.JUDGING
        )
