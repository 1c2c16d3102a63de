"""What names somebody is replaced, everywhere and each time alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from captures import ORIGIN, Sent
from hypothesis import given, settings
from hypothesis import strategies as st
from walking import compiled

from riskchainbench.capture.masking import Masker
from riskchainbench.capture.opaque import opaque
from riskchainbench.capture.policy import Scripts
from riskchainbench.messages.identifiers import find_live_identifiers


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Visit WWW.Acme-Shop.com now", "Visit host1.test now"),
        (
            "a@b.com and A@b.com, c@d.org",
            "person1@mail.test and person1@mail.test, person2@mail.test",
        ),
        ("13800138000 / 138 0013 8000", "100-0000-0001 / 100-0000-0001"),
        ("card 4111 1111 1111 1111!", "card 0000 0000 0000 0001!"),
        ("id 11010519491231002X.", "id 000000000000000001."),
        ("0x" + "ab" * 20, "w0001"),
        ("QQ：123456789", "a0001"),
        ("Ask Ann Example.", "Ask Name1."),
        ("１３８００１３８０００", "100-0000-0001"),
        ("price 1,299.00 on 2026-01-02, 10:30", "price 1,299.00 on 2026-01-02, 10:30"),
        ("version 1.2.3 of file.txt", "version 1.2.3 of file.txt"),
        ("write to person@mail.test", "write to person@mail.test"),
    ],
)
def test_originals_are_replaced(text: str, masked: str) -> None:
    masker = Masker(["www.acme-shop.com"], ["Ann Example"])
    assert masker.text(text) == masked
    assert not masker.left


def test_a_short_name_is_a_word_and_a_long_one_is_found_anywhere() -> None:
    masker = Masker([], ["Ng", "Ann Example", "王五"])
    assert masker.text("Ng sings, 王五先生, toAnnExample") == "Name1 sings, Name2先生, toName3"


@given(st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_masking_leaves_no_live_identifier_unreported(text: str) -> None:
    masker = Masker()
    out = masker.text(text + " 13912345678 x@y.com http://real-name.com/a")
    assert not find_live_identifiers(out) or masker.left


def test_nothing_that_names_somebody_stays_in_a_kept_page(tmp_path: Path) -> None:
    page = (
        b"<title>t</title><style>#u13912345678{color:red}</style>"
        b"<b id=u13912345678 class='x a@b-mail.org' title=a@b-mail.org"
        b' data-m=\'{"m":"a@b-mail.org"}\' onclick="mail(\'a@b-mail.org\')">x</b>'
        b'<script type=application/json>{"mail":"a@b-mail.org","n":1}</script><textarea>13912345678'
        b"</textarea><select><option value=13912345678>a@b-mail.org</select><script>var m = "
        b"'a@b-mail.org'</script><svg><title>a@b-mail.org</title></svg><!-- a@b-mail.org -->"
        b'<img alt=a@b-mail.org src="data:image/svg+xml,<svg><text>13912345678</text></svg>">'
    )
    found = compiled(Sent("/", page), path=tmp_path, scripts=Scripts.KEEP)
    files = b"\n".join(found.loaded.files.values()).decode()
    assert "b-mail" not in files
    assert "13912345678" not in files
    assert '{"mail":"person1@mail.test","n":1}' in files
    assert "#u100-0000-0001{" in files
    assert 'id="u100-0000-0001"' in files


def test_no_name_of_a_file_is_taken_for_a_number(tmp_path: Path) -> None:
    names = [opaque(str(number)) for number in range(3000)]
    assert len(set(names)) == len(names)
    masker = Masker()
    assert [
        name for name in names if masker.code(f"url(/a{name}.png)") != f"url(/a{name}.png)"
    ] == []


def test_words_in_a_drawing_are_masked_as_text_is(tmp_path: Path) -> None:
    drawn = "<svg xmlns='http://www.w3.org/2000/svg'><text>QQ：123456789</text></svg>".encode()
    found = compiled(
        Sent("/", b"<title>t</title><img src=a.svg>"),
        Sent("/a.svg", drawn, "image/svg+xml"),
        path=tmp_path,
    )
    assert b"123456789" not in b"".join(found.loaded.files.values())
    assert found.masked == {"account": 1}


def test_remarks_before_and_behind_a_page_go(tmp_path: Path) -> None:
    remark = f"<!-- saved from {ORIGIN}/ -->"
    page = f"{remark}<!DOCTYPE html>{remark}<html>{remark}<title>t</title><p>x</html>{remark}"
    found = compiled(Sent("/", page.encode()), path=tmp_path)
    (body,) = found.loaded.files.values()
    assert b"<!--" not in body
    assert b"<!DOCTYPE html><html>" in body
