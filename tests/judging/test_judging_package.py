"""The evidence package: what stands in it, and what never does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    EventKind,
    Observation,
    Outcome,
    OutcomeStatus,
    PageEvent,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
    Viewport,
)
from riskchainbench.judging.masking import ADDRESS, Mask, private_terms
from riskchainbench.judging.package import admitted_images, build_package

VIEWPORT = Viewport(width=1280, height=720)

LABEL = "GOLD-LABEL-MARKER"
MODEL = "model-9x"
HOST = "kaw08x.me.test"
URL = "https://outside.example/path?q=1"
CASE = "case-4711"
PLANTED = f"{MODEL} {CASE} {HOST} {URL}"


def planted() -> tuple[Trajectory, Conclusion]:
    """A trajectory and conclusion with the marks in every field that takes free text."""
    element = Element(
        element_id="e1",
        kind=ElementKind.CHOICE,
        role=PLANTED,
        name=f"name {PLANTED}",
        value=PLANTED,
        options=(f"option {PLANTED}",),
    )
    observation = Observation(
        step=0,
        screenshot="a" * 64,
        title=f"title {PLANTED}",
        text=f"words around 访问{HOST}看看 {PLANTED} end",
        elements=(element,),
        scroll=Scroll(top=0, page_height=720, viewport_height=720),
        events=(PageEvent(kind=EventKind.DIALOG, text=f"dialog {PLANTED}"),),
        remaining_actions=30,
        page_state="b" * 64,
    )
    after = observation.but(
        step=1,
        outcome=Outcome(
            status=OutcomeStatus.BLOCKED, detail=f"detail {PLANTED}", fixture=f"fixture {PLANTED}"
        ),
    )
    action = Action(
        action=ActionKind.CHOOSE,
        element="e1",
        option=f"option {PLANTED}",
        reason=f"{LABEL} {PLANTED}",
    )
    lost = Failure(
        failure_class=FailureClass.NO_JSON,
        stage=Stage.INVESTIGATION,
        detail=f"{LABEL} {PLANTED}",
    )
    trajectory = Trajectory(
        steps=(
            Step(observation=observation, action=action, timing=Timing(observed_at=0.0)),
            Step(observation=after, failure=lost, timing=Timing(observed_at=1.0)),
            Step(observation=observation.but(step=2), timing=Timing(observed_at=2.0)),
        ),
        end=TrajectoryEnd(
            ending="stop",
            failure=Failure(
                failure_class=FailureClass.PAGE_HUNG,
                stage=Stage.INVESTIGATION,
                detail=f"{LABEL} {PLANTED}",
            ),
        ),
    )
    conclusion = Conclusion(
        decision=Decision.NON_VIOLATION,
        violation_type="NONE",
        rationale=f"As {PLANTED} I saw it.",
        evidence=(
            EvidenceReference(step=0, locator=QuoteLocator(text=f"看看 {PLANTED} end")),
            EvidenceReference(step=0, locator=ElementLocator(element_id="e1")),
        ),
        confidence=0.5,
    )
    return trajectory, conclusion


@pytest.mark.parametrize("mark", [LABEL, MODEL, "vendor", HOST, "me.test", URL, "outside", CASE])
def test_nothing_planted_reaches_the_package(mark: str) -> None:
    trajectory, conclusion = planted()
    mask = Mask(private_terms(CASE, f"vendor/{MODEL}"))
    package = build_package(trajectory, conclusion, VIEWPORT, mask)
    assert mark not in package.to_json()


def test_what_surrounds_an_address_stays() -> None:
    trajectory, conclusion = planted()
    package = build_package(trajectory, conclusion, VIEWPORT, Mask())
    assert package.observations[0].text.startswith(f"words around 访问{ADDRESS}看看")


def test_stated_reasons_are_left_out(trajectory: Trajectory, conclusion: Conclusion) -> None:
    package = build_package(trajectory, conclusion, VIEWPORT, Mask())
    assert "I think it pays out" not in package.to_json()
    assert package.ledger[0].control == "Cashier"
    assert package.ledger[0].outcome is OutcomeStatus.DONE


def test_citations_come_with_what_stands_there(trajectory: Trajectory) -> None:
    conclusion = Conclusion(
        decision=Decision.NON_VIOLATION,
        violation_type="NONE",
        rationale="-",
        evidence=(
            EvidenceReference(step=1, locator=QuoteLocator(text="Cash out")),
            EvidenceReference(step=0, locator=QuoteLocator(text="Cash out")),
            EvidenceReference(step=0, locator=ElementLocator(element_id="e0-1")),
            EvidenceReference(step=9, locator=ElementLocator(element_id="e0-1")),
            EvidenceReference(step=0, locator=BoxLocator(x=0, y=0, width=1280, height=720)),
            EvidenceReference(step=0, locator=BoxLocator(x=10, y=10, width=100, height=50)),
        ),
        confidence=0.5,
    )
    cited = build_package(trajectory, conclusion, VIEWPORT, Mask()).conclusion.citations
    assert [c.resolved for c in cited] == [True, False, True, False, True, True]
    assert cited[0].context == "Minimum stake 5. Cash out any time."
    assert cited[2].content == "Help"
    assert [c.specific for c in cited[4:]] == [False, True]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("see kaw08x.me.test now", "see [address] now"),
        ("HTTPS://Aa-1.Bb.Test./x?y=1 end", "[address] end"),
        ("打开ab.cd.test吧", "打开[address]吧"),
        ("打开ab。cd。test吧", "打开[address]吧"),
        ("at 10.0.0.7:8080/a.", "at [address]"),
        ("http://localhost:9000", "[address]"),
        ("mail me@shop.example", "mail me@[address]"),
        ("run setup.exe, take 2.5 mg, v1.2 e.g. tea", "run setup.exe, take 2.5 mg, v1.2 e.g. tea"),
        ("结束。下一句", "结束。下一句"),
        ("End. Next", "End. Next"),
    ],
)
def test_addresses_are_masked_and_other_words_are_not(text: str, masked: str) -> None:
    assert Mask()(text) == masked


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["a . ", "a.", "a-", "1.", "http://"])
def test_text_made_to_stall_a_search_is_masked(piece: str) -> None:
    assert Mask()(piece * 10_000 + " kaw08x.me.test").endswith(ADDRESS)


LABELS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,5}[a-z0-9])?", fullmatch=True)


@given(LABELS, LABELS, st.sampled_from(["", "看", "(", " ", '"', "/", "："]))
def test_no_entry_survives_the_mask(first: str, second: str, before: str) -> None:
    entry = f"{first}.{second}.test"
    assert entry not in Mask()(f"{before}{entry}，ok")


def test_names_of_built_in_systems_are_not_masked() -> None:
    assert private_terms("c1234567", "rules") == ("c1234567",)
    assert private_terms("c1", "maker/model-9") == ("maker/model-9", "model-9", "maker")


def test_cited_screenshots_are_admitted_first() -> None:
    trajectory, _ = planted()
    step = trajectory.steps[2]
    steps = [
        step.but(observation=step.observation.but(step=n, screenshot=f"{n:064x}"))
        for n in range(30)
    ]
    images = admitted_images(steps, cited=[29, 17], limit=4)
    assert len(images) == 4
    assert {17, 29} <= {number for number, _ in images}
    assert [number for number, _ in images] == sorted(number for number, _ in images)
    assert admitted_images(steps[:2], cited=[], limit=4) == ((0, f"{0:064x}"), (1, f"{1:064x}"))
