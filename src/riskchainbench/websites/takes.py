"""Takes: several wordings of one scenario, from which every contrast set draws its own.

The first take is whole (``<scenario>.toml``). Further ones (``<scenario>.<take>.toml``) give
any of its slots anew. Each slot is drawn on its own, so two sets of one scenario and language
share only part of their words; what is drawn is the same for all members of a set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from pydantic import Field, model_validator

from riskchainbench.core.decisions import Decision
from riskchainbench.core.record import Record
from riskchainbench.websites.alternatives import drawn

CARDS = 3
"""Cards on a start page."""


class Slots(Record):
    """The decisive words of one member: title first, then paragraphs, in the order of the flow."""

    d1: tuple[str, ...] = Field(min_length=2)
    d2: tuple[str, ...] = Field(min_length=2)
    d3: tuple[str, ...] = Field(min_length=2)


class ScenarioText(Record):
    """All words of a scenario in one language; everything but `members` is shared by the set.

    `menu` names the pages list, detail, desk and about. `steps` are the words that only the
    scenario's flow needs, in the order in which the flow documents them.
    """

    review: str
    tails: tuple[str, ...] = Field(min_length=1)
    tagline: str
    menu: tuple[str, str, str, str]
    lead: str
    cards: tuple[tuple[str, str], ...] = Field(min_length=CARDS)
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = Field(min_length=4)
    article: tuple[str, ...] = Field(min_length=2)
    about: tuple[str, ...] = Field(min_length=1)
    desk: str
    steps: tuple[str, ...] = ()
    members: dict[Decision, Slots]


class PartSlots(Record):
    """The decisive words that a further take gives anew."""

    d1: tuple[str, ...] | None = Field(default=None, min_length=2)
    d2: tuple[str, ...] | None = Field(default=None, min_length=2)
    d3: tuple[str, ...] | None = Field(default=None, min_length=2)


class Take(Record):
    """A further wording: any slot of `ScenarioText`, and only those that are new."""

    review: str
    tails: tuple[str, ...] = ()
    tagline: str | None = None
    menu: tuple[str, str, str, str] | None = None
    lead: str | None = None
    cards: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[str, ...], ...] | None = Field(default=None, min_length=4)
    article: tuple[str, ...] | None = Field(default=None, min_length=2)
    about: tuple[str, ...] | None = Field(default=None, min_length=1)
    desk: str | None = None
    steps: tuple[str, ...] | None = None
    members: dict[Decision, PartSlots] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _every_member_or_none(self) -> Take:
        for slot in _SLOTS:
            given = [d for d, slots in self.members.items() if getattr(slots, slot) is not None]
            if given and len(given) < len(Decision):
                raise ValueError(f"members: {slot} is given for {', '.join(given)} alone")
        return self


_SLOTS = ("d1", "d2", "d3")
_GROUPS = (("tagline",), ("menu",), ("lead",), ("article",), ("about",), ("desk",))
_TABLE = ("columns", "rows", "steps")


@dataclass(frozen=True)
class Takes:
    """Every wording of a scenario in one language."""

    first: ScenarioText
    others: tuple[Take, ...] = ()

    @property
    def every(self) -> tuple[ScenarioText | Take, ...]:
        """All takes, the whole one first."""
        return (self.first, *self.others)

    @cached_property
    def members(self) -> Mapping[Decision, tuple[tuple[str, ...], ...]]:
        """The decisive words of each member over all takes and slots."""
        found: dict[Decision, list[tuple[str, ...]]] = {}
        for take in self.every:
            for decision, slots in take.members.items():
                given = (getattr(slots, name) for name in _SLOTS)
                found.setdefault(decision, []).extend(words for words in given if words)
        return {decision: tuple(words) for decision, words in found.items()}

    def draw(self, rng: Random) -> ScenarioText:
        """Return one wording, slot by slot; equal generators give equal wordings."""
        changes: dict[str, object] = {}
        for group in (*_GROUPS, _TABLE):
            given = [t for t in self.every if any(getattr(t, n) is not None for n in group)]
            chosen = rng.choice(given)
            for name in group:
                value = getattr(chosen, name)
                changes[name] = getattr(self.first, name) if value is None else value
        changes["tails"] = tuple(tail for take in self.every for tail in take.tails)
        cards = [card for take in self.every for card in take.cards]
        changes["cards"] = tuple(rng.sample(cards, CARDS))
        changes["members"] = self._drawn_members(rng)
        return self.first.but(**drawn(changes, rng))

    def _drawn_members(self, rng: Random) -> dict[Decision, dict[str, tuple[str, ...]]]:
        chosen: dict[str, ScenarioText | Take] = {}
        for slot in _SLOTS:
            chosen[slot] = rng.choice([t for t in self.every if _gives(t, slot)])
        return {
            decision: {slot: getattr(chosen[slot].members[decision], slot) for slot in _SLOTS}
            for decision in self.first.members
        }


def _gives(take: ScenarioText | Take, slot: str) -> bool:
    return any(getattr(slots, slot) is not None for slots in take.members.values())
