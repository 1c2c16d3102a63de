"""Scans that skip what they read before find all that a scan of the whole text finds."""

import pytest

from riskchainbench.checks.fresh import FreshOnly
from riskchainbench.messages.identifiers import find_live_identifiers


def _scan():
    return FreshOnly(lambda text: bool(find_live_identifiers(text)))


def test_passages_without_a_finding_are_read_once():
    read = []
    scan = FreshOnly(lambda text: bool(read.append(text)))
    assert not scan.suspects("<p>one</p>\n<p>two</p>")
    assert not scan.suspects("<p>two</p>\n<p>three</p>")
    assert not scan.suspects("<p>three</p>\n<p>one</p>")
    assert read == ["<p>one</p>\n\n<p>two</p>", "<p>three</p>"]


def test_passage_with_a_finding_is_found_again_and_again():
    scan = _scan()
    assert not scan.suspects("<p>words</p>\n<p>more</p>")
    for _ in range(2):
        assert scan.suspects("<p>words</p>\n<p>somebody.com</p>")
    assert not scan.suspects("<p>words</p>")


@pytest.mark.parametrize(
    "text",
    ["mail{at}\nsomebody.com", "somebody{dot}\ncom", "somebody{.}\ncom", "somebody\n.com",
     "somebody dot\ncom", "somebody.\ncom"],
)  # fmt: skip
def test_name_that_goes_on_in_the_next_line_is_found(text):
    assert find_live_identifiers(text)
    assert _scan().suspects(f"a{{b:c}}\n{text}\n<p>")


def test_parts_of_a_name_that_are_apart_make_none():
    scan = _scan()
    assert not scan.suspects("<p>somebody\n<p>x</p>")
    assert not scan.suspects("<p>x</p>\n<p>somebody\n<p>y")
    assert not scan.suspects("a{b:c}\n.com\n<p>x</p>")
