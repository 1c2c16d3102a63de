"""Presentation forms: what shapes a page beside its words, and the small talk it needs.

A form is a composition (a template and a style of its own); the blocks of a plan keep their
order in it, so decisive words stand where any block of their kind stands. Everything drawn
here is drawn once a contrast set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from pydantic import Field

from riskchainbench.core.record import Record
from riskchainbench.websites.alternatives import drawn

FORMS: Mapping[str, str] = {
    "landing page": "landing",
    "portal": "portal",
    "catalogue or shop": "shop",
    "article": "article",
    "forum thread": "thread",
    "app download": "app",
    "login or registration": "door",
    "chat or support": "talk",
    "dashboard or wallet": "tiles",
    "link page or interstitial": "links",
}
"""The ten presentation forms, and the name of the template and style of each."""

INLINE = frozenset({"door", "talk"})
"""Templates that show the form of the desk page on the start page, too."""

LABELS = (
    "posted",
    "replies",
    "views",
    "posts",
    "page_of",
    "byline",
    "minutes",
    "related",
    "sort",
    "sort_a",
    "sort_b",
    "sort_c",
    "show",
    "items",
    "price",
    "ratings",
    "version",
    "size",
    "updated",
    "whats_new",
    "pictures",
    "balance",
    "tile_a",
    "tile_b",
    "tile_c",
    "recent",
    "overview",
    "details",
    "online",
    "today",
    "answers_in",
    "followers",
    "top",
    "latest",
    "voices",
    "steps",
    "team",
)


class Voice(Record):
    """How a brand family speaks: the way on to a page, and the way back."""

    more: str
    back_home: str


class FormPhrases(Record):
    """What the forms may say in one language; nothing in it is about a scenario.

    `times` go from the oldest to the newest. `labels` may hold ``{n}``, ``{name}``, ``{date}``.
    """

    people: tuple[str, ...] = Field(min_length=14)
    times: tuple[str, ...] = Field(min_length=8)
    dates: tuple[str, ...] = Field(min_length=6)
    replies: tuple[str, ...] = Field(min_length=12)
    comments: tuple[str, ...] = Field(min_length=8)
    headlines: tuple[str, ...] = Field(min_length=14)
    sections: tuple[str, ...] = Field(min_length=5)
    greetings: tuple[str, ...] = Field(min_length=4)
    entries: tuple[str, ...] = Field(min_length=6)
    points: tuple[tuple[str, str], ...] = Field(min_length=5)
    news: tuple[str, ...] = Field(min_length=6)
    voices: tuple[Voice, ...] = Field(min_length=3)
    labels: dict[str, str]


@dataclass(frozen=True)
class FormWords:
    """The small talk and the numbers of one contrast set."""

    people: tuple[str, ...]
    times: tuple[str, ...]
    dates: tuple[str, ...]
    replies: tuple[str, ...]
    comments: tuple[str, ...]
    headlines: tuple[str, ...]
    sections: tuple[str, ...]
    greetings: tuple[str, ...]
    entries: tuple[str, ...]
    points: tuple[tuple[str, str], ...]
    news: tuple[str, ...]
    numbers: tuple[int, ...]


def form_words(bank: FormPhrases, rng: Random) -> FormWords:
    """Draw what a website's form says; equal generators draw equal words."""
    times = sorted(rng.sample(range(len(bank.times)), 6))
    return FormWords(
        people=tuple(rng.sample(bank.people, 8)),
        times=drawn(tuple(bank.times[place] for place in times), rng),
        dates=drawn(tuple(rng.sample(bank.dates, 4)), rng),
        replies=drawn(tuple(rng.sample(bank.replies, 4)), rng),
        comments=drawn(tuple(rng.sample(bank.comments, 3)), rng),
        headlines=drawn(tuple(rng.sample(bank.headlines, 9)), rng),
        sections=tuple(rng.sample(bank.sections, 3)),
        greetings=drawn(tuple(rng.sample(bank.greetings, 2)), rng),
        entries=drawn(tuple(rng.sample(bank.entries, 5)), rng),
        points=drawn(tuple(rng.sample(bank.points, 3)), rng),
        news=drawn(tuple(rng.sample(bank.news, 3)), rng),
        numbers=tuple(rng.randrange(3, 480) for _ in range(16)),
    )
