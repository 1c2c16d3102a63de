"""What a run may spend, and the stop when it is spent."""

from __future__ import annotations

from dataclasses import dataclass

from riskchainbench.core.errors import RiskChainError
from riskchainbench.models.provider.prices import Counted, Price, Tokens


class BudgetSpentError(RiskChainError):
    """A run has spent what it may; nothing is lost, and a larger budget lets it go on."""


@dataclass
class Budget:
    """What may be spent, and what was, over all models that share it.

    Calls under way when the limit is reached are still paid for.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    cost: float = 0.0
    tokens: int = 0

    def require_room(self) -> None:
        """Check that another call may be made.

        Raises:
            BudgetSpentError: the limit is reached.
        """
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise BudgetSpentError(
                f"{self.tokens} tokens are spent and --max-tokens is {self.max_tokens}; "
                "with a larger one the same command goes on"
            )
        if self.max_cost is not None and self.cost >= self.max_cost:
            raise BudgetSpentError(
                f"{self.cost:.2f} is spent and --max-cost is {self.max_cost:g}; "
                "with a larger one the same command goes on"
            )


@dataclass(frozen=True)
class Account:
    """One model's door to a budget, at the model's price; None is unknown and counts nothing."""

    budget: Budget
    price: Price | None = None

    def spend(self, counted: Counted) -> None:
        """Count one reply, or the usage of an earlier start of the same run."""
        tokens = Tokens.of(counted)
        self.budget.tokens += tokens.all
        if self.price is not None:
            self.budget.cost += self.price.cost(tokens)
