"""How the rules explorer moves through websites."""

from __future__ import annotations

from collections import Counter

import pytest
from explorer_site import Control, Page, Site, act_request, explore

from riskchainbench.core.investigation import ActionKind, ElementKind, OutcomeStatus
from riskchainbench.models.explorer import RulesExplorer

LINK, BUTTON = ElementKind.LINK, ElementKind.BUTTON
FIELD, SUBMIT, CHOICE = ElementKind.FIELD, ElementKind.SUBMIT, ElementKind.CHOICE


def kinds(steps) -> list[ActionKind]:
    return [step.action.action for step in steps if step.action]


def names_used(steps) -> list[str]:
    used = []
    for step in steps:
        if step.action and step.action.element:
            by_id = {e.element_id: e.name for e in step.observation.elements}
            used.append(by_id[step.action.element])
    return used


def test_every_page_is_visited_within_the_horizon() -> None:
    nav = (Control("Start", to="home"), Control("Garden", to="garden"), Control("Pond", to="pond"))
    site = Site(
        {
            "home": Page("Start", ("Welcome",), nav),
            "garden": Page("Garden", ("Roses",), (*nav, Control("Rose", to="rose"))),
            "pond": Page("Pond", ("Fish",), (*nav, Control("Carp", to="carp"))),
            "rose": Page("Rose", ("A red rose",)),
            "carp": Page("Carp", ("A carp",), (Control("Depth", to="depth"),)),
            "depth": Page("Depth", ("Two meters",)),
        }
    )
    steps = explore(site)
    assert set(site.visited) == set(site.pages)
    assert len(steps) < 20
    assert steps[-1].action is None


def test_a_page_is_scrolled_to_its_end_before_anything_is_pressed() -> None:
    site = Site(
        {
            "home": Page("Long", ("one", "two", "three"), (Control("Next", to="end"),)),
            "end": Page("End", ("four",)),
        }
    )
    assert kinds(explore(site))[:3] == [
        ActionKind.SCROLL_DOWN,
        ActionKind.SCROLL_DOWN,
        ActionKind.CLICK,
    ]


def test_a_gate_is_accepted_first() -> None:
    controls = (
        Control("Read more", to="more"),
        Control("Leave", BUTTON, to="left"),
        Control("I am over 18", BUTTON, to="inside"),
    )
    site = Site(
        {
            "home": Page("Gate", ("Are you old enough?",), controls),
            "inside": Page("Inside", ("Hello",)),
            "more": Page("More", ("Words",)),
            "left": Page("Left", ("Bye",)),
        }
    )
    assert names_used(explore(site))[0] == "I am over 18"
    assert "left" not in site.visited


@pytest.mark.parametrize("kind", [BUTTON, SUBMIT])
def test_a_gate_that_asks_again_is_answered_again(kind: ElementKind) -> None:
    gate = Control("I am over 18", kind, to="inside")
    site = Site(
        {"home": Page("Gate", ("Are you?",), (gate,)), "inside": Page("Inside", ("Hello",))},
        asks_again="Say it once more.",
    )
    explore(site)
    assert "inside" in site.visited


def test_links_that_did_nothing_are_tried_again_once_a_gate_opened() -> None:
    dead = (Control("Notes"), Control("Enter here", BUTTON, to="inside"))
    live = (Control("Notes", to="notes"),)
    site = Site(
        {
            "home": Page("Gate", ("Closed",), dead),
            "inside": Page("Inside", ("Hello",), live),
            "notes": Page("Notes", ("Written down",)),
        }
    )
    explore(site)
    assert "notes" in site.visited


def test_every_option_is_asked_while_it_gets_answers() -> None:
    controls = (
        Control("Question", CHOICE, options=("Choose", "When?", "Where?", "How much?")),
        Control("Send", SUBMIT),
    )
    answers = ("At noon.", "At home.", "Nothing.")
    steps = explore(Site({"home": Page("Chat", ("Ask",), controls)}, chat=answers))
    chosen = [s.action.option for s in steps if s.action and s.action.option]
    assert chosen == ["When?", "Where?", "How much?"]
    assert "Nothing." in steps[-1].observation.text


def test_fields_are_filled_and_choices_made_before_the_form_is_sent() -> None:
    form = (
        Control("Sign up", SUBMIT, to="member"),
        Control("Name", FIELD),
        Control("Town", CHOICE, options=("Choose", "Aston", "Brill")),
        Control("Phone", FIELD),
    )
    site = Site({"home": Page("Join", ("Join us",), form), "member": Page("Member", ("In",))})
    steps = explore(site)
    assert kinds(steps)[:4] == [
        ActionKind.FILL,
        ActionKind.FILL,
        ActionKind.CHOOSE,
        ActionKind.SUBMIT,
    ]
    assert [s.action.option for s in steps if s.action][2] == "Aston"
    assert "member" in site.visited


def test_a_refused_form_is_sent_again_with_another_code() -> None:
    form = (Control("Name", FIELD), Control("Code", FIELD), Control("Send", SUBMIT, to="in"))
    site = Site(
        {"home": Page("Code", ("Enter your code",), form), "in": Page("In", ("Welcome",))},
        accepts="value 2",
    )
    steps = explore(site)
    assert names_used(steps) == ["Name", "Code", "Send", "Code", "Send"]
    assert "in" in site.visited


def test_a_form_that_forgets_is_filled_in_whole_again() -> None:
    form = (Control("Name", FIELD), Control("Code", FIELD), Control("Send", SUBMIT, to="in"))
    site = Site(
        {"home": Page("Code", ("Enter your code",), form), "in": Page("In", ("Welcome",))},
        accepts="value 2",
        forgets=True,
    )
    assert names_used(explore(site)) == ["Name", "Code", "Send"] * 2


