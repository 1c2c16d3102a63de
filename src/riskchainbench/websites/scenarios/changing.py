"""Flows whose evidence is read on websites that move: dialogs, new tabs, redirects, changes."""

from __future__ import annotations

from riskchainbench.core.gold import Medium, Placement
from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.plan import (
    Folds,
    Form,
    Links,
    Move,
    Panel,
    Placed,
    Plan,
    Poster,
    View,
)
from riskchainbench.websites.records import Method
from riskchainbench.websites.scenarios.words import (
    BROWSING,
    READING,
    Words,
    about_view,
    detail_view,
    home_view,
    letter_fields,
    letter_moves,
    letter_views,
    list_view,
    show_moves,
    told,
)

_ABOUT = Placed("d3", "about", Placement.NAVIGATION)
_OPENING = (*BROWSING[:2], ScaffoldClass.OPEN_VIEW, *BROWSING[2:])
_PAGES = ("home", "list", "detail", "about")


def notice(words: Words) -> Plan:
    """The first fact stands below the start page's cards, the second in the article.

    Steps: what the page of rows says in a dialog when it opens.
    """
    views = (
        home_view(words, after=(words.slot("d1"),)),
        told(list_view(words, after=(Folds(words.teasers[3:5]),)), words.step(0)),
        detail_view(words, words.slot("d2")),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves(*_PAGES), *letter_moves(words)),
        placed=(
            Placed("d1", "home", Placement.FIRST_PAGE),
            Placed("d2", "detail", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=_OPENING,
        depth=2,
        fields=letter_fields(words),
    )


def popup(words: Words) -> Plan:
    """The first fact stands on the page of rows, the second on a sheet that opens in a new tab.

    Steps: the label that opens the sheet, the words below the second fact.
    """
    article = detail_view(words)
    sheet = Links(((words.step(0), "sheet"),), apart=True)
    views = (
        home_view(words),
        list_view(words, words.slot("d1")),
        View("detail", article.title, (*article.blocks, sheet)),
        View("sheet", words.step(0), (words.slot("d2"), Panel(words.step(0), (words.step(1),)))),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves(*_PAGES, "sheet"), *letter_moves(words)),
        placed=(
            Placed("d1", "list", Placement.NAVIGATION),
            Placed("d2", "sheet", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=3,
        fields=letter_fields(words),
    )


def later(words: Words) -> Plan:
    """The start page shows the first fact only to those who have read the article.

    The second stands on the page of rows. What was read is kept over a reload.

    Steps: what the start page says to others.
    """
    before = home_view(words, Panel(words.text.menu[1], (words.step(0),)))
    after = home_view(words, words.slot("d1"))
    views = (
        before,
        View("home_again", after.title, after.blocks),
        list_view(words, after=(words.slot("d2"),)),
        detail_view(words),
        about_view(words),
        *letter_views(words),
    )
    moves = (
        Move("home", view="home", when={"seen": ("no",)}),
        Move("home", view="home_again", when={"seen": ("yes",)}),
        Move("detail", view="detail", effects={"seen": "yes"}),
        *show_moves("list", "about"),
        *letter_moves(words),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "home_again", Placement.SPLIT),
            Placed("d2", "list", Placement.NAVIGATION),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=3,
        state={"seen": "no"},
        fields=letter_fields(words),
    )


def relay(words: Words) -> Plan:
    """The first fact stands on the start page; a page that sends itself on leads to the second.

    Steps: the words of the page in between, the label of the download, the words above it.
    """
    menu = words.text.menu
    kind = words.redirect
    pick = View(
        "pick",
        menu[2],
        (
            Panel(menu[2], (words.text.desk,)),
            words.slot("d2"),
            Panel(words.step(2), (words.remarks[3],)),
            Links(((words.step(1), "file"),)),
        ),
    )
    views: tuple[View, ...] = (
        home_view(words, words.slot("d1")),
        list_view(words),
        detail_view(words),
        pick,
        about_view(words),
    )
    door = Move("desk", redirect="pick")
    if kind is not None:
        door = Move("desk", view="desk")
        onward = Links(((words.ui["continue"], "pick"),))
        opening = Panel(menu[2], (words.step(0),))
        views += (View("desk", menu[2], (opening, onward), redirect=(kind, "pick"), bare=True),)
    return Plan(
        views=views,
        moves=(*show_moves(*_PAGES, "pick"), door, Move("file", download=True)),
        placed=(
            Placed("d1", "home", Placement.FIRST_PAGE),
            Placed("d2", "pick", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=READING,
        depth=2,
    )


def album(words: Words) -> Plan:
    """A gate opens once; a drawing on the page of rows carries the first fact in its words.

    The second stands in the article.

    Steps: title of the gate, its words, the label to enter.
    """
    drawn = words.slots.d1
    enter = Form("enter", (), words.step(2))
    views = (
        View("gate", words.step(0), (Panel(words.step(0), (words.step(1),)), enter), bare=True),
        home_view(words),
        list_view(words, Poster(drawn[0], drawn[1:], figure=True)),
        detail_view(words, words.slot("d2")),
        about_view(words),
        *letter_views(words),
    )
    shut: dict[str, tuple[str, ...]] = {"passed": ("no",)}
    opened: dict[str, tuple[str, ...]] = {"passed": ("yes",)}
    moves = (
        Move("home", view="gate", when=shut),
        Move("home", view="home", when=opened),
        Move("enter", redirect="home", method=Method.POST, effects={"passed": "yes"}),
        *(Move(key, redirect="home", when=shut) for key in ("list", "detail", "about", "desk")),
        *show_moves("list", "detail", "about"),
        *letter_moves(words),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "list", Placement.GATE, Medium.PIXELS),
            Placed("d2", "detail", Placement.GATE),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=3,
        gates=1,
        state={"passed": "no"},
        fields=letter_fields(words),
    )
