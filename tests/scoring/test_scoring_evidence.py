"""Evidence truth: exposure, citation and the split of every error."""

import pytest
from scoring_world import CODEBOOK, N, U, V, benchmark, concluded, observation, run, trajectory

from riskchainbench.core.conclusion import (
    BoxLocator,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.gold import Medium
from riskchainbench.core.investigation import (
    Element,
    ElementKind,
    EventKind,
    PageEvent,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
)
from riskchainbench.scoring.evidence import evidence_outcome, mark
from riskchainbench.scoring.outcomes import EvidenceOutcome
from riskchainbench.scoring.score import Options, score

_, GOLD = benchmark([V, N, U])
LABELS = GOLD.labels
FIRST, SECOND = (component.realization for component in GOLD.components["c0000"])


def marks(case, seen, evidence=(), components=None, page_of=lambda _: None):
    decision = LABELS[case].decision
    conclusion = concluded(case, decision, evidence=evidence or None).conclusion
    placed = GOLD.components[case] if components is None else components
    return mark(placed, LABELS[case], CODEBOOK, seen, conclusion, page_of)


def quote(step, text):
    return EvidenceReference(step=step, locator=QuoteLocator(text=text))


def test_a_violation_is_found_once_a_complete_set_was_shown_over_the_steps():
    assert not marks("c0000", trajectory(FIRST)).found
    found = marks("c0000", trajectory(f"menu {FIRST}", f"{SECOND}\nend"))
    assert found.found
    assert found.exposed == {0, 1}


def test_white_space_does_not_hide_a_component():
    assert marks("c0000", trajectory(FIRST.replace(" ", " \n "))).exposed == {0}


def test_a_dialog_exposes_what_it_says():
    seen = Trajectory(
        steps=(
            Step(
                observation=observation(
                    0, "page", events=(PageEvent(kind=EventKind.DIALOG, text=FIRST),)
                ),
                timing=Timing(observed_at=0.0),
            ),
        ),
        end=TrajectoryEnd(ending="stop"),
    )
    assert marks("c0000", seen).exposed == {0}


def test_a_quoted_component_is_shown_but_decides_nothing():
    quoted = tuple(c.but(asserted=False) for c in GOLD.components["c0000"])
    found = marks("c0000", trajectory(FIRST, SECOND), components=quoted)
    assert found.exposed == {0, 1}
    assert found.decisive == frozenset()
    assert not found.found


def test_a_quote_covers_the_component_it_overlaps_at_its_step():
    seen = trajectory(f"before {FIRST} after", SECOND)
    assert marks("c0000", seen, (quote(0, f"before {FIRST[:9]}"),)).cited == {0}
    assert marks("c0000", seen, (quote(0, "before"),)).cited == frozenset()
    assert marks("c0000", seen, (quote(1, SECOND),)).cited == {1}
    assert marks("c0000", seen, (quote(7, SECOND),)).cited == frozenset()


def test_a_box_covers_what_its_step_exposed():
    box = EvidenceReference(step=0, locator=BoxLocator(x=0, y=0, width=9, height=9))
    assert marks("c0000", trajectory(FIRST, SECOND), (box,)).cited == {0}


def test_an_element_covers_the_component_that_it_names():
    element = Element(element_id="e1", kind=ElementKind.BUTTON, role="button", name=FIRST)
    other = element.model_copy(update={"element_id": "e2", "name": "Menu"})
    step = Step(
        observation=observation(0, FIRST, elements=(element, other)),
        timing=Timing(observed_at=0.0),
    )
    seen = Trajectory(steps=(step,), end=TrajectoryEnd(ending="stop"))

    def cite(name):
        return (EvidenceReference(step=0, locator=ElementLocator(element_id=name)),)

    assert marks("c0000", seen, cite("e1")).cited == {0}
    assert marks("c0000", seen, cite("e2")).cited == frozenset()


def test_pixels_are_exposed_by_a_screenshot_of_their_page():
    drawn = tuple(c.but(medium=Medium.PIXELS) for c in GOLD.components["c0000"])
    seen = trajectory("words")
    assert marks("c0000", seen, components=drawn, page_of=lambda _: "home").exposed == {0, 1}
    assert marks("c0000", seen, components=drawn, page_of=lambda _: "other").exposed == frozenset()
    blind = Trajectory(
        steps=(
            Step(
                observation=observation(0, "words", screenshot=None),
                timing=Timing(observed_at=0.0),
            ),
        ),
        end=seen.end,
    )
    assert marks("c0000", blind, components=drawn, page_of=lambda _: "home").exposed == frozenset()


def test_one_benign_component_is_enough_for_a_non_violation():
    assert marks("c0001", trajectory(GOLD.components["c0001"][0].realization)).found
    assert not marks("c0001", trajectory("nothing")).found


def test_a_website_without_components_hides_nothing():
    assert marks("c0002", trajectory("parked")).found
    assert not marks("c0002", None).found


@pytest.mark.parametrize(
    ("shown", "cited", "right", "expected"),
    [
        (False, False, True, EvidenceOutcome.RIGHT_WITHOUT_EVIDENCE),
        (True, False, True, EvidenceOutcome.RIGHT_WITH_EVIDENCE),
        (False, False, False, EvidenceOutcome.NOT_FOUND),
        (True, False, False, EvidenceOutcome.FOUND_NOT_USED),
        (True, True, False, EvidenceOutcome.MISJUDGED),
    ],
)
def test_every_decision_stands_in_one_relation_to_its_evidence(shown, cited, right, expected):
    seen = trajectory(f"start {FIRST}", SECOND) if shown else trajectory("start here")
    found = marks("c0000", seen, (quote(0, FIRST if cited else "start"),))
    assert evidence_outcome(found, decision_correct=right) is expected


def test_evidence_rates_of_three_websites_by_hand():
    bundle, gold = benchmark([V, N, U])
    seen = {
        "c0000": trajectory(f"{FIRST} {SECOND}"),
        "c0001": trajectory("nothing"),
        "c0002": trajectory("parked"),
    }
    row = score(
        bundle, gold, [run(gold, [N, N, U], trajectory=seen.get)], Options(draws=20)
    ).systems[0]

    def count(name):
        found = row.metric(f"evidence.{name}").count
        return found.numerator, found.denominator

    assert count("sites_exposed") == (2, 3)
    assert count("exposure") == (2, 3)
    assert count("citation") == (2, 2)
    assert count("accuracy_given_exposure") == (1, 2)
    assert count("right_without_evidence") == (1, 3)
    assert count("misjudged") == (1, 3)
    assert sum(r.count.numerator for r in row.evidence[0].rows) == 3
