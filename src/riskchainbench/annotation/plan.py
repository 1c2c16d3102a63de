"""Who is to judge what, and in which order: pure functions of a seed.

A plan is balanced twice: everybody has the same number of websites within one or two, and
every pair of people shares about the same number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from riskchainbench.annotation.settings import RefusedError
from riskchainbench.core.seeds import stream


def balanced_pairs(
    cases: Sequence[str], people: Sequence[str], seed: int
) -> dict[str, tuple[str, str]]:
    """Return two different people for every website.

    Each website in turn, in random order, goes to the pair that has the least to do so far,
    counting its members' loads first and then the pair's own.

    Raises:
        RefusedError: there are fewer than two people.
    """
    if len(people) < 2:
        raise RefusedError(
            "refused.two_people", "two independent judgments need at least two annotators; add one"
        )
    draw = stream(seed, "pairs")
    order = sorted(cases)
    draw.shuffle(order)
    pairs = list(combinations(sorted(people), 2))
    draw.shuffle(pairs)
    load = dict.fromkeys(people, 0)
    shared = dict.fromkeys(pairs, 0)
    plan: dict[str, tuple[str, str]] = {}
    for case_id in order:
        pair = min(
            pairs, key=lambda p: (load[p[0]] + load[p[1]], max(load[p[0]], load[p[1]]), shared[p])
        )
        plan[case_id] = pair
        shared[pair] += 1
        for person in pair:
            load[person] += 1
    return plan


def _burden(one: int, other: int) -> tuple[int, int]:
    return one + other, max(one, other)


def least_loaded(
    people: Iterable[str], excluded: Collection[str], load: Mapping[str, int], seed: int, case: str
) -> str | None:
    """Return whom to give one more website: the person with the least to do, ties by chance."""
    free = [person for person in sorted(people) if person not in excluded]
    if not free:
        return None
    return min(free, key=lambda p: (load.get(p, 0), stream(seed, "tie", case, p).random()))


def personal_rank(seed: int, person: str, slot: int) -> float:
    """Return the place of a slot in a person's own random order, in [0, 1)."""
    return stream(seed, "order", person, slot).random()


def repeats_due(given: int, repeated: int, rate: float) -> bool:
    """Tell whether a person who judged `given` websites is due another hidden repeat."""
    return repeated < int(given * rate)


def repeatable(history: Sequence[str], repeated: Collection[str], gap: int) -> list[str]:
    """Return the websites that may be shown again: judged at least `gap` judgments ago, once."""
    old = history[: max(0, len(history) - gap)]
    return [case for case in old if case not in repeated]
