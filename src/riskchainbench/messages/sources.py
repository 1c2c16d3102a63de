"""Source sessions: canonical messages from a seed, each with its own sentence.

This file makes what the senders meant; disguising it is the operators' work. A session
knows no website and no label, so its rhetoric says nothing about where the entry leads.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Intent, Message, Surface
from riskchainbench.core.seeds import stream
from riskchainbench.messages.entries import make_entries
from riskchainbench.messages.records import SourceSession
from riskchainbench.messages.templates import (
    DECOY_SLOT,
    ENTRY_SLOT,
    Template,
    TemplateBook,
    Theme,
    capacity,
    template_book,
)

PLATFORMS = (
    "bilibili",
    "douyin",
    "wechat",
    "qq",
    "weibo",
    "baidu_tieba",
    "wechat_channels",
    "tiktok",
)

_CODE_LETTERS = "bcdhjkmnprtvwxy"
_CODE_DIGITS = "2345679"
_CODE_SHAPES = ("9999", "999999", "a999", "aa99", "A9A9", "AA999", "99aa")
_NUMBERS = range(3, 40)
_NAME_OR_NUMBER = re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)*", re.IGNORECASE)


@dataclass(frozen=True)
class _Cell:
    platform: str
    surface: Surface
    intent: Intent


@dataclass
class _Item:
    """One template on the shelf, and how often it was used so far."""

    theme: Theme
    template: Template
    capacity: int
    used: int = 0


class _Stock:
    """All templates, sorted by the surface and intent that they serve."""

    def __init__(self, rng: Random, book: TemplateBook) -> None:
        items = [_Item(*pair, capacity(*pair)) for pair in book.pairs()]
        rng.shuffle(items)
        self._themes: Counter[str] = Counter()
        self._shelves: dict[tuple[Surface, Intent], list[_Item]] = {}
        for item in items:
            for surface in item.template.surfaces:
                self._shelves.setdefault((surface, item.template.intent), []).append(item)

    def take(self, cell: _Cell) -> tuple[Theme, Template, int]:
        """Return the least used template that fits `cell`, and how often it was used before."""
        shelf = self._shelves.get((cell.surface, cell.intent), [])
        item = min(
            (item for item in shelf if item.used < item.capacity),
            key=lambda item: (item.used, self._themes[item.theme.theme]),
            default=None,
        )
        if item is None:
            raise InputError(
                f"sources: the templates for {cell.intent} on {cell.surface} are used up; "
                "ask for fewer sessions or add templates"
            )
        item.used += 1
        self._themes[item.theme.theme] += 1
        return item.theme, item.template, item.used - 1


def build_sources(
    seed: int, sessions: int, platforms: Sequence[str] = PLATFORMS
) -> tuple[SourceSession, ...]:
    """Build `sessions` source sessions from `seed`.

    Platforms, surfaces and intents are each balanced to within one session; no sentence
    stands twice, not even with names and numbers masked (`masked_sentence`).

    Raises:
        InputError: fewer than one session or platform, a platform named twice, or more
            sessions than the templates can fill with sentences of their own.
    """
    if sessions < 1:
        raise InputError(f"sources: sessions is {sessions}, must be 1 or more")
    if not platforms or len(set(platforms)) != len(platforms):
        raise InputError("sources: platforms must name at least one, and none twice")
    book = template_book()
    stock = _Stock(stream(seed, "messages", "templates"), book)
    picks = [(cell, *stock.take(cell)) for cell in _cells(seed, sessions, platforms)]
    decoyed = [DECOY_SLOT in template.slots() for _, _, template, _ in picks]
    names = make_entries(seed, sessions + sum(decoyed))
    decoys = iter(names[sessions:])
    built = []
    for number, (cell, theme, template, turn) in enumerate(picks):
        words = _content_words(seed, theme, template, turn)
        chance = _chance_words(stream(seed, "messages", "session", number), template, book)
        given = {ENTRY_SLOT: names[number]}
        if decoyed[number]:
            given[DECOY_SLOT] = next(decoys)
        built.append(_session(number, cell, theme, template, words | chance | given))
    return tuple(built)


def _cells(seed: int, sessions: int, platforms: Sequence[str]) -> list[_Cell]:
    """Cross platforms with surfaces and intents evenly, in an order that tells nothing.

    Each factor runs through its values in turn. Where the periods of two factors share a
    divisor they would only ever meet in some pairs, so a factor skips ahead by one
    whenever it and the platforms have come full circle.
    """
    rng = stream(seed, "messages", "cells")
    factors = [rng.sample(list(factor), len(factor)) for factor in (platforms, Surface, Intent)]
    names, surfaces, intents = factors
    surface_circle = math.lcm(len(names), len(surfaces))
    intent_circle = math.lcm(len(names), len(intents))
    cells = [
        _Cell(
            platform=str(names[i % len(names)]),
            surface=Surface(surfaces[(i + i // surface_circle) % len(surfaces)]),
            intent=Intent(intents[(i + i // intent_circle) % len(intents)]),
        )
        for i in range(sessions)
    ]
    rng.shuffle(cells)
    return cells


def _content_words(seed: int, theme: Theme, template: Template, turn: int) -> dict[str, str]:
    """Return the content words of a template's `turn`-th use; no two uses share a word."""
    words = {}
    for name in template.slots():
        if name in theme.slots:
            values = list(theme.slots[name])
            stream(seed, "messages", "words", template.id, name).shuffle(values)
            words[name] = values[turn % len(values)]
    return words


