"""The rules system: restores, explores and concludes from general knowledge, with no model."""

from __future__ import annotations

from functools import cached_property

from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.investigation import Action
from riskchainbench.core.restoration import Restoration, RestorationTask
from riskchainbench.core.system import ActionRequest, ConclusionRequest
from riskchainbench.models.builtin import BuiltinSystem
from riskchainbench.models.explorer import RulesExplorer
from riskchainbench.models.restorer import RulesRestorer


class RulesSystem(BuiltinSystem):
    """An honest baseline: what rules written without sight of the generator reach."""

    name = "rules"

    @cached_property
    def _restorer(self) -> RulesRestorer:
        return RulesRestorer()

    @cached_property
    def _explorer(self) -> RulesExplorer:
        return RulesExplorer()

    def restore(self, unit_id: str, task: RestorationTask) -> Restoration:  # noqa: ARG002
        """Restore by token syntax, confusables, components, readings and word frequencies."""
        return self._restorer.restore(task)

    def act(self, unit_id: str, request: ActionRequest) -> Action:  # noqa: ARG002
        """Explore breadth-first over the inventory."""
        return self._explorer.next_action(request)

    def conclude(self, unit_id: str, request: ConclusionRequest) -> Conclusion:  # noqa: ARG002
        """Decide by the codebook's components that were observed."""
        return self._explorer.conclude(request)
