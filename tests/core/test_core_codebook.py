"""The codebook is data, closed and complete in each of its languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from riskchainbench.core.codebook import Role, default_codebook, load_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError

NINE = {
    "FRAUD_DECEPTIVE_INDUCEMENT",
    "PHISHING_CREDENTIAL_THEFT",
    "IMPERSONATION_FAKE_SERVICE",
    "INVESTMENT_FINANCIAL_FRAUD",
    "GAMBLING_BETTING_PROMOTION",
    "CONTROLLED_SUBSTANCE_PROMOTION",
    "ADULT_CONTENT_OR_SEXUAL_SERVICE",
    "MALWARE_SUSPICIOUS_DOWNLOAD",
    "OTHER_PROHIBITED_ACTIVITY",
}


def test_the_default_codebook_has_the_nine_types() -> None:
    assert set(default_codebook().type_ids) == NINE


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_whole_codebook_is_rendered(language: str) -> None:
    codebook = default_codebook()
    text = codebook.render(language)
    for kind in codebook.types:
        assert kind.minimum_evidence[language] in text
        assert kind.exclusions[language] in text


def test_a_missing_language_is_named() -> None:
    with pytest.raises(InputError, match="no text in fr"):
        default_codebook().render("fr")


def test_complete_sets_decide_the_types() -> None:
    codebook = default_codebook()
    assert codebook.complete_types(["GAMBLING_BET_OFFER"]) == ()
    assert codebook.complete_types(["GAMBLING_BET_OFFER", "GAMBLING_STAKE_OR_PAYOUT"]) == (
        "GAMBLING_BETTING_PROMOTION",
    )
    assert codebook.complete_types(["ADULT_CONTENT_SHOWN"]) == ("ADULT_CONTENT_OR_SEXUAL_SERVICE",)


@pytest.mark.parametrize(
    ("decision", "violation_type", "fits"),
    [
        (Decision.VIOLATION, "GAMBLING_BETTING_PROMOTION", True),
        (Decision.VIOLATION, "NONE", False),
        (Decision.VIOLATION, "UNHEARD_OF", False),
        (Decision.NON_VIOLATION, "NONE", True),
        (Decision.NON_VIOLATION, "UNKNOWN", False),
        (Decision.INSUFFICIENT_EVIDENCE, "UNKNOWN", True),
    ],
)
def test_types_that_fit_decisions(decision: Decision, violation_type: str, fits: bool) -> None:
    assert default_codebook().fits(decision, violation_type) is fits


def test_a_type_without_its_component_is_refused(repository: Path, tmp_path: Path) -> None:
    source = repository / "src/riskchainbench/core/data/codebook.toml"
    text = source.read_text(encoding="utf-8").replace(
        'component_id = "GAMBLING_BET_OFFER"', 'component_id = "SOMETHING_ELSE"'
    )
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.toml: .*GAMBLING_BET_OFFER"):
        load_codebook(path)


def test_benign_and_counter_evidence_have_roles_of_their_own() -> None:
    codebook = default_codebook()
    assert codebook.with_role(Role.BENIGN) == {"BENIGN_SERVICE"}
    assert codebook.with_role(Role.COUNTER) == {"COUNTER_EVIDENCE"}
