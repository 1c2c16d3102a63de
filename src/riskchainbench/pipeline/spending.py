"""What a run spent: every reply of every stage, from the logs written before any was used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riskchainbench.core.failures import Stage
from riskchainbench.core.record import Record
from riskchainbench.core.store import Log
from riskchainbench.models.provider.prices import Price, PriceList, Tokens

REPLIES = Path("work") / "replies.jsonl"


class Spending(Record):
    """Calls, tokens and seconds of one stage; `cost` is None where no price is known.

    `output_tokens` include `reasoning_tokens`, `input_tokens` include `cached_tokens`.
    """

    calls: int = 0
    retries: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    provider_seconds: float = 0.0
    cost: float | None = None
    currency: str = ""

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens

    @classmethod
    def total(cls, parts: Sequence[Spending]) -> Spending:
        """Return the sum; its cost is known if that of every part that made calls is."""
        paid = [part for part in parts if part.calls]
        known = [part.cost for part in paid if part.cost is not None]
        counted = cls.model_fields.keys() - {"cost", "currency"}
        return cls(
            **{name: round(sum(getattr(part, name) for part in parts), 3) for name in counted},
            cost=sum(known) if known and len(known) == len(paid) else None,
            currency=next((part.currency for part in paid if part.currency), ""),
        )


@dataclass(frozen=True)
class StageSpending:
    """The spending of one stage; `payer` is the model that was asked."""

    stage: str
    payer: str
    spending: Spending


def run_spending(run: Path, system: str, prices: PriceList) -> list[StageSpending]:
    """Return what each stage of `run` spent, the judges' stages apart.

    Args:
        run: the run's folder.
        system: the model that was evaluated, as prices call it.
        prices: what tokens cost.
    """
    found = [
        StageSpending(stage, system, stage_spending(run / stage, prices.of(system)))
        for stage in (Stage.RESTORATION, Stage.INVESTIGATION, Stage.CONCLUSION)
    ]
    judging = run / Stage.JUDGING
    folders = sorted(path for path in judging.glob("*") if path.is_dir())
    for folder in folders:
        judge = folder.name.replace("--", "/")
        stage = f"{Stage.JUDGING} by {judge}"
        found.append(StageSpending(stage, judge, stage_spending(folder, prices.of(judge))))
    return found


def stage_spending(stage: Path, price: Price | None) -> Spending:
    """Return what the stage in the folder `stage` spent."""
    replies = list(logged_replies(stage))

    def summed(name: str, default: int = 0) -> int:
        return sum(int(reply.get(name, default)) for reply in replies)

    spent = Spending(
        calls=len(replies),
        retries=summed("attempts", 1) - len(replies),
        input_tokens=summed("input_tokens"),
        output_tokens=summed("output_tokens"),
        cached_tokens=summed("cached_tokens"),
        reasoning_tokens=summed("reasoning_tokens"),
        provider_seconds=round(sum(float(reply["provider_seconds"]) for reply in replies), 3),
    )
    if price is None:
        return spent
    return spent.but(cost=round(price.cost(Tokens.of(spent)), 6), currency=price.currency)


def logged_replies(stage: Path) -> Iterator[dict[str, Any]]:
    """Yield the replies that a stage logged, those of questions that changed since included."""
    path = stage / REPLIES
    if not path.exists():
        return
    for line in Log(path):
        if "text" in line:
            yield line
