"""The constant systems: one decision for every website, stated without looking further."""

from __future__ import annotations

from typing import ClassVar

from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.core.restoration import Restoration, RestorationTask
from riskchainbench.core.system import ActionRequest, ConclusionRequest
from riskchainbench.models.builtin import BuiltinSystem, unrestored, whole_viewport


class ConstantSystem(BuiltinSystem):
    """Leaves messages as they are, stops at once and always concludes `decision`.

    Always violation names the type of highest precedence in the codebook.
    """

    decision: ClassVar[Decision]

    def restore(self, unit_id: str, task: RestorationTask) -> Restoration:  # noqa: ARG002
        """Return the messages unrestored."""
        return unrestored(task)

    def act(self, unit_id: str, request: ActionRequest) -> Action:  # noqa: ARG002
        """Stop."""
        return Action(action=ActionKind.STOP, reason="A constant system looks at nothing more.")

    def conclude(self, unit_id: str, request: ConclusionRequest) -> Conclusion:  # noqa: ARG002
        """Conclude the constant decision on the whole first viewport."""
        return Conclusion(
            decision=self.decision,
            violation_type=required_type(self.decision) or request.codebook.type_ids[0],
            rationale="A constant decision that no evidence was weighed for.",
            evidence=(whole_viewport(request, 0),),
            confidence=0.5,
        )


class AlwaysViolation(ConstantSystem):
    """Always VIOLATION."""

    name = "always-violation"
    decision = Decision.VIOLATION


class AlwaysNonViolation(ConstantSystem):
    """Always NON_VIOLATION."""

    name = "always-non-violation"
    decision = Decision.NON_VIOLATION


class AlwaysInsufficient(ConstantSystem):
    """Always INSUFFICIENT_EVIDENCE."""

    name = "always-insufficient"
    decision = Decision.INSUFFICIENT_EVIDENCE
