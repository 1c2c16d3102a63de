"""What the words of the websites may never say, whichever draw is made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from riskchainbench.websites.texts import scenarios

ADULT = {"ADULT_CONTENT_SHOWN", "ADULT_SOLICITATION", "ADULT_CONTACT_OR_PAYMENT"}
YOUTH = re.compile(
    r"\b(minors?|under-?age|teen\w*|schoolgirls?|young(er|est)? (girls?|boys?|ones?)|"
    r"look(s|ing)? younger|menor(es)?|adolescentes?|anak-anak|di bawah umur)\b"
    r"|未成年|少女|学生妹|學生妹|幼|萝莉|蘿莉|看着.{0,2}小|女子高生|미성년|여고생|"
    r"chưa đủ tuổi|vị thành niên|เด็ก|วัยรุ่น",
    re.IGNORECASE,
)
LIVE = re.compile(r"https?://|www\.|[\w.]+@[\w.]+\.\w|\b\d{3}[- ]?\d{4}[- ]?\d{4}\b")


def texts(repository: Path) -> list[Path]:
    folder = repository / "src/riskchainbench/websites/data/texts"
    found = sorted(folder.rglob("*.toml"))
    assert found
    return found


def adult_scenarios() -> set[str]:
    return {found.scenario for found in scenarios() if ADULT & set(found.components.values())}


def test_some_scenarios_are_adult() -> None:
    assert adult_scenarios()


def test_adult_scenarios_never_speak_of_youth(repository: Path) -> None:
    named = adult_scenarios()
    wrong = [
        f"{path.parent.name}/{path.name}: {found[0]}"
        for path in texts(repository)
        if path.name.split(".")[0] in named
        for found in YOUTH.finditer(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_no_text_holds_a_live_address_or_number(repository: Path) -> None:
    wrong = [
        f"{path.parent.name}/{path.name}: {found[0]}"
        for path in texts(repository)
        for found in LIVE.finditer(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "words", ["they look younger", "only minors", "未成年人", "teenagers", "เด็ก", "미성년자"]
)
def test_the_pattern_finds_what_it_is_for(words: str) -> None:
    assert YOUTH.search(words)
