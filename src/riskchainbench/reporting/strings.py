"""The words of the report in every language it speaks, from ``data/strings.toml``.

Names that other rooms may add to (metrics, strata) fall back to a readable form of their id;
every other missing word is an error.
"""

from __future__ import annotations

import tomllib
from functools import cache, partial
from importlib import resources
from typing import Any

from riskchainbench.reporting.tables import Term, Translate
from riskchainbench.scoring.catalogue import FAILED

LANGUAGES = ("en", "zh")
HTML_LANGUAGE = {"en": "en", "zh": "zh-CN"}


@cache
def all_strings() -> dict[str, dict[str, str]]:
    """Return every text as key → language → words; keys are dotted."""
    file = resources.files("riskchainbench.reporting") / "data" / "strings.toml"
    found: dict[str, dict[str, str]] = {}
    _flatten("", tomllib.loads(file.read_text(encoding="utf-8")), found)
    for key in [key for key in found if key.startswith(SAID)]:
        words = found.pop(key)
        found[SAID + words["en"]] = words
    for key, words in [item for item in found.items() if item[0].startswith("operator.")]:
        # A recipe of one operator bears its name.
        found.setdefault(f"recipe.{key.removeprefix('operator.')}", words)
    for key, words in [item for item in found.items() if item[0].startswith("failure.")]:
        name = key.removeprefix("failure.")
        found[f"column.{FAILED}{name}"] = {
            language: found["column.failed"][language].format(failure=words[language])
            for language in LANGUAGES
        }
    return found


def _flatten(prefix: str, node: dict[str, Any], found: dict[str, dict[str, str]]) -> None:
    if node and all(isinstance(part, str) for part in node.values()):
        found[prefix] = {language: node[language] for language in LANGUAGES}
        return
    for key, part in node.items():
        _flatten(f"{prefix}.{key}" if prefix else key, part, found)


SAID = "said."
"""Begins the key of a phrase that is told by its English words, or is a name and stays."""

CLOSED_GROUPS = frozenset(
    {"page", "section", "intro", "head", "note", "viewer", "cases", "messages"}
)
"""Groups of whole sentences; a key that is missing here is a mistake."""


def text(language: str, key: str, **values: object) -> str:
    """Return the words for `key`, with `values` filled in; a `Term` among them is translated.

    Raises:
        KeyError: there is no such text, in a group that is closed.
    """
    found = all_strings().get(key)
    if found is None and key.startswith(SAID):
        return key.removeprefix(SAID)
    if found is None:
        group, _, name = key.partition(".")
        if group in CLOSED_GROUPS:
            raise KeyError(key)
        return name.rpartition(".")[2].replace("_", " ")
    if not values:
        return found[language]
    filled = {
        name: text(language, value.key) if isinstance(value, Term) else value
        for name, value in values.items()
    }
    return found[language].format(**filled)


def source_key(source: str) -> str:
    """Return the key of the words for a source of labels."""
    return f"label_source.{source.replace(', ', '_').replace(' ', '_')}"


def translator(language: str) -> Translate:
    """Return `text` for one language."""
    return partial(text, language)
