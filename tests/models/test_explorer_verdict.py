"""What the rules explorer concludes from what it saw."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest
from explorer_site import CODEBOOK, VIEWPORT, Control, Page, Site, conclude, explore, one_page

import riskchainbench.models.explorer as package
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.conclusion import BoxLocator, ElementLocator, QuoteLocator
from riskchainbench.core.decisions import Decision
from riskchainbench.core.investigation import ElementKind
from riskchainbench.core.text import folded, letters_and_digits

V, N, U = Decision.VIOLATION, Decision.NON_VIOLATION, Decision.INSUFFICIENT_EVIDENCE

PAGES = tomllib.loads((Path(__file__).parent / "explorer_pages.toml").read_text(encoding="utf-8"))
VIOLATIONS = [(page["type"], page["text"]) for page in PAGES["violation"]]
HARD_NEGATIVES = [(page["title"], page["text"]) for page in PAGES["benign"]]
UNDECIDED = [(page["title"], page["text"]) for page in PAGES["undecided"]]


@pytest.mark.parametrize(("expected", "text"), VIOLATIONS)
def test_a_complete_set_on_the_first_page_is_a_violation(expected: str, text: str) -> None:
    conclusion = one_page(text)
    assert (conclusion.decision, conclusion.violation_type) == (V, expected)


@pytest.mark.parametrize(("title", "text"), HARD_NEGATIVES)
def test_a_hard_negative_is_no_violation(title: str, text: str) -> None:
    assert one_page(text, title).decision is N


@pytest.mark.parametrize(("title", "text"), UNDECIDED)
def test_a_site_that_shows_too_little_is_insufficient(title: str, text: str) -> None:
    assert one_page(text, title).decision is U


def test_evidence_split_over_pages_is_put_together_and_cited_where_it_stands() -> None:
    site = Site(
        {
            "home": Page(
                "大厅", ("欢迎来到本站。今日赛事：立即投注。",), (Control("钱包", to="wallet"),)
            ),
            "wallet": Page("钱包", ("余额 0", "单注最低10元，奖金提现到银行卡。")),
        }
    )
    steps = explore(site)
    conclusion = conclude(steps)
    assert conclusion.violation_type == "GAMBLING_BETTING_PROMOTION"
    cited = {(ref.step, ref.locator.text) for ref in conclusion.evidence}
    assert cited == {(0, "今日赛事：立即投注。"), (2, "单注最低10元，奖金提现到银行卡。")}


def test_one_component_alone_is_insufficient() -> None:
    assert one_page("立即投注。").decision is U


def test_every_quote_stands_in_its_step() -> None:
    for _, text in VIOLATIONS:
        site = Site({"home": Page("页", (text, "second screen"))})
        steps = explore(site)
        for reference in conclude(steps).evidence:
            assert isinstance(reference.locator, QuoteLocator)
            observed = folded(steps[reference.step].observation.text)
            assert reference.locator.text in observed
            assert letters_and_digits(reference.locator.text) >= 4


def test_words_on_a_control_are_cited_by_its_id() -> None:
    controls = (
        Control("Password", ElementKind.FIELD),
        Control("Send", ElementKind.SUBMIT),
    )
    conclusion = one_page("Unusual activity: verify your account.", "Desk", controls)
    assert conclusion.violation_type == "PHISHING_CREDENTIAL_THEFT"
    assert ElementLocator(element_id="v1-0") in [ref.locator for ref in conclusion.evidence]


def test_with_nothing_to_cite_the_whole_first_viewport_is() -> None:
    (reference,) = one_page("", "").evidence
    assert reference.step == 0
    assert reference.locator == BoxLocator(x=0, y=0, width=VIEWPORT[0], height=VIEWPORT[1])


def test_a_long_quote_is_cut_to_words_that_stand_there() -> None:
    text = "x y " * 100 + "place your bet now, minimum stake 5 " + "z w " * 100
    conclusion = one_page(text)
    assert conclusion.decision is V
    assert all(len(ref.locator.text) <= 160 for ref in conclusion.evidence)
    assert all(ref.locator.text in folded(text) for ref in conclusion.evidence)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["1", "enter ", "请填写", "account 1 "])
def test_text_made_to_stall_a_search_is_read(piece: str) -> None:
    assert one_page(piece * 5_000).decision is U


def test_another_codebook_is_never_answered_with_foreign_types() -> None:
    small = Codebook.model_validate(
        {
            **CODEBOOK.model_dump(mode="json"),
            "codebook_id": "small",
            "types": [
                {
                    "type_id": "NOISE",
                    "name": {"zh-CN": "噪声", "en": "noise"},
                    "minimum_evidence": {"zh-CN": "噪声", "en": "noise"},
                    "exclusions": {"zh-CN": "无", "en": "none"},
                    "complete_sets": [["LOUD"]],
                }
            ],
            "components": [
                {
                    "component_id": "LOUD",
                    "role": "violation",
                    "anchor": "OTHER_OBSERVED_EVIDENCE",
                    "text": {"zh-CN": "响", "en": "loud"},
                }
            ],
        }
    )
    steps = explore(Site({"home": Page("Play", ("Place your bet. Minimum stake 5.",))}))
    assert conclude(steps).decision is V
    assert conclude(steps, small).decision is U


def test_confidence_is_lower_where_less_was_seen() -> None:
    text = "立即投注。单注最低10元。"
    controls = tuple(Control(f"栏目{letter}") for letter in "甲乙丙丁戊己庚辛")
    assert one_page(text).confidence > one_page(text, controls=controls).confidence


def test_the_rationale_is_in_the_language_of_the_evidence() -> None:
    assert "the website itself" in one_page(VIOLATIONS[1][1]).rationale.lower()
    assert "网站自身" in one_page(VIOLATIONS[0][1]).rationale


def test_the_explorer_imports_neither_messages_nor_websites() -> None:
    folder = Path(package.__file__).parent
    imported = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
    ours = {name for name in imported if name.startswith("riskchainbench")}
    allowed = ("riskchainbench.core", "riskchainbench.models.explorer")
    assert ours
    assert all(name.startswith(allowed) for name in ours)


def test_the_words_stand_in_the_explorers_own_folder() -> None:
    source = (Path(package.__file__).parent / "lexicon.py").read_text(encoding="utf-8")
    assert 'resources.files("riskchainbench.models.explorer")' in source
    assert source.count("resources.files(") == 1
