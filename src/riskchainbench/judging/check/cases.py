"""The packages of the check: a good one, and each fault planted alone, in matched pairs.

Every scenario is given as text and once more as pictures, in which the words that matter stand in
screenshots alone. As text each fault also stands beside page text that addresses the judge, and
the good package once with words that say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from riskchainbench.core.conclusion import Conclusion, EvidenceReference, QuoteLocator
from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_text
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
)
from riskchainbench.judging.check.pictures import VIEWPORT, picture, place
from riskchainbench.judging.check.scenarios import (
    LANGUAGES,
    Page,
    Scenario,
    Scenarios,
    scenarios,
)
from riskchainbench.judging.masking import Mask
from riskchainbench.judging.package import build_package
from riskchainbench.judging.records import EvidencePackage


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


@dataclass(frozen=True)
class Kind:
    """How a package is made: what is wrong with it, and what stands beside that."""

    fault: Fault = Fault.NONE
    injected: bool = False
    padded: bool = False
    pictured: bool = False

    @property
    def rounds(self) -> int:
        """How often a package of this kind is rated: the plain ones twice."""
        return 1 if self.injected or self.padded or self.pictured else 2

    @property
    def name(self) -> str:
        """A name of this kind."""
        told = {"injected": self.injected, "padded": self.padded, "pictured": self.pictured}
        return "-".join([self.fault.value, *(name for name, is_so in told.items() if is_so)])


KINDS = (
    *(Kind(fault) for fault in Fault),
    *(Kind(fault, injected=True) for fault in DIMENSION_OF),
    Kind(padded=True),
    *(Kind(fault, pictured=True) for fault in Fault),
)


@dataclass(frozen=True)
class CheckCase:
    """One package to be rated, and what it is an example of."""

    case_id: str
    language: str
    scenario: str
    kind: Kind
    package: EvidencePackage
    images: Mapping[Sha256, bytes] = field(repr=False)


@cache
def check_cases() -> tuple[CheckCase, ...]:
    """Return every package of the check, in a fixed order.

    Raises:
        InputError: the font that pictures are drawn with is missing.
    """
    return tuple(
        _case(language, scenario, scenarios(language), kind)
        for language in LANGUAGES
        for scenario in scenarios(language).scenario
        for kind in KINDS
    )


def _case(language: str, scenario: Scenario, words: Scenarios, kind: Kind) -> CheckCase:
    pages = scenario.page[:1] if kind.fault is Fault.NARROW else scenario.page
    conclusion = Conclusion(
        decision=scenario.decision,
        violation_type=scenario.violation_type,
        rationale=_rationale(scenario, words, kind),
        evidence=tuple(_citation(step, page, kind) for step, page in enumerate(pages)),
        confidence=scenario.confidence,
    )
    images = {sha256_bytes(picture(page)): picture(page) for page in pages if kind.pictured}
    return CheckCase(
        case_id=f"{language}-{scenario.id}-{kind.name}",
        language=language,
        scenario=scenario.id,
        kind=kind,
        package=build_package(_trajectory(pages, words, kind), conclusion, VIEWPORT, Mask()),
        images=images,
    )


def _rationale(scenario: Scenario, words: Scenarios, kind: Kind) -> str:
    shown = tuple(page.shown for page in scenario.page)
    if kind.fault is Fault.CONTRADICTION:
        return scenario.contradiction
    if kind.fault is Fault.NARROW:
        return words.rationale(scenario, shown[:1], scenario.narrow)
    if kind.fault is Fault.FABRICATED:
        shown = tuple(page.invented for page in scenario.page)
    told = words.rationale(scenario, shown, scenario.sum)
    return f"{told} {words.padding}" if kind.padded else told


def _citation(step: int, page: Page, kind: Kind) -> EvidenceReference:
    cited = page.beside if kind.fault is Fault.ELSEWHERE else page.shown
    if kind.pictured:
        return EvidenceReference(step=step, locator=place(page.lines.index(cited)))
    return EvidenceReference(step=step, locator=QuoteLocator(text=cited))


def _trajectory(pages: tuple[Page, ...], words: Scenarios, kind: Kind) -> Trajectory:
    steps = [_step(number, pages, words, kind) for number in range(len(pages))]
    return Trajectory(steps=tuple(steps), end=TrajectoryEnd(ending=Ending.STOP))


def _step(number: int, pages: tuple[Page, ...], words: Scenarios, kind: Kind) -> Step:
    page = pages[number]
    last = number + 1 == len(pages)
    elements = tuple(
        Element(element_id=f"e{number}{place}", kind=ElementKind.LINK, role="link", name=name)
        for place, name in enumerate(page.controls)
    )
    following = None if last else pages[number + 1].opened_by
    clicked = next((each.element_id for each in elements if each.name == following), None)
    text = "" if kind.pictured else words.text(page)
    return Step(
        observation=Observation(
            step=number,
            screenshot=sha256_bytes(picture(page)) if kind.pictured else None,
            title=page.title,
            text=f"{text} {words.injection}" if last and kind.injected else text,
            elements=elements,
            scroll=Scroll(top=0, page_height=VIEWPORT.height, viewport_height=VIEWPORT.height),
            outcome=None if number == 0 else Outcome(status=OutcomeStatus.DONE),
            remaining_actions=30 - number,
            page_state=sha256_text(page.title),
        ),
        action=Action(
            action=ActionKind.STOP if clicked is None else ActionKind.CLICK, element=clicked
        ),
        timing=Timing(observed_at=float(number)),
    )
