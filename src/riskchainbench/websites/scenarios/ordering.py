"""Flows whose evidence comes at the end of a procedure: top-up, order, sign-up, conversation."""

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
from riskchainbench.websites.records import FieldFixtures, FieldTest, Method
from riskchainbench.websites.scenarios.words import (
    CHOOSING,
    Words,
    about_view,
    choice,
    detail_view,
    fixtures,
    home_view,
    list_view,
    show_moves,
    wrong_code,
)

_ABOUT = Placed("d3", "about", Placement.NAVIGATION)
_PAGES = ("home", "list", "detail", "about")
_YES, _NO = ("yes",), ("no",)


def _pages(words: Words) -> tuple[View, ...]:
    return (home_view(words), list_view(words), detail_view(words), about_view(words))


def _account(words: Words) -> tuple[Input, Input]:
    return (
        Input("account", words.ui["account"]),
        Input("secret", words.ui["password"], "password"),
    )


def _account_fields(words: Words) -> tuple[FieldFixtures, ...]:
    return (
        fixtures("account", words.ui["fixture_account"]),
        fixtures("secret", words.ui["fixture_password"]),
    )


def wallet(words: Words) -> Plan:
    """A sign-in and a drawn code open a wallet; topping it up leads to the second fact.

    The first stands in the wallet. A wrong code is asked for again. What was topped up is kept
    over reload and shown in the wallet until the visitor leaves.

    Steps: words above the sign-in, label of the top-up, label of the choice, its three
    options, label of the button, words of the receipt, label above what was topped up.
    """
    ui, menu = words.ui, words.text.menu
    options = (words.step(3), words.step(4), words.step(5))
    sign = Form("desk", _account(words), ui["sign_in"])
    picture = CodePicture(words.code)
    proof = Form("check", (Input("code", ui["code"]),), ui["continue"])
    pick = Form("fill", (choice("amount", words.step(2), options),), words.step(6))
    ways = Links(((words.step(1), "fill"), (ui["leave"], "leave")))
    empty, full = ("",), options
    views = (
        *_pages(words),
        View("desk", menu[2], (Panel(menu[2], (words.text.desk, words.step(0))), sign)),
        View("check", menu[2], (Panel(ui["one_more"], (words.remarks[3],)), picture, proof)),
        View(
            "check_again",
            menu[2],
            (Panel(ui["wrong_title"], (ui["wrong_code"],)), picture, proof),
        ),
        View("inside", menu[2], (Panel(ui["welcome"], ("{{user}}",)), words.slot("d1"), ways)),
        View(
            "inside_again",
            menu[2],
            (Panel(words.step(8), ("{{amount}}",)), Panel(ui["welcome"], ("{{user}}",)), ways),
        ),
        View("fill", words.step(1), (Panel(words.step(1), (words.teasers[4][1],)), pick)),
        View(
            "done",
            words.step(1),
            (
                Panel(ui["thanks_title"], (words.step(7), "{{amount}}")),
                words.slot("d2"),
                Links(((ui["back_home"], "home"),)),
            ),
        ),
    )
    named, wrong = ("named",), ("wrong",)
    moves = (
        *show_moves(*_PAGES),
        Move("desk", view="desk", when={"joined": (*_NO, *named, *wrong)}),
        Move("desk", view="inside", when={"joined": _YES, "amount": empty}),
        Move("desk", view="inside_again", when={"joined": _YES, "amount": full}),
        Move(
            "desk",
            redirect="check",
            method=Method.POST,
            form={"account": FieldTest(), "secret": FieldTest()},
            effects={"joined": "named", "user": "$account"},
        ),
        Move("check", view="check", when={"joined": named}),
        Move("check", view="check_again", when={"joined": wrong}),
        Move("check", redirect="desk", when={"joined": (*_NO, *_YES)}),
        Move(
            "check",
            redirect="desk",
            method=Method.POST,
            when={"joined": (*named, *wrong)},
            form={"code": FieldTest(one_of=(words.code,))},
            effects={"joined": "yes"},
        ),
        Move(
            "check",
            redirect="check",
            method=Method.POST,
            when={"joined": (*named, *wrong)},
            effects={"joined": "wrong"},
        ),
        Move("leave", redirect="home", effects={"joined": "no", "amount": "", "user": ""}),
        Move("fill", view="fill", when={"joined": _YES}),
        Move("fill", redirect="desk", when={"joined": (*_NO, *named, *wrong)}),
        Move(
            "fill",
            redirect="done",
            method=Method.POST,
            when={"joined": _YES},
            form={"amount": FieldTest(one_of=options)},
            effects={"amount": "$amount"},
        ),
        Move("done", view="done", when={"amount": full}),
        Move("done", redirect="desk", when={"amount": empty}),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "inside", Placement.FORM),
            Placed("d2", "done", Placement.FORM),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=CHOOSING,
        depth=6,
        gates=2,
        state={"joined": "no", "user": "", "amount": ""},
        fields=(
            *_account_fields(words),
            fixtures("code", wrong_code(words.code), words.code),
        ),
    )


