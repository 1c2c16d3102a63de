"""Flows whose evidence has to be worked for: registration, sign-in, conversation, gates."""

from __future__ import annotations

from riskchainbench.core.gold import Placement
from riskchainbench.websites.plan import (
    Bubbles,
    CodePicture,
    Form,
    Input,
    Links,
    Move,
    Panel,
    Placed,
    Plan,
    View,
)
from riskchainbench.websites.records import FieldTest, Method
from riskchainbench.websites.scenarios.words import (
    BROWSING,
    CHOOSING,
    Words,
    about_view,
    detail_view,
    fixtures,
    home_view,
    letter_fields,
    letter_moves,
    letter_views,
    list_view,
    show_moves,
    wrong_code,
)

_ABOUT = Placed("d3", "about", Placement.NAVIGATION)


def member(words: Words) -> Plan:
    """Registration with a drawn code opens a member page; a second page lies behind it.

    Steps: words above the registration, label of the second page, label of the choice, its
    three options, label of the button, words of the receipt.
    """
    ui, menu = words.ui, words.text.menu
    form = Form("desk", (Input("user", ui["name"]), Input("code", ui["code"])), ui["join"])
    picture = CodePicture(words.code)
    opening = Panel(menu[2], (words.text.desk, words.step(0)))
    options = tuple((f"o{number}", words.step(2 + number)) for number in (1, 2, 3))
    order = Form("order", (Input("pick", words.step(2), "choice", options),), words.step(6))
    views = (
        home_view(words),
        list_view(words),
        detail_view(words),
        about_view(words),
        View("desk", menu[2], (opening, picture, form)),
        View("desk_again", menu[2], (Panel(ui["wrong_title"], (ui["wrong_code"],)), picture, form)),
        View(
            "inside",
            menu[2],
            (
                Panel(ui["welcome"], ("{{user}}",)),
                words.slot("d1"),
                Links(((words.step(1), "order"), (ui["leave"], "leave"))),
                Panel(words.teasers[4][0], (words.teasers[4][1],)),
            ),
        ),
        View("order", words.step(1), (words.slot("d2"), order)),
        View(
            "done",
            words.step(1),
            (Panel(ui["thanks_title"], (words.step(7),)), Links(((ui["back_home"], "home"),))),
        ),
    )
    yes, no = ("yes",), ("no",)
    moves = (
        *show_moves("home", "list", "detail", "about"),
        Move("desk", view="inside", when={"joined": yes}),
        Move("desk", view="desk_again", when={"joined": no, "wrong": yes}),
        Move("desk", view="desk", when={"joined": no, "wrong": no}),
        Move(
            "desk",
            redirect="desk",
            method=Method.POST,
            form={"user": FieldTest(), "code": FieldTest(one_of=(words.code,))},
            effects={"joined": "yes", "wrong": "no", "user": "$user"},
        ),
        Move("desk", redirect="desk", method=Method.POST, effects={"wrong": "yes"}),
        Move("leave", redirect="home", effects={"joined": "no", "wrong": "no"}),
        Move("order", view="order", when={"joined": yes}),
        Move("order", redirect="desk", when={"joined": no}),
        Move(
            "order",
            redirect="done",
            method=Method.POST,
            when={"joined": yes},
            form={"pick": FieldTest(one_of=("o1", "o2", "o3"))},
        ),
        Move("done", view="done"),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "inside", Placement.FORM),
            Placed("d2", "order", Placement.FORM),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=CHOOSING,
        depth=4,
        gates=1,
        state={"joined": "no", "wrong": "no", "user": ""},
        fields=(
            fixtures("user", ui["fixture_name"]),
            fixtures("code", wrong_code(words.code), words.code),
        ),
    )


def chat(words: Words) -> Plan:
    """A conversation with scripted answers; two of three questions bring a fact.

    Steps: who answers, the opening line, three questions, the answer to the third.
    """
    ui, menu = words.ui, words.text.menu
    questions = tuple((f"q{number}", words.step(1 + number)) for number in (1, 2, 3))
    form = Form("desk", (Input("ask", ui["question"], "choice", questions),), ui["send"])
    opening = (words.step(0), words.step(1))

    def answer(key: str, number: int, lines: tuple[str, ...]) -> View:
        asked = (ui["you"], words.step(1 + number))
        replies = tuple((words.step(0), line) for line in lines)
        return View(key, menu[2], (Bubbles((opening, asked, *replies)), form))

    views = (
        home_view(words),
        list_view(words),
        detail_view(words),
        about_view(words),
        View("desk", menu[2], (Panel(menu[2], (words.text.desk,)), Bubbles((opening,)), form)),
        answer("answer1", 1, words.slots.d1),
        answer("answer2", 2, words.slots.d2),
        answer("answer3", 3, (words.step(5), words.remarks[3])),
    )
    moves = (
        *show_moves("home", "list", "detail", "about"),
        *(
            Move("desk", view=view, when={"asked": (value,)})
            for value, view in (
                ("", "desk"),
                ("q1", "answer1"),
                ("q2", "answer2"),
                ("q3", "answer3"),
            )
        ),
        Move(
            "desk",
            redirect="desk",
            method=Method.POST,
            form={"ask": FieldTest(one_of=("q1", "q2", "q3"))},
            effects={"asked": "$ask"},
        ),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "answer1", Placement.CHAT),
            Placed("d2", "answer2", Placement.CHAT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=CHOOSING,
        depth=3,
        state={"asked": ""},
    )


