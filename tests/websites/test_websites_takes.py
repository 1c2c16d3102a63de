import pytest
from pydantic import ValidationError

from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.seeds import stream
from riskchainbench.websites.alternatives import drawn, readings
from riskchainbench.websites.takes import ScenarioText, Take, Takes


def _slots(word):
    return {slot: [f"{word} {slot}", f"{slot} text"] for slot in ("d1", "d2", "d3")}


FIRST = ScenarioText.model_validate(
    {
        "review": "none",
        "tails": [" One"],
        "tagline": "first <dawn|light>",
        "menu": ["a", "b", "c", "d"],
        "lead": "lead",
        "cards": [["c1", "x"], ["c2", "x"], ["c3", "x"]],
        "columns": ["k"],
        "rows": [["r1"], ["r2"], ["r3"], ["r4"]],
        "article": ["p1", "p2"],
        "about": ["about"],
        "desk": "desk",
        "steps": ["s1"],
        "members": {decision: _slots(decision.value) for decision in Decision},
    }
)
SECOND = Take.model_validate(
    {
        "review": "none",
        "cards": [["c4", "x"]],
        "rows": [["q1"], ["q2"], ["q3"], ["q4"]],
        "members": {decision: {"d2": ["second", "text"]} for decision in Decision},
    }
)


def test_without_alternatives_a_draw_is_the_first_take():
    plain = Takes(FIRST.but(tagline="first"))
    assert plain.draw(stream(1, "a")).but(cards=FIRST.cards) == plain.first


def test_slots_are_drawn_apart_and_members_alike():
    takes = Takes(FIRST, (SECOND,))
    texts = [takes.draw(stream(1, "set", number)) for number in range(60)]
    assert {text.tagline for text in texts} == {"first dawn", "first light"}
    assert {card[0] for text in texts for card in text.cards} == {"c1", "c2", "c3", "c4"}
    drawn_rows = {(text.rows[0][0], text.steps[0]) for text in texts}
    assert drawn_rows == {("r1", "s1"), ("q1", "s1")}
    for text in texts:
        second = {slots.d2[0] == "second" for slots in text.members.values()}
        assert len(second) == 1
        assert all(slots.d1[0] != "second" for slots in text.members.values())
    pairs = {(t.rows[0][0] == "q1", t.members[Decision.VIOLATION].d2[0] == "second") for t in texts}
    assert len(pairs) == 4


def test_equal_streams_draw_equal_words():
    takes = Takes(FIRST, (SECOND,))
    assert takes.draw(stream(3, "x")) == takes.draw(stream(3, "x"))


def test_take_that_rewrites_a_slot_for_one_member_alone_is_refused():
    with pytest.raises(ValidationError, match="d1 is given for VIOLATION alone"):
        Take.model_validate({"review": "none", "members": {"VIOLATION": {"d1": ["title", "text"]}}})


def test_every_reading_is_listed_and_one_is_drawn():
    text = "Pay <5|6> coins <now|today>."
    every = readings(text)
    assert every == (
        "Pay 5 coins now.",
        "Pay 5 coins today.",
        "Pay 6 coins now.",
        "Pay 6 coins today.",
    )
    assert {drawn(text, stream(1, n)) for n in range(80)} == set(every)


def test_phrase_with_too_many_readings_is_refused():
    with pytest.raises(InputError, match="81 readings, at most 64"):
        readings("<a|b|c>" * 4)