def order(words: Words) -> Plan:
    """The first fact stands on the page of rows, the second on the basket that an order opens.

    A form without a choice is shown again with a word of why; a placed order is kept over
    reload until it is taken back.

    Steps: words above the form, label of the choice, its three options, label of the button,
    title of the basket, label to confirm, words of the receipt, label to take it back.
    """
    ui, menu = words.ui, words.text.menu
    options = (words.step(2), words.step(3), words.step(4))
    inputs = (choice("item", words.step(1), options), Input("user", ui["name"]))
    form = Form("desk", inputs, words.step(5))
    confirm = Form("confirm", (), words.step(7))
    kept = (
        Panel(ui["thanks_title"], (words.step(8), "{{item}}")),
        Links(((words.step(9), "undo"), (ui["back_home"], "home"))),
    )
    home, rows, article, about = _pages(words)
    rows = list_view(words, words.slot("d1"))
    views = (
        home,
        rows,
        article,
        about,
        View("desk", menu[2], (Panel(menu[2], (words.text.desk, words.step(0))), form)),
        View("desk_again", menu[2], (Panel(ui["wrong_title"], (words.step(0),)), form)),
        View(
            "basket",
            words.step(6),
            (Panel(words.step(6), ("{{item}}", "{{user}}")), words.slot("d2"), confirm),
        ),
        View("done", menu[2], kept),
    )
    moves = (
        *show_moves(*_PAGES),
        Move("desk", view="done", when={"placed": _YES}),
        Move("desk", view="desk_again", when={"placed": _NO, "wrong": _YES}),
        Move("desk", view="desk", when={"placed": _NO, "wrong": _NO}),
        Move(
            "desk",
            redirect="basket",
            method=Method.POST,
            when={"placed": _NO},
            form={"item": FieldTest(one_of=options), "user": FieldTest()},
            effects={"item": "$item", "user": "$user", "wrong": "no"},
        ),
        Move(
            "desk",
            redirect="desk",
            method=Method.POST,
            when={"placed": _NO},
            effects={"wrong": "yes"},
        ),
        Move("basket", redirect="desk", when={"item": ("",)}),
        Move("basket", view="basket"),
        Move("confirm", redirect="desk", method=Method.POST, effects={"placed": "yes"}),
        Move("undo", redirect="desk", effects={"placed": "no", "item": "", "user": ""}),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "list", Placement.NAVIGATION),
            Placed("d2", "basket", Placement.FORM),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=CHOOSING,
        depth=4,
        state={"placed": "no", "wrong": "no", "item": "", "user": ""},
        fields=(fixtures("user", ui["fixture_name"]),),
    )


