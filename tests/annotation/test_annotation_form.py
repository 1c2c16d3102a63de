"""What a judgment must hold before it is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotation_world import V2, N, U, V
from pydantic import ValidationError

from riskchainbench.annotation.form import problems
from riskchainbench.annotation.records import Pin
from riskchainbench.annotation.simulate import judgment_of
from riskchainbench.core.codebook import default_codebook, load_codebook
from riskchainbench.core.decisions import Decision

BOOK = default_codebook()
BET = Pin(anchor="GAMBLING_ADULT_OR_DRUG_OFFER", component_id="GAMBLING_BET_OFFER")
STAKE = Pin(anchor="PAYMENT_RECHARGE_OR_TRANSFER", component_id="GAMBLING_STAKE_OR_PAYOUT")
OTHER = (Decision.VIOLATION, "OTHER_PROHIBITED_ACTIVITY")
FACT = Pin(anchor="OTHER_OBSERVED_EVIDENCE", component_id="OTHER_PROHIBITED_FACT")


def found(label, **changes):
    return [p.key for p in problems(judgment_of(*label, BOOK).but(**changes), BOOK)]


@pytest.mark.parametrize("label", [V, V2, N, U, OTHER])
def test_complete_judgments_pass(label):
    assert found(label) == []


@pytest.mark.parametrize(
    ("label", "changes", "expected"),
    [
        (V, {"pins": ()}, ["problem.no_pin", "problem.two_facts"]),
        (N, {"pins": ()}, ["problem.no_pin"]),
        (V, {"pins": (BET,)}, ["problem.two_facts"]),
        (V, {"pins": (BET, BET)}, ["problem.incomplete"]),
        (V, {"pins": (BET, STAKE)}, []),
        (V, {"pins": (BET, STAKE, Pin(anchor="NO_SUCH"))}, ["problem.pin"]),
        (N, {"violation_type": "GAMBLING_BETTING_PROMOTION"}, ["problem.type"]),
        (V, {"violation_type": "NONE"}, ["problem.type"]),
        (V, {"secondary_types": ("GAMBLING_BETTING_PROMOTION",)}, ["problem.secondary"]),
        (N, {"secondary_types": ("PHISHING_CREDENTIAL_THEFT",)}, ["problem.secondary"]),
        (V, {"secondary_types": ("PHISHING_CREDENTIAL_THEFT",)}, []),
        (OTHER, {"pins": (FACT,), "note": " "}, ["problem.note"]),
        (OTHER, {"pins": (FACT,), "note": "sells examination answers"}, []),
        (OTHER, {"pins": (BET,), "note": "odd"}, ["problem.one_fact"]),
    ],
)
def test_what_is_missing_is_named(label, changes, expected):
    assert found(label, **changes) == expected


@pytest.mark.parametrize("confidence", [0, 6])
def test_confidence_runs_from_one_to_five(confidence):
    with pytest.raises(ValidationError):
        judgment_of(*N, BOOK).but(confidence=confidence)


def test_another_codebook_asks_for_its_own_components(repository: Path):
    book = load_codebook(repository / "tests/data/codebook_small.toml")
    for kind in book.type_ids:
        judged = judgment_of(Decision.VIOLATION, kind, book)
        assert problems(judged, book) == ()
    assert problems(judgment_of(*N, BOOK), book)[0].key == "problem.pin"
