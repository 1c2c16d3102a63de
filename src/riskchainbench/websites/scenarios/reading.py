"""Flows whose evidence is read: on the first page, behind links, drawn, or beside a download."""

from __future__ import annotations

from riskchainbench.core.gold import Medium, Placement
from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.plan import (
    Endless,
    Links,
    Move,
    Panel,
    Placed,
    Plan,
    Poster,
    Table,
    Tabs,
    View,
)
from riskchainbench.websites.scenarios.words import (
    BROWSING,
    Words,
    about_view,
    detail_view,
    home_view,
    letter_fields,
    letter_moves,
    letter_views,
    list_view,
    show_moves,
)

_ABOUT = Placed("d3", "about", Placement.NAVIGATION)
_OPENING = (*BROWSING[:2], ScaffoldClass.OPEN_VIEW, *BROWSING[2:])


def front(words: Words) -> Plan:
    """Both facts stand on the start page, the second below its cards."""
    views = (
        home_view(words, words.slot("d1"), after=(words.slot("d2"),)),
        list_view(words),
        detail_view(words),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves("home", "list", "detail", "about"), *letter_moves(words)),
        placed=(
            Placed("d1", "home", Placement.FIRST_PAGE),
            Placed("d2", "home", Placement.FIRST_PAGE),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=1,
        fields=letter_fields(words),
    )


def browse(words: Words) -> Plan:
    """The first fact stands on the page of rows, the second in the article behind it."""
    views = (
        home_view(words),
        list_view(words, words.slot("d1")),
        detail_view(words, words.slot("d2")),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves("home", "list", "detail", "about"), *letter_moves(words)),
        placed=(
            Placed("d1", "list", Placement.NAVIGATION),
            Placed("d2", "detail", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=3,
        fields=letter_fields(words),
    )


def tabs(words: Words) -> Plan:
    """The first fact stands on the page of rows, the second behind a tab of the article."""
    text, ui = words.text, words.ui
    article = Tabs(
        (ui["overview"], ui["details"]),
        (Panel(text.menu[1], text.article), words.slot("d2")),
    )
    onward = Links(((ui["more"].format(title=text.menu[2]), "desk"),))
    views = (
        home_view(words),
        list_view(words, words.slot("d1")),
        View("detail", text.menu[1], (article, Panel(*_teaser(words, 3)), onward)),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves("home", "list", "detail", "about"), *letter_moves(words)),
        placed=(
            Placed("d1", "list", Placement.NAVIGATION),
            Placed("d2", "detail", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=_OPENING,
        depth=4,
        fields=letter_fields(words),
    )


def endless(words: Words) -> Plan:
    """The first fact stands in the article, the second at the end of a list that grows."""
    text = words.text
    shown = [Panel(*_teaser(words, number)) for number in (2, 3, 4)]
    more = [Panel(headline, (words.remarks[number],)) for number, headline in words.headlines]
    end = words.slot("d2")
    views = (
        home_view(words),
        View(
            "list",
            text.menu[0],
            (
                Panel(text.menu[0], (words.remarks[0],)),
                Table(text.columns, text.rows),
                Endless(((*shown, *more[:1]), (*more[1:3],), (*more[3:], end))),
                Links(((words.ui["more"].format(title=text.menu[1]), "detail"),)),
            ),
        ),
        detail_view(words, words.slot("d1")),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves("home", "list", "detail", "about"), *letter_moves(words)),
        placed=(
            Placed("d1", "detail", Placement.NAVIGATION),
            Placed("d2", "list", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=3,
        fields=letter_fields(words),
    )


def _teaser(words: Words, number: int) -> tuple[str, tuple[str, ...]]:
    title, text = words.teasers[number]
    return title, (text,)


def poster(words: Words) -> Plan:
    """Both facts are drawn into images, one on the start page and one in the article."""
    first, second = words.slots.d1, words.slots.d2
    views = (
        home_view(words, Poster(first[0], first[1:])),
        list_view(words),
        detail_view(words, Poster(second[0], second[1:])),
        about_view(words),
        *letter_views(words),
    )
    return Plan(
        views=views,
        moves=(*show_moves("home", "list", "detail", "about"), *letter_moves(words)),
        placed=(
            Placed("d1", "home", Placement.FIRST_PAGE, Medium.PIXELS),
            Placed("d2", "detail", Placement.SPLIT, Medium.PIXELS),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=2,
        fields=letter_fields(words),
    )


def files(words: Words) -> Plan:
    """The first fact stands in the article, the second beside a file to download.

    Steps: the label of the download, the words above it.
    """
    desk = View(
        "desk",
        words.text.menu[2],
        (
            Panel(words.text.menu[2], (words.text.desk,)),
            words.slot("d2"),
            Panel(words.step(1), (words.remarks[3],)),
            Links(((words.step(0), "file"),)),
        ),
    )
    views = (
        home_view(words),
        list_view(words),
        detail_view(words, words.slot("d1")),
        desk,
        about_view(words),
    )
    return Plan(
        views=views,
        moves=(
            *show_moves("home", "list", "detail", "desk", "about"),
            Move("file", download=True),
        ),
        placed=(
            Placed("d1", "detail", Placement.NAVIGATION),
            Placed("d2", "desk", Placement.SPLIT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=(ScaffoldClass.SCROLL, ScaffoldClass.FOLLOW_LINK),
        depth=3,
    )
