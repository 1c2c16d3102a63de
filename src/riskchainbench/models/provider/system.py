"""A model as a system: each request's prompt is sent, the unit's id is not."""

from __future__ import annotations

from collections.abc import Mapping

from riskchainbench.core.failures import Stage
from riskchainbench.core.system import (
    ActionRequest,
    AnyRequest,
    ConclusionRequest,
    Reply,
    RestorationRequest,
)
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.schemas import schema_for


class ModelSystem:
    """The system that a provider's model is."""

    def __init__(self, caller: ModelCaller) -> None:
        self.caller = caller

    @property
    def name(self) -> str:
        """The provider and the model."""
        return self.caller.name

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """What a rerun would need to know; no key and no address."""
        return self.caller.settings.recorded()

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        """Answer one request.

        Raises:
            SystemFailureError: the provider failed; the unit stays open.
            ProviderStopError: no further call could do better.
        """
        return await self.caller.call(
            unit_id, request.prompt, request.images, schema_for(request), _stage(request)
        )


def _stage(request: AnyRequest) -> Stage:
    if isinstance(request, RestorationRequest):
        return Stage.RESTORATION
    if isinstance(request, ActionRequest):
        return Stage.INVESTIGATION
    assert isinstance(request, ConclusionRequest)
    return Stage.CONCLUSION
