"""What is left to try on a page: links and buttons not pressed, fields not filled, forms not sent.

It says what could be done, not what is done next.
"""

from __future__ import annotations

from dataclasses import dataclass

from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    Observation,
)
from riskchainbench.models.explorer.history import (
    ControlKey,
    History,
    Tries,
    keyed,
    page_key,
    plain,
)
from riskchainbench.models.explorer.lexicon import Lexicon

MAX_ROUNDS = 3
"""How often a field is filled and a form is sent."""

MAX_OBSTACLES = 2
"""How often a control is tried that something keeps from being used."""

MAX_PRESSES = 5
"""How often a form is sent whose options were changed in between."""

_INPUTS = (ElementKind.FIELD, ElementKind.CHOICE)
_PRESSED = (ElementKind.LINK, ElementKind.BUTTON)


def act(action: ActionKind, element: Element, reason: str, option: str | None = None) -> Action:
    """Return an action on a control."""
    return Action(action=action, element=element.element_id, option=option, reason=reason)


@dataclass(frozen=True)
class Frontier:
    """Looks up in the history what is left to try."""

    history: History
    lexicon: Lexicon

    def open_controls(self, page: Observation) -> list[Element]:
        """Return the links and buttons of `page` worth pressing, in inventory order."""
        controls = keyed(page)
        gated = any(self.lexicon.called("gate", e.name) for _, e in controls)
        found: list[Element] = []
        for key, element in controls:
            if element.kind not in _PRESSED or element.disabled:
                continue
            if gated and self.lexicon.called("decline", element.name):
                continue
            if self._useless(element.name) or self._leads_back(element):
                continue
            if self._unpressed(page, key, self.lexicon.says_nothing(element.name)):
                found.append(element)
        return found

    def _useless(self, name: str) -> bool:
        """Tell whether a control only prints, shares, signs out or the like."""
        return self.lexicon.called("unhelpful", name) and not self.lexicon.promises(name)

    def _leads_back(self, element: Element) -> bool:
        """Tell whether a link is called by the heading of a page that was seen."""
        return element.kind is ElementKind.LINK and self.history.named(element.name) is not None

    def _unpressed(self, page: Observation, key: ControlKey, generic: bool) -> bool:
        here = self.history.pages[page_key(page)].tries[key]
        titled = self.history.titled[plain(page.title), key]
        if self._obstructed(here):
            return False
        if self._refilled(page, titled):
            return True
        if here.settled and not self._reopened(here):
            return False
        # A telling name does the same wherever and however often it stands.
        if not generic and key._replace(ordinal=0) in self.history.targets:
            return False
        anywhere = self.history.tried[key]
        if anywhere.settled == 0 or self._reopened(anywhere):
            return True
        # What showed nothing new on a second page is the same on every page.
        if not generic and anywhere.settled > 1 and anywhere.barren:
            return False
        if key.kind == ElementKind.LINK.value and not generic and not anywhere.fruitful:
            return False
        return titled.settled == 0 or (titled.fruitful and titled.settled < MAX_ROUNDS)

    def _reopened(self, tries: Tries) -> bool:
        """Tell whether something that did nothing may do something by now."""
        return tries.last < self.history.opened and tries.settled < MAX_ROUNDS

    def _refilled(self, page: Observation, tries: Tries) -> bool:
        """Tell whether a field was filled again since a button that answered was pressed."""
        if not 0 < tries.settled < MAX_ROUNDS or not tries.fruitful:
            return False
        title = plain(page.title)
        return any(
            self.history.titled[title, key].last > tries.last
            for key, element in keyed(page)
            if element.kind is ElementKind.FIELD
        )

    @staticmethod
    def _obstructed(tries: Tries) -> bool:
        return tries.unsettled >= MAX_OBSTACLES or tries.not_applicable

    def sifts(self, page: Observation) -> bool:
        """Tell whether all that can be set on a page are lists of options, as to sort it by."""
        inputs = [e for e in page.elements if e.kind in _INPUTS]
        if not inputs or not all(e.options for e in inputs):
            return False
        return not any(
            self.lexicon.promises(e.name) for e in page.elements if e.kind is ElementKind.SUBMIT
        )

    def form_step(self, page: Observation) -> Action | None:
        """Return the next thing to do with the forms of `page`: fill, choose or submit."""
        controls = keyed(page)
        for key, element in controls:
            if element.kind is ElementKind.FIELD and self._wants_filling(page, key, element):
                return act(ActionKind.FILL, element, "The field is empty or was refused.")
        for key, element in controls:
            if element.kind is ElementKind.CHOICE and not element.disabled:
                choice = self._choice(page, key, element)
                if choice is not None:
                    return choice
        for key, element in controls:
            if element.kind is ElementKind.SUBMIT and self._submittable(page, key, element):
                return act(ActionKind.SUBMIT, element, "The form is ready to be sent.")
        return None

    def _wants_filling(self, page: Observation, key: ControlKey, element: Element) -> bool:
        title = plain(page.title)
        tries, form = self.history.titled[title, key], self.history.forms[title]
        if element.disabled or self._obstructed(tries) or tries.settled >= MAX_ROUNDS:
            return False
        if tries.settled == 0:
            return element.value == ""
        if tries.last > form.last_press:
            return False
        if form.refused:
            wanted = element.value == "" or self._blamed(page, element, form.answer)
            return wanted and form.presses < MAX_ROUNDS
        return element.value == "" and form.fruitful

    def _blamed(self, page: Observation, element: Element, answer: str) -> bool:
        """Tell whether a refusal seems to be about this field."""
        fields = [e for e in page.elements if e.kind is ElementKind.FIELD]
        named = [e for e in fields if e.name and plain(e.name) in plain(answer)]
        codes = [e for e in fields if self.lexicon.called("code_field", e.name)]
        return element in (named or codes or fields)

    def _choice(self, page: Observation, key: ControlKey, element: Element) -> Action | None:
        tries = self.history.titled[plain(page.title), key]
        if tries.unsettled >= MAX_OBSTACLES or key in self.history.barren_choices:
            return None
        if element.options:
            return self._option(page, element, tries)
        if tries.settled >= MAX_OBSTACLES or element.checked:
            return None
        if tries.not_applicable:
            return act(ActionKind.CLICK, element, "The option is not set.")
        if tries.settled or self._other_radio_set(page, element):
            return None
        return act(ActionKind.CHOOSE, element, "The option is not set.")

    def _option(self, page: Observation, element: Element, tries: Tries) -> Action | None:
        """Choose the next option of a list: one at first, others while sending them answers."""
        form = self.history.forms[plain(page.title)]
        if tries.settled and not (tries.last < form.last_press and form.fruitful):
            return None
        first, *rest = element.options
        prompt = self.lexicon.called("placeholder", first) or not first.strip()
        others = [*rest, *([] if prompt else [first])]
        if tries.settled >= min(len(others), MAX_PRESSES) or tries.not_applicable:
            return None
        option = others[tries.settled]
        return act(ActionKind.CHOOSE, element, "Another option may show more.", option)

    def _other_radio_set(self, page: Observation, element: Element) -> bool:
        if element.role != "radio":
            return False
        return any(e.role == "radio" and e.checked for e in page.elements)

    def _submittable(self, page: Observation, key: ControlKey, element: Element) -> bool:
        title = plain(page.title)
        tries, form = self.history.titled[title, key], self.history.forms[title]
        if element.disabled or self._obstructed(tries):
            return False
        if tries.settled == 0:
            return True
        changed = [self.history.titled[title, k].last for k, e in keyed(page) if e.kind in _INPUTS]
        if not changed:
            return tries.fruitful and tries.settled < MAX_ROUNDS
        return form.presses < MAX_PRESSES and max(changed) > tries.last

    def leads_on(self, page: Observation) -> bool:
        """Tell whether anything on `page` is left to try but to sift or sort it."""
        if self.open_controls(page):
            return True
        return not self.sifts(page) and self.form_step(page) is not None

    def anything(self, page: Observation) -> bool:
        """Tell whether anything on `page` is left to try."""
        return bool(self.open_controls(page)) or self.form_step(page) is not None