def gate(words: Words) -> Plan:
    """A gate asks twice before the start page opens; the second fact lies in the article.

    Steps: title of the gate, its words, the words of its second asking, the label to enter.
    """
    form = Form("enter", (), words.step(3))
    views = (
        View("gate", words.step(0), (Panel(words.step(0), (words.step(1),)), form), bare=True),
        View(
            "gate_again", words.step(0), (Panel(words.step(0), (words.step(2),)), form), bare=True
        ),
        home_view(words, words.slot("d1")),
        list_view(words),
        detail_view(words, words.slot("d2")),
        about_view(words),
        *letter_views(words),
    )
    shut: dict[str, tuple[str, ...]] = {"passed": ("0", "1")}
    moves = (
        Move("home", view="gate", when={"passed": ("0",)}),
        Move("home", view="gate_again", when={"passed": ("1",)}),
        Move("home", view="home", when={"passed": ("2",)}),
        Move(
            "enter",
            redirect="home",
            method=Method.POST,
            when={"passed": ("0",)},
            effects={"passed": "1"},
        ),
        Move("enter", redirect="home", method=Method.POST, effects={"passed": "2"}),
        *(Move(key, redirect="home", when=shut) for key in ("list", "detail", "about", "desk")),
        *show_moves("list", "detail", "about"),
        *letter_moves(words),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "home", Placement.GATE),
            Placed("d2", "detail", Placement.GATE),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=3,
        gates=1,
        state={"passed": "0"},
        fields=letter_fields(words),
    )


def sign(words: Words) -> Plan:
    """An interstitial leads to a notice, that to a sign-in; what follows it is the second fact.

    Steps: words of the interstitial, words above the second form, words of the last page.
    """
    ui, menu = words.ui, words.text.menu
    first = Form(
        "desk",
        (Input("account", ui["account"]), Input("secret", ui["password"], "password")),
        ui["sign_in"],
    )
    second = Form("check", (Input("code", ui["answer"]),), ui["continue"])
    kind = words.redirect
    views: tuple[View, ...] = (
        home_view(words),
        list_view(words),
        detail_view(words),
        about_view(words),
        View("desk", menu[2], (words.slot("d1"), Panel(menu[2], (words.text.desk,)), first)),
        View("check", menu[2], (words.slot("d2"), Panel(ui["one_more"], (words.step(1),)), second)),
        View(
            "done",
            menu[2],
            (Panel(ui["thanks_title"], (words.step(2),)), Links(((ui["back_home"], "home"),))),
        ),
    )
    door = Move("door", redirect="home")
    if kind is not None:
        door = Move("door", view="door")
        opening = Panel(words.text.tagline, (words.step(0),))
        onward = Links(((ui["continue"], "home"),))
        views = (
            View("door", words.text.tagline, (opening, onward), redirect=(kind, "home"), bare=True),
            *views,
        )
    yes, no = ("yes",), ("no",)
    moves = (
        door,
        *show_moves("home", "list", "detail", "about", "desk"),
        Move(
            "desk",
            redirect="check",
            method=Method.POST,
            form={"account": FieldTest(), "secret": FieldTest()},
            effects={"signed": "yes"},
        ),
        Move("check", view="check", when={"signed": yes}),
        Move("check", redirect="desk", when={"signed": no}),
        Move(
            "check",
            redirect="done",
            method=Method.POST,
            when={"signed": yes},
            form={"code": FieldTest()},
            effects={"signed": "no"},
        ),
        Move("done", view="done"),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "desk", Placement.NAVIGATION),
            Placed("d2", "check", Placement.FORM),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=BROWSING,
        depth=4,
        gates=1,
        state={"signed": "no"},
        fields=(
            fixtures("account", ui["fixture_account"]),
            fixtures("secret", ui["fixture_password"]),
            fixtures("code", words.code),
        ),
        start="door",
    )
