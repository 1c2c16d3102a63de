"""How entries are found, folded and ranked, by themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.core.entries import is_entry
from riskchainbench.core.restoration import MAX_CANDIDATES
from riskchainbench.models.restorer.entry import find_entries, fold
from riskchainbench.models.restorer.ranking import rank_entries

MARK = "\ue000"


def found(text: str) -> list[str]:
    return [entry.value for entry in find_entries(text, MARK)]


@pytest.mark.parametrize(
    ("char", "ascii_letter"),
    zip("ακωаѕｅ𝐫ⓧéＡ７⑤", "akwaserxea75", strict=True),
)
def test_look_alikes_fold_to_ascii(char: str, ascii_letter: str) -> None:
    assert fold(char)[0] == ascii_letter


@pytest.mark.parametrize("char", "你，。 \n[/#")
def test_other_characters_fold_to_no_letter(char: str) -> None:
    assert not fold(char)[0].isalnum()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("见ａｂ。ｃｄ。test", "ab.cd.test"),
        ("见 ka8 ． m3点test", "ka8.m3.test"),
        ("k\n0\ufe0f\u20e3\na\n\nm\n3\n.\nt\ne\ns\nt", "k0a.m3.test"),
        ("ka8\nm3，test", "ka8.m3.test"),
        ("ka8\nm3\n．\ntest", "ka8.m3.test"),
        (f"k{MARK}\na8.m3.te{MARK}st", "ka8.m3.test"),
        ("k＊a8.m～3.test", "ka8.m3.test"),
        ("k\u200ba8.m3.test", "ka8.m3.test"),
        ("k\ufe00a8.m\U000e01003.test", "ka8.m3.test"),
        ("KA8.m3.TEST", "ka8.m3.test"),
        ("去a-b.c-d.test吧", "a-b.c-d.test"),
        ("见ka8[.]m3(dot)test", "ka8.m3.test"),
        ("见ka8（点）m3【。】test", "ka8.m3.test"),
        ("见ka8·m3•test", "ka8.m3.test"),
        ("加k a 8 . m 3 . t e s t，好", "ka8.m3.test"),
        ("see k a 8 . m 3 . t e s t", "ka8.m3.test"),
        ("k_a_8_._m_3_._t_e_s_t", "ka8.m3.test"),
        ("k～a～8～.～m～3～.～t～e～s～t", "ka8.m3.test"),
        ("进%6B%61%38%2E%6D%33%2E%74%65%73%74吧", "ka8.m3.test"),
        ("\u202etset.3m.8ak\u202c，看", "ka8.m3.test"),
        ("xn--a8-29b.m3.test", "ka8.m3.test"),
    ],
)
def test_dressed_entries_are_read(text: str, value: str) -> None:
    assert found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "没有入口",
        "k a8 . m3 . t e s t",
        "(dot)",
        "%2E%2E%2E%2E",
        "\u202etset",
        "100%的.test",
        "m3.test",
        "ka8.m3.testing",
        "a.b.tes t",
        "latest.test版",
        "test.test",
    ],
)
def test_what_is_no_three_label_name_is_not_read(text: str) -> None:
    assert found(text) == []


def test_a_name_is_taken_out_with_all_that_spells_it() -> None:
    text = "先\u202etset.3m.8ak\u202c，再%6B%61%39%2E%6D%33%2E%74%65%73%74看x1[.]y2(dot)test吧"
    entries = find_entries(text, MARK)
    assert [text[entry.start : entry.stop] for entry in entries] == [
        "\u202etset.3m.8ak\u202c",
        "%6B%61%39%2E%6D%33%2E%74%65%73%74",
        "x1[.]y2(dot)test",
    ]


def test_an_encoded_label_that_is_no_valid_one_stays() -> None:
    assert found("xn--99999999.m3.test") == ["xn--99999999.m3.test"]


def test_a_letter_with_two_readings_gives_further_candidates() -> None:
    (entry,) = find_entries("οk1.m3.test", MARK)
    assert entry.value == "ok1.m3.test"
    assert "0k1.m3.test" in entry.others


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("旧站 aa1.b2.test 关了，新的是 cc3.d4.test", "cc3.d4.test"),
        ("新地址 cc3.d4.test，之前的 aa1.b2.test 不用了", "cc3.d4.test"),
        ("别点 aa1.b2.test，认准 cc3.d4.test", "cc3.d4.test"),
        ("请用 cc3.d4.test，aa1.b2.test 已失效", "cc3.d4.test"),
        ("搜cc3.d4.test，别搜aa1.b2.test，那里没有", "cc3.d4.test"),
    ],
)
def test_an_entry_called_closed_stands_below_the_one_in_use(text: str, first: str) -> None:
    entries = find_entries(text, MARK)
    ranked = rank_entries([(text, [(entry.start, entry) for entry in entries])])
    assert [value for value, _ in ranked] == [first, *({"aa1.b2.test", "cc3.d4.test"} - {first})]
    assert ranked[0][1] > ranked[1][1]


@given(st.text(alphabet="ka8.．。\n κω＊😀test点-" + MARK, max_size=60))
def test_whatever_is_found_is_an_entry_and_entries_do_not_overlap(text: str) -> None:
    entries = find_entries(text, MARK)
    assert all(left.stop <= right.start for left, right in pairwise(entries))
    for entry in entries:
        assert len(entry.others) < MAX_CANDIDATES
        labels = entry.value.split(".")
        assert len(labels) == 3
        assert labels[2] == "test"
        if not any(label.startswith("-") or label.endswith("-") for label in labels):
            assert is_entry(entry.value)
