"""What a trajectory cost and how it went: steps, repetition, time and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.investigation import ActionKind, Trajectory
from riskchainbench.models.provider.prices import Price, Tokens
from riskchainbench.scoring.records import Distribution, Unit


@dataclass(frozen=True)
class TrajectoryFacts:
    """The cost of one case.

    `steps` counts the turns that cost an action; `effective` those after which the page was
    another; `repeated` those that did on a page what had been done on it before. Seconds and
    tokens are of investigation and conclusion together.
    """

    steps: int = 0
    effective: int = 0
    repeated: int = 0
    invalid: int = 0
    repairs: int = 0
    seconds: float = 0.0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


def facts(trajectory: Trajectory | None, conclusion: ConclusionRecord | None) -> TrajectoryFacts:
    """Return the cost of one case; a case without a trajectory cost nothing that is known."""
    if trajectory is None:
        return TrajectoryFacts()
    steps = effective = repeated = invalid = repairs = 0
    done: set[tuple[str, str, str | None, str | None]] = set()
    for step, after in zip_longest(trajectory.steps, trajectory.steps[1:]):
        repairs += step.repairs
        if step.action is None:
            invalid += step.failure is not None
            steps += step.failure is not None
            continue
        if step.action.action is ActionKind.STOP:
            continue
        steps += 1
        state = step.observation.page_state
        if after is not None and after.observation.page_state != state:
            effective += 1
        key = (state, step.action.action, step.action.element, step.action.option)
        repeated += key in done
        done.add(key)
    usages = [trajectory.end.usage] + ([conclusion.usage] if conclusion is not None else [])
    return TrajectoryFacts(
        steps=steps,
        effective=effective,
        repeated=repeated,
        invalid=invalid,
        repairs=repairs + (conclusion.usage.repairs if conclusion is not None else 0),
        seconds=trajectory.end.seconds + (conclusion.seconds if conclusion is not None else 0.0),
        calls=sum(usage.calls for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
    )


def distributions(
    cases: Sequence[TrajectoryFacts], price: Price | None = None
) -> tuple[Distribution, ...]:
    """Return how each quantity is spread over the cases; cost only where a price is given."""
    columns: list[tuple[str, Unit, list[float]]] = [
        ("steps", Unit.NUMBER, [case.steps for case in cases]),
        ("effective_steps", Unit.NUMBER, [case.effective for case in cases]),
        ("repeated_steps", Unit.NUMBER, [case.repeated for case in cases]),
        ("invalid_turns", Unit.NUMBER, [case.invalid for case in cases]),
        ("repairs", Unit.NUMBER, [case.repairs for case in cases]),
        ("seconds", Unit.SECONDS, [case.seconds for case in cases]),
        ("calls", Unit.NUMBER, [case.calls for case in cases]),
        ("input_tokens", Unit.TOKENS, [case.input_tokens for case in cases]),
        ("output_tokens", Unit.TOKENS, [case.output_tokens for case in cases]),
    ]
    if price is not None:
        costs = [price.cost(Tokens.of(case)) for case in cases]
        columns.append(("cost", Unit.COST, costs))
    return tuple(spread(f"trajectory.{name}", name, unit, values) for name, unit, values in columns)


def spread(
    distribution_id: str, title_key: str, unit: Unit, values: Sequence[float]
) -> Distribution:
    """Summarize values; quantiles are interpolated linearly."""
    ordered = sorted(values)
    total = float(sum(ordered))
    return Distribution(
        distribution_id=distribution_id,
        title_key=title_key,
        unit=unit,
        units=len(ordered),
        total=total,
        mean=total / len(ordered) if ordered else None,
        median=_quantile(ordered, 0.5),
        p10=_quantile(ordered, 0.1),
        p90=_quantile(ordered, 0.9),
        maximum=float(ordered[-1]) if ordered else None,
    )


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    if not ordered:
        return None
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (ordered[high] - ordered[low]) * (place - low))
