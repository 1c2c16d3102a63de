"""What a selection of websites has to hold: counts, bounds and balances, read from TOML.

Quotas may read designed labels for balance only; they decide no label and reach no model.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field, model_validator

from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError, UsageError
from riskchainbench.core.gold import Stratum
from riskchainbench.core.record import Record
from riskchainbench.core.store import validate

SELECTIONS = ("balanced", "paper-mix", "lite")
"""The quotas that come with the package."""


class Trait(StrEnum):
    """What a quota can count."""

    FORM = "form"
    TOPIC = "topic"
    LANGUAGE = "language"
    DEPTH = "depth"
    DIFFICULTY = "difficulty"
    STRATUM = "stratum"
    SCENARIO = "scenario"


_Count = Annotated[int, Field(ge=0)]
_Part = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Bound(Record):
    """At least `low` and at most `high` websites."""

    low: _Count
    high: _Count

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low {self.low} is above high {self.high}")
        return self


class Quotas(Record):
    """The quotas of one selection.

    `exact` names counts per value, or says how they follow from the pool: in its proportion
    or evenly. `bounds` names ranges, or a tolerance around the pool's proportion. `labels`
    are exact. `label_balance` bounds how far each label's count may be from its share in
    every value of the exact traits, in websites. `type_min` is the least number of
    violations of each type, `family_max` the most websites of one brand family,
    `clickable_min` and `stateful_min` the least websites that answer clicks and keep state.
    """

    schema_version: Literal["quotas/1"] = "quotas/1"
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    websites: int = Field(ge=1)
    whole_sets: bool
    family_max: int = Field(default=8, ge=1)
    type_min: _Count = 0
    clickable_min: _Count = 0
    stateful_min: _Count = 0
    label_balance: _Part | None = None
    labels: dict[Decision, _Count] = Field(default_factory=dict)
    exact: dict[Trait, Literal["proportional", "even"] | dict[str, _Count]] = Field(
        default_factory=dict
    )
    bounds: dict[Trait, _Part | dict[str, Bound]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _balanced_labels(self) -> Self:
        if self.label_balance is not None and not self.labels:
            raise ValueError("label_balance: needs labels, whose shares it balances")
        return self


_TOGETHER = (Trait.FORM, Trait.TOPIC)
K = TypeVar("K", str, tuple[str, ...])


@dataclass(frozen=True)
class Candidate:
    """One website as the selection sees it."""

    pool_id: str
    decision: Decision | None
    violation_type: str
    stratum: Stratum

    def value(self, trait: Trait) -> str:
        """Return the value of `trait`; difficulty comes in steps of three."""
        stratum = self.stratum
        match trait:
            case Trait.DIFFICULTY:
                low = stratum.difficulty // 3 * 3
                return f"{low}-{low + 2}"
            case Trait.STRATUM:
                return stratum.front_end
            case Trait.DEPTH:
                return str(stratum.depth)
            case _:
                return str(getattr(stratum, trait.value))


def packaged_quotas(name: str) -> Quotas:
    """Return quotas that come with the package.

    Raises:
        InputError: there are none of that name.
    """
    if name not in SELECTIONS:
        raise UsageError(f"no selection {name!r}; choose one of {', '.join(SELECTIONS)}")
    folder = resources.files("riskchainbench.websites") / "data" / "selections"
    return _parsed((folder / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def load_quotas(path: Path) -> Quotas:
    """Read quotas from a TOML file.

    Raises:
        InputError: naming the file and the field.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: cannot be read: {why}") from error
    return _parsed(text, str(path))


def quotas_of(selection: str | None, file: Path | None) -> Quotas | None:
    """Return the quotas of a packaged selection or of a file; None if neither is named.

    Raises:
        UsageError: both are named, or there is no such selection.
        InputError: the file holds no quotas.
    """
    if selection is not None and file is not None:
        raise UsageError("--selection and --quotas both select; give one of them")
    if file is not None:
        return load_quotas(file)
    return packaged_quotas(selection) if selection else None


def _parsed(text: str, where: str) -> Quotas:
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: not TOML: {error}") from error
    return validate(Quotas, value, where)


def exact_counts(
    quotas: Quotas, trait: Trait, candidates: Iterable[Candidate]
) -> Mapping[str, int]:
    """Return how many websites of each value of `trait` the quotas ask for.

    Form and topic hang together, as a scenario has one of each. Their proportions are
    apportioned over pairs and added up, since rounded apart they could contradict each other.
    """
    wanted = quotas.exact[trait]
    if isinstance(wanted, dict):
        return wanted
    unit = len(Decision) if quotas.whole_sets else 1
    if wanted == "even":
        values = {candidate.value(trait) for candidate in candidates}
        return apportioned(dict.fromkeys(values, 1), quotas.websites, unit)
    joint = _TOGETHER if trait in _TOGETHER else (trait,)
    cells = Counter(tuple(c.value(part) for part in joint) for c in candidates)
    place = joint.index(trait)
    counts: Counter[str] = Counter()
    for cell, count in apportioned(cells, quotas.websites, unit).items():
        counts[cell[place]] += count
    return dict(sorted(counts.items()))


def ranges(
    quotas: Quotas, trait: Trait, candidates: Iterable[Candidate]
) -> Mapping[str, tuple[int, int]]:
    """Return the least and greatest number of websites of each value of a bounded trait."""
    wanted = quotas.bounds[trait]
    if isinstance(wanted, dict):
        return {value: (bound.low, bound.high) for value, bound in wanted.items()}
    pool = Counter(candidate.value(trait) for candidate in candidates)
    total = pool.total()
    return {
        value: (
            int(quotas.websites * count / total * (1 - wanted)),
            int(quotas.websites * count / total * (1 + wanted)) + 3,
        )
        for value, count in sorted(pool.items())
    }


def apportioned(weights: Mapping[K, int], total: int, unit: int) -> dict[K, int]:
    """Share `total` out in steps of `unit` by largest remainders; ties go by name."""
    steps = total // unit
    whole = sum(weights.values())
    parts = {name: divmod(steps * weight, whole) for name, weight in sorted(weights.items())}
    left = steps - sum(part for part, _ in parts.values())
    more = set(sorted(parts, key=lambda name: -parts[name][1])[:left])
    return {name: (part + (name in more)) * unit for name, (part, _) in parts.items()}
