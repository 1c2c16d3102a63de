"""What the built-in systems share: they answer every request as JSON, like a model would."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from riskchainbench.core.conclusion import BoxLocator, Conclusion, EvidenceReference
from riskchainbench.core.investigation import Action
from riskchainbench.core.restoration import (
    Intent,
    Restoration,
    RestorationTask,
    RestoredMessage,
)
from riskchainbench.core.system import (
    ActionRequest,
    AnyRequest,
    ConclusionRequest,
    Reply,
    RestorationRequest,
)


class BuiltinSystem(ABC):
    """A system that needs no key. Subclasses answer with records; files see only JSON text."""

    name: ClassVar[str]

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """What a rerun would need to know."""
        return {}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        """Answer one request as one JSON object."""
        return Reply(text=self._answer(unit_id, request).to_json())

    def _answer(self, unit_id: str, request: AnyRequest) -> Restoration | Action | Conclusion:
        if isinstance(request, RestorationRequest):
            return self.restore(unit_id, request.task)
        if isinstance(request, ActionRequest):
            return self.act(unit_id, request)
        return self.conclude(unit_id, request)

    @abstractmethod
    def restore(self, unit_id: str, task: RestorationTask) -> Restoration:
        """Answer a restoration request."""

    @abstractmethod
    def act(self, unit_id: str, request: ActionRequest) -> Action:
        """Answer an action request."""

    @abstractmethod
    def conclude(self, unit_id: str, request: ConclusionRequest) -> Conclusion:
        """Answer a conclusion request."""


def unrestored(task: RestorationTask) -> Restoration:
    """Return the messages as they came, with no intent and no entry."""
    return Restoration(
        messages=tuple(
            RestoredMessage(message_id=message.message_id, text=message.content)
            for message in task.messages
        ),
        intent=Intent.UNKNOWN,
        abstain=True,
    )


def whole_viewport(request: ConclusionRequest, step: int) -> EvidenceReference:
    """Return a reference to everything that the viewport showed at `step`.

    A box needs a picture: where the screenshot of `step` failed, the nearest step that has
    one is cited.
    """
    pictured = [s.observation.step for s in request.steps if s.observation.screenshot is not None]
    step = min(pictured, key=lambda other: (abs(other - step), other), default=step)
    width, height = request.viewport
    return EvidenceReference(step=step, locator=BoxLocator(x=0, y=0, width=width, height=height))