def _chance_words(rng: Random, template: Template, book: TemplateBook) -> dict[str, str]:
    words = {}
    for name in template.slots():
        if name in book.shared:
            words[name] = rng.choice(book.shared[name])
        elif name == "code":
            words[name] = _code(rng)
        elif name == "n":
            words[name] = str(rng.choice(_NUMBERS))
    return words


def _code(rng: Random) -> str:
    kinds = {"9": _CODE_DIGITS, "a": _CODE_LETTERS, "A": _CODE_LETTERS.upper()}
    return "".join(rng.choice(kinds[kind]) for kind in rng.choice(_CODE_SHAPES))


def _session(
    number: int, cell: _Cell, theme: Theme, template: Template, values: dict[str, str]
) -> SourceSession:
    messages = tuple(
        Message(message_id=f"m{place}", content=text)
        for place, text in enumerate(template.render(values), start=1)
    )
    return SourceSession(
        session_id=f"s{number:04d}",
        platform=cell.platform,
        surface=cell.surface,
        theme=theme.theme,
        template=template.id,
        intent=cell.intent,
        entry=values[ENTRY_SLOT],
        messages=messages,
        entry_message=f"m{template.entry_message + 1}",
        entry_position=template.position,
        decoys=(values[DECOY_SLOT],) if DECOY_SLOT in values else (),
    )


def masked_sentence(text: str) -> str:
    """Return `text` with entries, codes, numbers, names, times and pass phrases masked.

    Two sentences that agree in this form differ in nothing that a writer would call wording.
    """
    return _NAME_OR_NUMBER.sub("0", _shared_words().sub("〇", text))


@cache
def _shared_words() -> re.Pattern[str]:
    words = (value for values in template_book().shared.values() for value in values)
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))


class SourceStatistics(Record):
    """How many templates and slot values stand behind a set of sessions, and its balance.

    `slot_values` counts distinct values on the lists, `templates` those there are to draw
    from; `most_uses` is how often the most used template recurs with other content words.
    """

    schema_version: Literal["source-statistics/1"] = "source-statistics/1"
    sessions: int
    messages: int
    templates: int
    templates_used: int
    most_uses: int
    slot_values: int
    decoy_sessions: int
    by_platform: dict[str, int]
    by_surface: dict[str, int]
    by_intent: dict[str, int]
    by_theme: dict[str, int]
    by_rhetoric: dict[str, int]
    by_position: dict[str, int]
    by_messages: dict[str, int]


def source_statistics(sources: Sequence[SourceSession]) -> SourceStatistics:
    """Count what stands behind `sources`."""
    book = template_book()
    rhetoric = {theme.theme: theme.rhetoric for theme in book.themes}
    uses = Counter(source.template for source in sources)
    listed = [book.shared, *(theme.slots for theme in book.themes)]
    return SourceStatistics(
        sessions=len(sources),
        messages=sum(len(source.messages) for source in sources),
        templates=sum(1 for _ in book.pairs()),
        templates_used=len(uses),
        most_uses=max(uses.values(), default=0),
        slot_values=len({value for slots in listed for row in slots.values() for value in row}),
        decoy_sessions=sum(bool(source.decoys) for source in sources),
        by_platform=_counts(source.platform for source in sources),
        by_surface=_counts(source.surface for source in sources),
        by_intent=_counts(source.intent for source in sources),
        by_theme=_counts(source.theme for source in sources),
        by_rhetoric=_counts(rhetoric[source.theme] for source in sources),
        by_position=_counts(source.entry_position for source in sources),
        by_messages=_counts(str(len(source.messages)) for source in sources),
    )


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