def wizard(words: Words) -> Plan:
    """Two forms in a row: the first fact stands above the second form, the other behind it.

    Steps: words above the first form, label of its choice, the three options, label of its
    button, words above the second form, label of the second form's button, closing words.
    """
    ui, menu = words.ui, words.text.menu
    options = (words.step(2), words.step(3), words.step(4))
    first = Form("desk", (choice("topic", words.step(1), options),), words.step(5))
    second = Form("second", _account(words), words.step(7))
    views = (
        *_pages(words),
        View("desk", menu[2], (Panel(menu[2], (words.text.desk, words.step(0))), first)),
        View(
            "second",
            menu[2],
            (Panel("{{topic}}", (words.step(6),)), words.slot("d1"), second),
        ),
        View(
            "third",
            menu[2],
            (
                words.slot("d2"),
                Panel(ui["thanks_title"], (words.step(8),)),
                Links(((ui["back_home"], "home"),)),
            ),
        ),
    )
    begun: dict[str, tuple[str, ...]] = {"stage": ("2", "3")}
    moves = (
        *show_moves(*_PAGES, "desk"),
        Move(
            "desk",
            redirect="second",
            method=Method.POST,
            form={"topic": FieldTest(one_of=options)},
            effects={"stage": "2", "topic": "$topic"},
        ),
        Move("second", view="second", when=begun),
        Move("second", redirect="desk", when={"stage": ("1",)}),
        Move(
            "second",
            redirect="third",
            method=Method.POST,
            when=begun,
            form={"account": FieldTest(), "secret": FieldTest()},
            effects={"stage": "3"},
        ),
        Move("third", view="third", when={"stage": ("3",)}),
        Move("third", redirect="desk", when={"stage": ("1", "2")}),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "second", Placement.FORM),
            Placed("d2", "third", Placement.FORM),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=CHOOSING,
        depth=5,
        gates=1,
        state={"stage": "1", "topic": ""},
        fields=_account_fields(words),
    )


def talk(words: Words) -> Plan:
    """A conversation in two turns: the first answer holds a fact and opens a further question.

    Steps: who answers, the opening line, three questions, the answers to the second and the
    third, the further question, another further question, the answer to that one.
    """
    ui, menu = words.ui, words.text.menu
    opening = (words.step(0), words.step(1))
    asked = {"q1": 2, "q2": 3, "q3": 4, "f1": 7, "f2": 8}

    def form(*keys: str) -> Form:
        options = tuple((key, words.step(asked[key])) for key in keys)
        return Form("desk", (Input("ask", ui["question"], "choice", options),), ui["send"])

    def answer(key: str, lines: tuple[str, ...], *keys: str) -> View:
        question = (ui["you"], words.step(asked[key]))
        replies = tuple((words.step(0), line) for line in lines)
        return View(f"answer_{key}", menu[2], (Bubbles((opening, question, *replies)), form(*keys)))

    first = ("q1", "q2", "q3")
    views = (
        *_pages(words),
        View(
            "desk",
            menu[2],
            (Panel(menu[2], (words.text.desk,)), Bubbles((opening,)), form(*first)),
        ),
        answer("q1", words.slots.d1, "f1", "f2"),
        answer("q2", (words.step(5), words.remarks[3]), *first),
        answer("q3", (words.step(6), words.remarks[4]), *first),
        answer("f1", words.slots.d2, *first),
        answer("f2", (words.step(9),), "f1", "q2", "q3"),
    )
    moves = (
        *show_moves(*_PAGES),
        Move("desk", view="desk", when={"asked": ("",)}),
        *(Move("desk", view=f"answer_{key}", when={"asked": (key,)}) for key in asked),
        Move(
            "desk",
            redirect="desk",
            method=Method.POST,
            when={"asked": ("q1", "f2")},
            form={"ask": FieldTest(one_of=("f1", "f2", "q2", "q3"))},
            effects={"asked": "$ask"},
        ),
        Move(
            "desk",
            redirect="desk",
            method=Method.POST,
            form={"ask": FieldTest(one_of=first)},
            effects={"asked": "$ask"},
        ),
    )
    return Plan(
        views=views,
        moves=moves,
        placed=(
            Placed("d1", "answer_q1", Placement.CHAT),
            Placed("d2", "answer_f1", Placement.CHAT),
            _ABOUT,
        ),
        menu=words.menu,
        scaffold=CHOOSING,
        depth=4,
        state={"asked": ""},
    )
