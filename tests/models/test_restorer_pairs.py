"""Pairs worked out by hand: what a message became, and what it was; six recipes, all platforms."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.models.restorer import RulesRestorer

_FILE = Path(__file__).with_name("restorer_pairs.toml")
PAIRS: list[dict[str, str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["pairs"]


@pytest.fixture(scope="module")
def restorer() -> RulesRestorer:
    return RulesRestorer()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['recipe']}-{pair['meant'][:12]}")
def test_restores_what_was_meant(restorer: RulesRestorer, pair: dict[str, str]) -> None:
    task = RestorationTask(
        sample_id="s",
        platform=pair["platform"],
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content=pair["written"]),),
    )
    restored = restorer.restore(task)
    assert restored.messages[0].text == pair["meant"]
    entry = pair.get("entry")
    assert [c.value for c in restored.candidates][:1] == ([entry] if entry else [])
    assert restored.abstain is (entry is None)


def test_sixty_pairs_cover_the_six_recipes_on_all_platforms() -> None:
    assert len(PAIRS) >= 60
    assert len({pair["platform"] for pair in PAIRS}) >= 8
    assert {pair["recipe"] for pair in PAIRS} >= {
        "primary",
        "phonetic",
        "encoded",
        "lexical",
        "few_lines",
        "vertical",
    }
