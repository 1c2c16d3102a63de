"""The random system: explores and concludes by chance, the floor below every other system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.investigation import Action, ActionKind, Element, ElementKind
from riskchainbench.core.restoration import EntryCandidate, Intent, Restoration, RestorationTask
from riskchainbench.core.seeds import stream
from riskchainbench.core.system import ActionRequest, ConclusionRequest
from riskchainbench.models.builtin import BuiltinSystem, unrestored, whole_viewport

_NAME_LIKE = re.compile(r"[^\s.]+\.[^\s.]+\.test", re.IGNORECASE)
_PAGE_ACTIONS = (
    ActionKind.SCROLL_DOWN,
    ActionKind.SCROLL_UP,
    ActionKind.BACK,
    ActionKind.RELOAD,
    ActionKind.STOP,
)
_BY_KIND = {
    ElementKind.LINK: ActionKind.CLICK,
    ElementKind.BUTTON: ActionKind.CLICK,
    ElementKind.FIELD: ActionKind.FILL,
    ElementKind.CHOICE: ActionKind.CHOOSE,
    ElementKind.SUBMIT: ActionKind.SUBMIT,
}


class RandomSystem(BuiltinSystem):
    """Draws every answer; equal seeds draw equal answers for equal units."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """The seed."""
        return {"seed": self._seed}

    def restore(self, unit_id: str, task: RestorationTask) -> Restoration:
        """Leave the text, draw an intent, and guess a name that stands in the message."""
        draw = stream(self._seed, unit_id, "restore")
        names = [name for m in task.messages for name in _NAME_LIKE.findall(m.content)]
        chosen = draw.choice(names) if names else None
        return unrestored(task).but(
            intent=draw.choice(list(Intent)),
            abstain=chosen is None,
            candidates=() if chosen is None else (EntryCandidate(rank=1, value=chosen),),
        )

    def act(self, unit_id: str, request: ActionRequest) -> Action:
        """Draw one of the possible actions, every control counting as one."""
        draw = stream(self._seed, unit_id, "act", request.observation.step)
        controls = [element for element in request.observation.elements if not element.disabled]
        place = draw.randrange(len(controls) + len(_PAGE_ACTIONS))
        if place < len(controls):
            return _on(controls[place], draw)
        return Action(action=_PAGE_ACTIONS[place - len(controls)], reason="Drawn by chance.")

    def conclude(self, unit_id: str, request: ConclusionRequest) -> Conclusion:
        """Draw a decision and, for a violation, a type."""
        draw = stream(self._seed, unit_id, "conclude")
        decision = draw.choice(list(Decision))
        return Conclusion(
            decision=decision,
            violation_type=required_type(decision) or draw.choice(request.codebook.type_ids),
            rationale="Drawn by chance.",
            evidence=(whole_viewport(request, draw.randrange(len(request.steps))),),
            confidence=round(draw.random(), 2),
        )


def _on(element: Element, draw: Random) -> Action:
    option = draw.choice(element.options) if element.options else None
    return Action(
        action=_BY_KIND[element.kind],
        element=element.element_id,
        option=option,
        reason="Drawn by chance.",
    )
