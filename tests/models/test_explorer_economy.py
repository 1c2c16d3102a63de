"""The rules explorer spends its actions on what it has not seen, not on what only rearranges it."""

from __future__ import annotations

from explorer_site import Control, Page, Site, explore

from riskchainbench.core.investigation import (
    ActionKind,
    ElementKind,
    Observation,
    Outcome,
    Step,
)

BUTTON, CHOICE, SUBMIT = ElementKind.BUTTON, ElementKind.CHOICE, ElementKind.SUBMIT


class GrowingSite(Site):
    """A website whose page is always one screen longer than what was scrolled to."""

    def observe(self, step: int, outcome: Outcome | None) -> Observation:
        seen = super().observe(step, outcome)
        height = (self.screen + 2) * seen.scroll.viewport_height
        scroll = seen.scroll.model_copy(update={"page_height": height})
        return seen.model_copy(update={"scroll": scroll})


def _used(steps: tuple[Step, ...]) -> list[str]:
    names: list[str] = []
    for step in steps:
        wanted = None if step.action is None else step.action.element
        names += [e.name for e in step.observation.elements if e.element_id == wanted]
    return names


def _scrolls(steps: tuple[Step, ...]) -> int:
    actions = [step.action for step in steps if step.action is not None]
    return sum(action.action is ActionKind.SCROLL_DOWN for action in actions)


def test_a_link_called_like_a_page_already_seen_is_not_followed() -> None:
    site = Site(
        {
            "home": Page("Start - Pond club", ("Hi",), (Control("Fish", to="fish"),)),
            "fish": Page(
                "Fish - Pond club",
                ("Carp",),
                (Control("Pond club", to="home"), Control("On to: Frogs", to="frogs")),
            ),
            "frogs": Page("Frogs - Pond club", ("Toad",), (Control("Back to: Fish", to="fish"),)),
        }
    )
    assert _used(explore(site)) == ["Fish", "On to: Frogs"]


def test_a_list_that_grows_is_left_after_some_of_it() -> None:
    screens = tuple(f"item {number}" for number in range(30))
    site = GrowingSite({"home": Page("List - Shop", screens, (Control("Register", to="home"),))})
    steps = explore(site)
    assert _scrolls(steps) <= 3
    assert "Register" in _used(steps)


def test_pages_are_opened_before_one_of_them_is_sorted() -> None:
    controls = (
        Control("Sequence", CHOICE, options=("Name", "Price")),
        Control("Arrange", SUBMIT, to="home"),
        Control("Letters", to="letters"),
    )
    site = Site(
        {
            "home": Page("Shelf", ("Pots",), controls),
            "letters": Page("Letters", ("Dear all",), (Control("Shelf", to="home"),)),
        }
    )
    assert _used(explore(site))[0] == "Letters"


def test_a_view_for_print_is_not_opened() -> None:
    links = (Control("Print view", to="paper"), Control("Letters", to="letters"))
    site = Site(
        {
            "home": Page("Shelf", ("Pots",), links),
            "letters": Page("Letters", ("Dear all",)),
            "paper": Page("Paper", ("Pots",)),
        }
    )
    explore(site)
    assert "paper" not in site.visited


def test_a_button_that_shows_the_same_on_a_second_page_is_left_alone_on_others() -> None:
    names = "abcd"
    links = tuple(Control(f"To {name}", to=name) for name in names)
    menu = Control("Menu", BUTTON, to="menu")
    site = Site(
        {name: Page(f"Page {name}", (f"Text {name}",), (*links, menu)) for name in names}
        | {"menu": Page("Menu", ("Same",), links)},
        start="a",
    )
    assert _used(explore(site)).count("Menu") <= 2
