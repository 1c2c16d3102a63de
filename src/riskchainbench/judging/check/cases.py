"""The packages of the check: a good one, each fault planted alone, each again with an injection.

All are built from small invented investigations that ship as data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

from pydantic import Field

from riskchainbench.core.conclusion import Conclusion, EvidenceReference, QuoteLocator
from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    Ending,
    Observation,
    Outcome,
    OutcomeStatus,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
    Viewport,
)
from riskchainbench.core.record import Record
from riskchainbench.judging.masking import Mask
from riskchainbench.judging.package import build_package
from riskchainbench.judging.records import EvidencePackage

LANGUAGES = ("zh-CN", "en")
_VIEWPORT = Viewport(width=1280, height=720)


class Fault(StrEnum):
    """What is wrong with a package."""

    NONE = "none"
    FABRICATED = "fabricated"
    ELSEWHERE = "elsewhere"
    NARROW = "narrow"
    CONTRADICTION = "contradiction"


DIMENSION_OF = {
    Fault.FABRICATED: "faithfulness",
    Fault.ELSEWHERE: "sufficiency",
    Fault.NARROW: "completeness",
    Fault.CONTRADICTION: "consistency",
}
"""The dimension whose score each fault has to lower."""


class Cited(Record):
    """A quote of one step."""

    step: int
    text: str


class Narrow(Record):
    """The conclusion drawn after the first page alone."""

    rationale: str
    citations: tuple[Cited, ...]


class Page(Record):
    """One page as it was seen."""

    title: str
    text: str
    controls: tuple[str, ...]
    opened_by: str | None = None


class Scenario(Record):
    """One invented investigation, its good conclusion and the faults to plant in it."""

    id: str
    decision: Decision
    violation_type: str
    confidence: float
    rationale: str
    citations: tuple[Cited, ...]
    fabricated: str
    elsewhere: tuple[Cited, ...]
    contradiction: str
    narrow: Narrow
    page: tuple[Page, ...] = Field(min_length=2)


class Scenarios(Record):
    """All scenarios of one language; `injection` speaks to the judge, `padding` says nothing."""

    injection: str
    padding: str
    scenario: tuple[Scenario, ...]


@dataclass(frozen=True)
class CheckCase:
    """One package to be rated, and what it is an example of."""

    case_id: str
    language: str
    scenario: str
    fault: Fault
    injected: bool
    padded: bool
    package: EvidencePackage


@cache
def _text(language: str) -> str:
    folder = resources.files("riskchainbench.judging") / "data"
    return (folder / f"check.{language}.toml").read_text(encoding="utf-8")


@cache
def scenarios(language: str) -> Scenarios:
    """Return the scenarios in `language`."""
    return Scenarios.model_validate(tomllib.loads(_text(language)))


def scenarios_sha256() -> Sha256:
    """Return the identity of all scenarios."""
    return sha256_text("\x1f".join(map(_text, LANGUAGES)))


def check_cases() -> list[CheckCase]:
    """Return every package of the check, in a fixed order."""
    return [
        case
        for language in LANGUAGES
        for scenario in scenarios(language).scenario
        for case in _cases(language, scenario, scenarios(language))
    ]


def _cases(language: str, scenario: Scenario, words: Scenarios) -> list[CheckCase]:
    found = [_case(language, scenario, words, Fault.NONE)]
    for fault in DIMENSION_OF:
        found.append(_case(language, scenario, words, fault))
        found.append(_case(language, scenario, words, fault, injected=True))
    found.append(_case(language, scenario, words, Fault.NONE, padded=True))
    return found


def _case(
    language: str,
    scenario: Scenario,
    words: Scenarios,
    fault: Fault,
    *,
    injected: bool = False,
    padded: bool = False,
) -> CheckCase:
    pages = scenario.page[:1] if fault is Fault.NARROW else scenario.page
    rationale, citations = _conclusion(scenario, fault)
    if padded:
        rationale = f"{rationale} {words.padding}"
    conclusion = Conclusion(
        decision=scenario.decision,
        violation_type=scenario.violation_type,
        rationale=rationale,
        evidence=tuple(
            EvidenceReference(step=cited.step, locator=QuoteLocator(text=cited.text))
            for cited in citations
        ),
        confidence=scenario.confidence,
    )
    trajectory = _trajectory(pages, words.injection if injected else "")
    marks = [fault.value, "injected" if injected else "", "padded" if padded else ""]
    return CheckCase(
        case_id="-".join([language, scenario.id, *filter(None, marks)]),
        language=language,
        scenario=scenario.id,
        fault=fault,
        injected=injected,
        padded=padded,
        package=build_package(trajectory, conclusion, _VIEWPORT, Mask()),
    )


def _conclusion(scenario: Scenario, fault: Fault) -> tuple[str, tuple[Cited, ...]]:
    if fault is Fault.FABRICATED:
        return scenario.fabricated, scenario.citations
    if fault is Fault.ELSEWHERE:
        return scenario.rationale, scenario.elsewhere
    if fault is Fault.NARROW:
        return scenario.narrow.rationale, scenario.narrow.citations
    if fault is Fault.CONTRADICTION:
        return scenario.contradiction, scenario.citations
    return scenario.rationale, scenario.citations


def _trajectory(pages: Sequence[Page], injection: str) -> Trajectory:
    steps = [_step(number, page, pages, injection) for number, page in enumerate(pages)]
    return Trajectory(steps=tuple(steps), end=TrajectoryEnd(ending=Ending.STOP))


def _step(number: int, page: Page, pages: Sequence[Page], injection: str) -> Step:
    elements = tuple(
        Element(element_id=f"e{number}{place}", kind=ElementKind.LINK, role="link", name=name)
        for place, name in enumerate(page.controls)
    )
    following = pages[number + 1].opened_by if number + 1 < len(pages) else None
    clicked = next((each.element_id for each in elements if each.name == following), None)
    kind = ActionKind.STOP if clicked is None else ActionKind.CLICK
    last = number + 1 == len(pages)
    return Step(
        observation=Observation(
            step=number,
            screenshot=None,
            title=page.title,
            text=f"{page.text} {injection}".strip() if last else page.text,
            elements=elements,
            scroll=Scroll(top=0, page_height=720, viewport_height=720),
            outcome=None if number == 0 else Outcome(status=OutcomeStatus.DONE),
            remaining_actions=30 - number,
            page_state=sha256_text(page.title),
        ),
        action=Action(action=kind, element=clicked),
        timing=Timing(observed_at=float(number)),
    )
