"""What a run may spend, and the stop when it is spent."""

from __future__ import annotations

from dataclasses import dataclass, field

from riskchainbench.core.errors import RiskChainError
from riskchainbench.core.system import Reply
from riskchainbench.models.provider.prices import Price, Tokens


class BudgetSpentError(RiskChainError):
    """A run has spent what it may; nothing is lost, and a larger budget lets it go on."""


@dataclass
class Budget:
    """Counts what is spent against what may be.

    `spent` starts with what earlier starts of the same run used. Calls under way when the
    limit is reached are still paid for.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    price: Price | None = None
    spent: Tokens = field(default_factory=Tokens)

    def spend(self, reply: Reply) -> None:
        """Count one reply."""
        self.spent = self.spent.plus(Tokens.of(reply))

    def require_room(self) -> None:
        """Check that another call may be made.

        Raises:
            BudgetSpentError: the limit is reached.
        """
        if self.max_tokens is not None and self.spent.all >= self.max_tokens:
            raise BudgetSpentError(
                f"{self.spent.all} tokens are spent and --max-tokens is {self.max_tokens}; "
                "with a larger one the same command goes on"
            )
        if self.max_cost is None or self.price is None:
            return
        cost = self.price.cost(self.spent)
        if cost >= self.max_cost:
            raise BudgetSpentError(
                f"{cost:.2f} {self.price.currency} are spent and --max-cost is "
                f"{self.max_cost:g}; with a larger one the same command goes on"
            )