def test_a_chat_is_carried_on_while_it_answers() -> None:
    controls = (Control("Message", FIELD), Control("Send", BUTTON))
    site = Site(
        {"home": Page("Chat", ("Ask us",), controls)}, chat=("Hello.", "Add me.", "Pay me.")
    )
    steps = explore(site)
    assert "Pay me." in steps[-1].observation.text
    assert names_used(steps) == ["Message", "Send"] * 3


def test_a_part_of_a_page_that_scrolls_by_itself_is_scrolled() -> None:
    below = Control("Terms", to="home", in_viewport=False)
    site = Site({"home": Page("List", ("one", "two", "three"), (below,), inner=True)})
    seen = "\n".join(step.observation.text for step in explore(site))
    assert "three" in seen


def test_navigation_by_buttons_is_not_tried_on_every_page() -> None:
    nav = tuple(Control(f"Tab {letter}", BUTTON, to=letter) for letter in "abcdef")
    site = Site({letter: Page(letter, (f"View {letter}",), nav) for letter in "abcdef"}, start="a")
    steps = explore(site)
    assert set(site.visited) == set("abcdef")
    assert len(steps) <= 8


def test_links_of_one_name_are_followed_once_unless_the_name_says_nothing() -> None:
    links = (Control("Pond", to="pond"), Control("Pond", to="pond"))
    details = (Control("Details", to="a"), Control("Details", to="b"))
    pages = {name: Page(name, (f"Page {name}",), (Control("Pond", to="pond"),)) for name in "ab"}
    site = Site(
        {"home": Page("Home", ("Hi",), links + details), "pond": Page("Pond", ("Fish",)), **pages}
    )
    explore(site)
    assert site.visited.count("pond") == 1
    assert {"a", "b"} <= set(site.visited)


def test_a_page_seen_to_its_end_is_not_scrolled_again() -> None:
    nav = (Control("Home", to="home"), Control("Pond", to="pond"))
    low = (*nav, Control("Terms", to="terms", in_viewport=False))
    site = Site(
        {
            "home": Page("Home", ("top", "end"), low),
            "pond": Page("Pond", ("Fish",), nav),
            "terms": Page("Terms", ("Law",), nav),
        }
    )
    assert kinds(explore(site)).count(ActionKind.SCROLL_DOWN) == 1


def test_a_form_that_never_accepts_is_left_after_three_rounds() -> None:
    form = (Control("Code", FIELD), Control("Send", SUBMIT, to="in"))
    site = Site({"home": Page("Code", ("Enter",), form)}, accepts="never")
    assert kinds(explore(site)).count(ActionKind.SUBMIT) == 3


def test_a_dead_control_is_pressed_once() -> None:
    site = Site({"home": Page("Dead", ("Nothing",), (Control("Push", BUTTON), Control("Pull")))})
    assert sorted(names_used(explore(site))) == ["Pull", "Push"]


def test_hindered_controls_are_given_up_after_two_tries() -> None:
    controls = tuple(
        Control(status.value, BUTTON, status=status)
        for status in (
            OutcomeStatus.COVERED,
            OutcomeStatus.DISABLED,
            OutcomeStatus.DETACHED,
            OutcomeStatus.TIMEOUT,
            OutcomeStatus.BLOCKED,
        )
    )
    site = Site({"home": Page("Hindered", ("Nothing",), controls)})
    used = Counter(names_used(explore(site)))
    assert set(used) == {control.name for control in controls}
    assert max(used.values()) <= 2


def test_disabled_controls_are_left_alone() -> None:
    controls = (
        Control("Buy", BUTTON, to="home", disabled=True),
        Control("Name", FIELD, disabled=True),
    )
    assert kinds(explore(Site({"home": Page("Off", ("Closed",), controls)}))) == []


def test_a_ring_of_pages_ends() -> None:
    site = Site(
        {
            "home": Page("One", ("1",), (Control("Two", to="two"),)),
            "two": Page("Two", ("2",), (Control("One", to="home"),)),
        }
    )
    assert len(explore(site)) <= 8


def test_an_endless_page_does_not_eat_the_horizon() -> None:
    screens = tuple(f"screen {number}" for number in range(100))
    site = Site(
        {
            "home": Page("Endless", screens, (Control("About", to="about"),)),
            "about": Page("About", ("Us",)),
        }
    )
    explore(site)
    assert "about" in site.visited


def test_nothing_at_all_is_reloaded_once_and_left() -> None:
    assert kinds(explore(Site({"home": Page("", ("",))}))) == [ActionKind.RELOAD]


def test_the_next_action_depends_on_the_request_alone() -> None:
    site = Site(
        {
            "home": Page("Start", ("a", "b"), (Control("Next", to="next"),)),
            "next": Page("Next", ("c",), (Control("Send", SUBMIT), Control("Name", FIELD))),
        }
    )
    steps = explore(site)
    for index, step in enumerate(steps[:-1]):
        again = RulesExplorer().next_action(act_request(steps[:index], step.observation))
        assert again == step.action


def test_looking_on_ends_soon_after_a_type_is_complete() -> None:
    links = tuple(Control(f"Room {letter}", to=letter) for letter in "abcdefghijklmnop")
    pages = {letter: Page(letter, (f"Room {letter}",)) for letter in "abcdefghijklmnop"}
    text = "Place your bet now.\nMinimum stake 5, winnings paid to your card."
    site = Site({"home": Page("Play", (text,), links), **pages})
    assert len(explore(site)) == 7
