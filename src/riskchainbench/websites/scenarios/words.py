"""The words of one website, and the pages that every flow shares.

Only `slots` differs between the members of a contrast set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.forms import FormWords
from riskchainbench.websites.plan import (
    Block,
    Cards,
    Form,
    Hero,
    Input,
    Links,
    Move,
    Panel,
    Strip,
    Table,
    View,
)
from riskchainbench.websites.records import FieldFixtures, FieldTest, Fixture, Method, RedirectKind
from riskchainbench.websites.takes import ScenarioText, Slots

BROWSING = (
    ScaffoldClass.SCROLL,
    ScaffoldClass.FOLLOW_LINK,
    ScaffoldClass.FILL_FIELD,
    ScaffoldClass.SUBMIT_FORM,
)
READING = BROWSING[:2]
CHOOSING = (*BROWSING[:3], ScaffoldClass.CHOOSE_OPTION, ScaffoldClass.SUBMIT_FORM)


@dataclass(frozen=True)
class Words:
    """What a flow lays out. `redirect` and `code` are drawn once a set."""

    brand: str
    text: ScenarioText
    ui: Mapping[str, str]
    remarks: tuple[str, ...]
    teasers: tuple[tuple[str, str], ...]
    slots: Slots
    dead_form: bool
    redirect: RedirectKind | None
    code: str
    form: FormWords

    @property
    def headlines(self) -> tuple[tuple[int, str], ...]:
        """Return five passing headlines, numbered."""
        return tuple(enumerate(self.form.headlines[:5]))

    @property
    def menu(self) -> tuple[tuple[str, str], ...]:
        """The navigation: labels and path keys."""
        keys = ("list", "detail", "desk", "about")
        return ((self.ui["home"], "home"), *zip(self.text.menu, keys, strict=True))

    def slot(self, name: str) -> Panel:
        """Return the decisive words of a slot as a panel like any other."""
        words: tuple[str, ...] = getattr(self.slots, name)
        return Panel(words[0], words[1:])

    def step(self, number: int) -> str:
        """Return a word that only the scenario's flow needs."""
        return self.text.steps[number]


def home_view(words: Words, *between: Block, after: tuple[Block, ...] = ()) -> View:
    """Return the start page with blocks put after its opening and after its cards."""
    text = words.text
    return View(
        "home",
        text.tagline,
        (
            Hero(text.tagline, text.lead),
            *between,
            Cards(text.cards, target="list", more=text.menu[0]),
            *after,
            Strip(words.teasers[:2]),
        ),
    )


def list_view(words: Words, *before: Block, after: tuple[Block, ...] = ()) -> View:
    """Return the page of rows with blocks put before and after them."""
    text = words.text
    return View(
        "list",
        text.menu[0],
        (
            Panel(text.menu[0], (words.remarks[0],)),
            *before,
            Table(text.columns, text.rows),
            *after,
            Links(((words.ui["more"].format(title=text.menu[1]), "detail"),)),
            Panel(words.teasers[2][0], (words.teasers[2][1],)),
        ),
    )


def detail_view(words: Words, *between: Block) -> View:
    """Return the article with blocks put after its first paragraph."""
    text = words.text
    return View(
        "detail",
        text.menu[1],
        (
            Panel(text.menu[1], text.article[:1]),
            *between,
            Panel(words.ui["further"], (*text.article[1:], words.remarks[1])),
            Links(((words.ui["more"].format(title=text.menu[2]), "desk"),)),
        ),
    )


def about_view(words: Words) -> View:
    """Return the page about the website, which carries the third slot."""
    text = words.text
    return View(
        "about",
        text.menu[3],
        (
            Panel(text.menu[3], (*text.about, words.remarks[2])),
            words.slot("d3"),
            Links(((words.ui["back_home"], "home"),)),
        ),
    )


def letter_views(words: Words) -> tuple[View, View]:
    """Return the page with a letter form, and the page that a sent letter leads to."""
    ui, text = words.ui, words.text
    form = Form("desk", (Input("note", ui["message"]),), ui["send"])
    desk = View("desk", text.menu[2], (Panel(text.menu[2], (text.desk, words.remarks[3])), form))
    thanks = View(
        "thanks",
        ui["thanks_title"],
        (Panel(ui["thanks_title"], (ui["thanks_text"],)), Links(((ui["back_home"], "home"),))),
    )
    return desk, thanks


def told(view: View, words: str) -> View:
    """Return `view` with `words` told in a dialog when it opens."""
    return replace(view, says=words)


def choice(name: str, label: str, options: tuple[str, ...]) -> Input:
    """Return a choice whose options are sent as they are shown."""
    return Input(name, label, "choice", tuple((option, option) for option in options))


def show_moves(*keys: str) -> tuple[Move, ...]:
    """Return one GET move for each view that stands at a path of its own."""
    return tuple(Move(key, view=key) for key in keys)


def letter_moves(words: Words) -> tuple[Move, ...]:
    """Return what the letter form does; a dead one shows itself again."""
    sent = Move(
        "desk",
        view="desk" if words.dead_form else "",
        redirect="" if words.dead_form else "thanks",
        method=Method.POST,
        form={"note": FieldTest()},
    )
    return (*show_moves("desk", "thanks"), sent)


def letter_fields(words: Words) -> tuple[FieldFixtures, ...]:
    """Return what the letter form is filled with."""
    return (fixtures("note", words.ui["fixture_note"]),)


def fixtures(name: str, *values: str) -> FieldFixtures:
    """Return the values of a field under neutral names: value A, value B and so on."""
    return FieldFixtures(
        field=name,
        fixtures=tuple(
            Fixture(name=f"value {chr(ord('A') + number)}", value=value)
            for number, value in enumerate(values)
        ),
    )


def wrong_code(code: str) -> str:
    """Return a code that is none of `code`'s digits in its place."""
    return "".join(str((int(digit) + 5) % 10) for digit in code)
