"""Every word that a report may need exists, in both languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import pytest

from riskchainbench.bundle import Bundle, open_gold
from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import FailureClass, Owner
from riskchainbench.core.investigation import (
    ActionKind,
    ElementKind,
    Ending,
    EventKind,
    OutcomeStatus,
)
from riskchainbench.core.restoration import Intent, Surface
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.reporting.strings import LANGUAGES, all_strings
from riskchainbench.scoring.catalogue import CATALOGUE
from riskchainbench.scoring.outcomes import EvidenceOutcome, FirstFailure
from riskchainbench.scoring.records import Completeness, IntervalKind, WarningKey


def test_every_reason_that_scores_give_is_told_in_every_language() -> None:
    rooms = [resources.files(f"riskchainbench.{room}") for room in ("scoring", "statistics")]
    sources = [
        file.read_text("utf-8") for room in rooms for file in room.iterdir() if file.is_file()
    ]
    reasons = {found for source in sources for found in re.findall(r'[^"]"(no [^"{;]+)"', source)}
    reasons |= {f"no website has gold {decision}" for decision in Decision}

    assert len(reasons) > 20
    assert {each for each in reasons if f"said.{each}" not in all_strings()} == set()


def test_every_text_exists_in_both_languages_with_the_same_values() -> None:
    for key, texts in all_strings().items():
        assert set(texts) == set(LANGUAGES), key
        values = [sorted(re.findall(r"\{(\w+)\}", texts[language])) for language in LANGUAGES]
        assert values[0] == values[1], key


def test_every_text_that_a_script_asks_for_exists() -> None:
    data = Path(__file__).parents[2] / "src" / "riskchainbench" / "reporting" / "data"
    asked = {
        key
        for path in sorted(data.glob("*.js"))
        for key in re.findall(r'\btext\("([a-z_.]+)"[,)]', path.read_text("utf-8"))
    }

    assert len(asked) > 40
    assert sorted(asked - set(all_strings())) == []


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("action", ActionKind),
        ("element", ElementKind),
        ("ending", Ending),
        ("ending_name", Ending),
        ("event", EventKind),
        ("evidence_outcome", EvidenceOutcome),
        ("failure", FailureClass),
        ("intent", Intent),
        ("outcome", FirstFailure),
        ("owner", Owner),
        ("status", OutcomeStatus),
        ("surface", Surface),
        ("interval", IntervalKind),
        ("completeness", Completeness),
        ("column", [info.title_key for info in CATALOGUE]),
    ],
)
def test_every_name_of_a_closed_set_has_words(group: str, names: Iterable[str]) -> None:
    assert [name for name in names if f"{group}.{name}" not in all_strings()] == []


def test_every_name_in_the_data_of_the_generator_has_words() -> None:
    websites = resources.files("riskchainbench.websites") / "data" / "scenarios"
    scenarios = [tomllib.loads(file.read_text("utf-8")) for file in websites.iterdir()]
    sources = resources.files("riskchainbench.messages") / "data" / "sources"
    recipes = (*PAPER_RECIPES, *EXTENDED_RECIPES)
    names = {f"topic.{each['topic']}" for each in scenarios}
    names |= {f"form.{form}" for each in scenarios for form in each["forms"]}
    names |= {f"theme.{file.name.removesuffix('.toml')}" for file in sources.iterdir()}
    names |= {f"recipe.{recipe.recipe_id}" for recipe in recipes}
    names |= {f"operator.{step.operator}" for recipe in recipes for step in recipe.steps}

    assert len(names) > 90
    assert sorted(names - set(all_strings()) - {"theme._shared"}) == []


def test_every_rule_of_a_trace_has_words(demo_bundle: Bundle) -> None:
    traces = open_gold(demo_bundle).traces.values()
    rules = {edit.rule for trace in traces for stage in trace.stages for edit in stage.edits}

    assert len(rules) > 10
    assert sorted(rule for rule in rules if f"rule.{rule}" not in all_strings()) == []


def test_every_warning_has_a_title_and_a_text() -> None:
    keys = {f"warning.{key}.{part}" for key in WarningKey for part in ("title", "text")}

    assert sorted(keys - set(all_strings())) == []
