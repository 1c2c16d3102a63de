"""Decisive paragraphs are known again in every wording, under any brand."""

import pytest

from riskchainbench.websites.decisive import Decisive, decisive_paragraphs

PARAGRAPHS = Decisive(
    [
        "{brand} <pays|sends> you every <win|prize>.",
        "<Odds|Prices> of {brand} change.",
        "下注 后 付",
    ]
)


@pytest.mark.parametrize(
    "line",
    [
        "Blue Kite pays you every prize.",
        "B sends  you every\twin.",
        "Odds of Blue Kite change.",
        "Prices of Prices of change.",
        "下注后付",
    ],
)
def test_every_reading_is_held(line):
    assert PARAGRAPHS.hold(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        " pays you every prize.",
        "Blue Kite owes you every prize.",
        "Blue Kite pays you every prize. And more.",
        "Odds of change.",
        "下注后",
    ],
)
def test_other_words_are_not(line):
    assert not PARAGRAPHS.hold(line)


def test_scenario_without_words_in_a_language_holds_nothing():
    assert not decisive_paragraphs("matches", "xx").hold("anything")
