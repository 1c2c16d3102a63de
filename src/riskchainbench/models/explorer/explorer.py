"""The two answers of the rules explorer; both are functions of the request alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.investigation import Action
from riskchainbench.core.system import ActionRequest, ConclusionRequest
from riskchainbench.models.explorer.evidence import assess
from riskchainbench.models.explorer.history import recall
from riskchainbench.models.explorer.lexicon import Lexicon, load_lexicon
from riskchainbench.models.explorer.planner import plan
from riskchainbench.models.explorer.verdict import decide


@dataclass(frozen=True)
class RulesExplorer:
    """Explores breadth-first and decides by the components whose words it saw asserted.

    Nothing is remembered between calls: a case that is resumed from its recorded steps
    goes on as if it had never stopped.
    """

    lexicon: Lexicon = field(default_factory=load_lexicon)

    def next_action(self, request: ActionRequest) -> Action:
        """Return the next action on the present observation."""
        history = recall(request.steps, request.observation)
        observations = [*(step.observation for step in request.steps), request.observation]
        satisfied = assess(observations, self.lexicon, request.codebook).satisfied_since
        return plan(request.observation, history, self.lexicon, satisfied)

    def conclude(self, request: ConclusionRequest) -> Conclusion:
        """Return the conclusion that the recorded steps support."""
        observations = [step.observation for step in request.steps]
        assessment = assess(observations, self.lexicon, request.codebook)
        return decide(request, assessment, self.lexicon)
