"""A compiled website shows what the captured site showed, and leads where it led."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from awkward_site import AwkwardSite
from captures import Sent, har, warc
from walking import Visitor, compiled

from riskchainbench.capture.compiler import Compiled, compile_capture
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.record import Origin
from riskchainbench.capture.seal import seal_problems
from riskchainbench.messages.identifiers import find_live_identifiers
from riskchainbench.websites.exploration import reachable
from riskchainbench.websites.files import check_website
from riskchainbench.websites.step import Event, initial_state


@pytest.fixture(params=["x.warc.gz", "m"])
def of_wget(request: pytest.FixtureRequest, awkward: tuple[Path, AwkwardSite]) -> Compiled:
    capture = read_capture(awkward[0] / request.param)
    found = compile_capture(capture, ImportPolicy())
    check_website(found.loaded, "x")
    return found


def test_links_of_the_awkward_site_lead_where_they_led(of_wget: Compiled) -> None:
    visitor = Visitor(of_wget)
    assert "Welcome home" in visitor.text
    seen = {}
    for name in ("First item", "Second item", "Old address", "Umlaut", "Packed", "中文"):
        visitor.go(Event("GET", "/"))
        seen[name] = visitor.follow(name).body.decode()
    assert "Item 1 first" in seen["First item"]
    assert "Item 2 first" in seen["Second item"]
    assert "Item 1 first" in seen["Old address"]
    assert "Grüße und Küsse" in seen["Umlaut"]
    assert "Once packed" in seen["Packed"]
    assert "中文页面" in seen["中文"]


def test_what_the_capture_lacks_is_stood_in_for(of_wget: Compiled) -> None:
    visitor = Visitor(of_wget)
    view = visitor.follow("Elsewhere")
    assert view.status == 404
    assert of_wget.origins[view.page_id or ""] is Origin.SUBSTITUTE
    assert "Welcome home" in visitor.follow("Back").body.decode()


def test_the_awkward_site_is_sealed(of_wget: Compiled, awkward: tuple[Path, AwkwardSite]) -> None:
    assert seal_problems(of_wget.loaded, ["127.0.0.1"]) == ()
    home = Visitor(of_wget).text
    assert re.findall(r"<(?:script|noscript|base|style|template)\b|\son\w+=|\sstyle=", home) == []


def test_equal_files_are_stored_once(of_wget: Compiled) -> None:
    pictures = [name for name in of_wget.loaded.files if name.endswith(".png")]
    assert len(pictures) == 1


def test_identifiers_are_masked_and_counted(of_wget: Compiled) -> None:
    home = Visitor(of_wget).text
    assert "5550" not in home
    assert "shop.example-mail" not in home
    assert find_live_identifiers(home) == []
    assert of_wget.masked["phone"] == of_wget.masked["e-mail"] == 1


def test_a_title_keeps_no_host(of_wget: Compiled) -> None:
    assert "<title>Home</title>" in Visitor(of_wget).text


def test_a_form_without_a_captured_answer_has_a_labelled_one(of_wget: Compiled) -> None:
    visitor = Visitor(of_wget)
    assert visitor.submit(1, user_name="x").status == 204
    visitor.go(Event("GET", "/"))
    view = visitor.submit(1, user_name="x", **{"pass": "y"})
    assert "You are now signed in." in view.body.decode()
    assert of_wget.origins[view.page_id or ""] is Origin.SYNTHETIC
    assert visitor.state != initial_state(of_wget.loaded)


def test_every_page_can_be_explored(of_wget: Compiled) -> None:
    graph = reachable(of_wget.loaded)
    assert graph.loops == ()
    assert not [where for where in graph.dead if where.startswith("GET")]


FORM = (
    b'<title>t</title><form method=post action=/in><input name="u[n]"><input type=password name=p>'
    b"<button>Go</button></form><a href=/shop>Shop</a>"
)
TO_HOME = (("Location", "/home"),)
LOGIN = (
    Sent("/", FORM, second=1),
    Sent("/shop", b"<p>Prices for guests", second=2),
    Sent(
        "/in", b"<p>Wrong <a href=/>Back</a>", method="POST", sent=b"u%5Bn%5D=ann&p=bad", second=3
    ),
    Sent("/in", b"", "", 303, "POST", b"u%5Bn%5D=ann&p=good", TO_HOME, second=4),
    Sent("/home", b"<p>Hello member <a href=/shop>Shop</a>", second=5),
    Sent("/shop", b"<p>Prices for members", second=6),
)


@pytest.mark.parametrize("write", [warc, har])
def test_captured_submissions_become_transitions(tmp_path: Path, write: object) -> None:
    capture = read_capture(write(tmp_path / "x", LOGIN))  # type: ignore[operator]
    found = compile_capture(capture, ImportPolicy())
    check_website(found.loaded, "x")
    visitor = Visitor(found)
    assert "guests" in visitor.follow("Shop").body.decode()
    visitor.go(Event("GET", "/"))
    assert "Wrong" in visitor.submit(u_n="ann", p="bad").body.decode()
    visitor.follow("Back")
    assert "Hello member" in visitor.submit(u_n="ann", p="good").body.decode()
    assert "members" in visitor.follow("Shop").body.decode()
    assert set(found.origins.values()) == {Origin.OBSERVED}


def test_what_was_typed_is_offered_as_a_fixture(tmp_path: Path) -> None:
    found = compiled(*LOGIN, path=tmp_path)
    values = [fixture.value for fixture in found.loaded.fixtures("p")]
    assert values[:2] == ["bad", "good"]


def test_a_search_answers_what_was_searched_and_nothing_else(tmp_path: Path) -> None:
    found = compiled(
        Sent("/", b"<form action=/s><input name=q><input type=hidden name=l value=en></form>"),
        Sent("/s?q=red&l=en", b"<p>Red things"),
        path=tmp_path,
    )
    visitor = Visitor(found)
    assert "Red things" in visitor.submit(q="red").body.decode()
    visitor.go(Event("GET", "/"))
    assert "Nothing was found." in visitor.submit(q="blue").body.decode()


def test_scripts_are_answered_by_method_path_and_fields(tmp_path: Path) -> None:
    json = "application/json"
    found = compiled(
        Sent("/", b"<title>t</title><script>fetch('/api?p=1')</script>"),
        Sent("/api?p=1", b'{"page":1,"next":"http://shop.test/api?p=2"}', json),
        Sent("/api?p=2", b'{"page":2}', json),
        Sent("/track/beacon", b"{}", json),
        path=tmp_path,
        scripts=Scripts.KEEP,
    )
    visitor = Visitor(found)
    assert visitor.go(Event("GET", "/api", query={"p": "2"})).body == b'{"page":2}'
    assert visitor.go(Event("GET", "/api", query={"p": "1"})).body == b'{"page":1,"next":"/api"}'
    assert visitor.go(Event("GET", "/track/beacon")).status == 204


def test_equal_captures_give_equal_bytes(tmp_path: Path) -> None:
    captures = [read_capture(har(tmp_path / name, LOGIN)) for name in ("a", "b")]
    first, second = (compile_capture(capture, ImportPolicy()).loaded for capture in captures)
    assert first.website == second.website
    assert first.files == second.files
