"""Which components of the codebook were seen, where, and whether the site asserts them itself.

A mention that is negated, quoted as an example or part of a page that warns is a decoy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from riskchainbench.core.codebook import Codebook, Role
from riskchainbench.core.investigation import ElementKind, Observation
from riskchainbench.core.text import folded
from riskchainbench.models.explorer.lexicon import Lexicon, Matcher, Turning

MAX_QUOTE = 160
MAX_SENTENCE = 600
"""Longer runs of text are cut, so that no page can stall a search."""

NEGATION_REACH = 24
WEAK_CUES_ENOUGH = 3

_SENTENCE_END = re.compile(r"(?<=[。！？!?；;])\s*|(?<=[\w)][.])\s+")

BENIGN = "role benign"
COUNTER = "role counter"
LIMITATION = "limitation"
_EXCLUSION = "not "


class Source(StrEnum):
    """Where in an observation words stand."""

    TEXT = "text"
    ELEMENT = "element"
    EVENT = "event"


@dataclass(frozen=True)
class Sentence:
    """A piece of what one observation shows; `element_id` when it is a control's name."""

    step: int
    text: str
    source: Source = Source.TEXT
    element_id: str | None = None
    kind: ElementKind | None = None


@dataclass(frozen=True)
class Finding:
    """A cue that was seen: what it speaks for, and the words around it."""

    cue: str
    sentence: Sentence
    quote: str
    asserted: bool = True

    def excludes(self, violation_type: str) -> bool:
        """Tell whether this speaks against that type."""
        return self.cue == _EXCLUSION + violation_type


@dataclass(frozen=True)
class Assessment:
    """All that was found in a sequence of observations.

    `components` holds asserted violation components and `decoys` those that do not count;
    `benign`, `counter` and `exclusions` (by type) speak against a violation; `limitations`
    say that the site could not be judged. `satisfied_since` is the step at which some type
    first had a complete set.
    """

    components: tuple[Finding, ...]
    decoys: tuple[Finding, ...]
    benign: tuple[Finding, ...]
    counter: tuple[Finding, ...]
    exclusions: tuple[Finding, ...]
    limitations: tuple[Finding, ...]
    satisfied_since: int | None


def assess(observations: Sequence[Observation], lexicon: Lexicon, codebook: Codebook) -> Assessment:
    """Find the codebook's components in `observations`; others in the lexicon are ignored."""
    wanted = codebook.with_role(Role.VIOLATION)
    found: list[Finding] = []
    satisfied: int | None = None
    held: set[str] = set()
    for observation in observations:
        new = _scanned(observation, lexicon)
        found.extend(new)
        held |= {f.cue for f in new if f.asserted and f.cue in wanted}
        if satisfied is None and codebook.complete_types(held):
            satisfied = observation.step
    unique = _distinct(found)
    return Assessment(
        components=tuple(f for f in unique if f.cue in wanted and f.asserted),
        decoys=tuple(f for f in unique if f.cue in wanted and not f.asserted),
        benign=tuple(f for f in unique if f.cue == BENIGN),
        counter=tuple(f for f in unique if f.cue == COUNTER),
        exclusions=tuple(f for f in unique if f.cue.startswith(_EXCLUSION)),
        limitations=tuple(f for f in unique if f.cue == LIMITATION),
        satisfied_since=satisfied,
    )


def _distinct(found: Iterable[Finding]) -> list[Finding]:
    """Return the first of all findings that say the same in the same words."""
    first: dict[tuple[str, str, bool], Finding] = {}
    for finding in found:
        first.setdefault((finding.cue, finding.sentence.text.casefold(), finding.asserted), finding)
    return list(first.values())


@lru_cache(maxsize=256)
def _scanned(observation: Observation, lexicon: Lexicon) -> tuple[Finding, ...]:
    aware = _aware(observation, lexicon)
    turnings = lexicon.turnings(observation.text)
    return tuple(
        finding
        for sentence in _sentences(observation)
        for finding in _in_sentence(sentence, lexicon, turnings, aware)
    )


def _sentences(observation: Observation) -> Iterator[Sentence]:
    step = observation.step
    for line in observation.text.splitlines():
        for part in _SENTENCE_END.split(line):
            text = folded(part)
            for start in range(0, len(text), MAX_SENTENCE):
                piece = text[start : start + MAX_SENTENCE].strip()
                if piece:
                    yield Sentence(step, piece)
    for element in observation.elements:
        name = folded(element.name)
        if element.in_viewport and name:
            yield Sentence(step, name, Source.ELEMENT, element.element_id, element.kind)
    for event in observation.events:
        text = folded(event.text)
        if text:
            yield Sentence(step, text, Source.EVENT)


def _aware(observation: Observation, lexicon: Lexicon) -> bool:
    """Tell whether the page talks about risks: one strong cue up front, or several weak ones."""
    head = [observation.title, *observation.text.splitlines()[:3]]
    if any(lexicon.aware_strong.search(folded(line)) for line in head):
        return True
    strong = lexicon.aware_strong.search(observation.text) is not None
    weak = sum(1 for pattern in lexicon.aware_weak if pattern.search(observation.text))
    return weak + 2 * strong >= WEAK_CUES_ENOUGH


def _in_sentence(
    sentence: Sentence, lexicon: Lexicon, turnings: Sequence[Turning], aware: bool
) -> Iterator[Finding]:
    for cue, patterns in lexicon.components.items():
        matches = [m for m in (pattern.search(sentence.text) for pattern in patterns) if m]
        if matches:
            plain = [m for m in matches if not _turned(sentence.text, m, turnings)]
            best = plain[0] if plain else matches[0]
            yield Finding(cue, sentence, _quote(sentence, best), bool(plain) and not aware)
    if sentence.kind is ElementKind.FIELD:
        for cue, pattern in lexicon.fields.items():
            if pattern.search(sentence.text):
                yield Finding(cue, sentence, sentence.text, not aware)
    if sentence.source is Source.TEXT:
        if aware:
            warnings = (lexicon.aware_strong, lexicon.negation_anywhere)
            yield from _cue(sentence, COUNTER, warnings)
        yield from _cue(sentence, BENIGN, lexicon.roles.get("benign", ()))
        yield from _cue(sentence, COUNTER, lexicon.roles.get("counter", ()))
        yield from _cue(sentence, LIMITATION, lexicon.limitation)
        for type_id, patterns in lexicon.exclusions.items():
            yield from _cue(sentence, _EXCLUSION + type_id, patterns)


def _cue(sentence: Sentence, cue: str, patterns: Sequence[Matcher]) -> Iterator[Finding]:
    for pattern in patterns:
        match = pattern.search(sentence.text)
        if match is not None:
            yield Finding(cue, sentence, _quote(sentence, match))
            return


def _quote(sentence: Sentence, match: re.Match[str]) -> str:
    if len(sentence.text) <= MAX_QUOTE:
        return sentence.text
    start = max(0, match.start() - MAX_QUOTE // 4)
    return sentence.text[start : start + MAX_QUOTE].strip()


def _turned(text: str, match: re.Match[str], turnings: Sequence[Turning]) -> bool:
    """Tell whether the words around a match turn it into its opposite or into an example."""
    before = text[max(0, match.start() - NEGATION_REACH) : match.start()]
    around = f"{text[: match.start()]}\n{text[match.end() :]}"
    return any(turn.before.search(before) or turn.anywhere.search(around) for turn in turnings)
