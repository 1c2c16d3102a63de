"""The words of the workbench by language."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

LANGUAGES = ("en", "zh")
Translate = Callable[..., str]


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    file = resources.files("riskchainbench.annotation.web") / "strings.toml"
    found: dict[str, Mapping[str, str]] = {}
    _flatten("", tomllib.loads(file.read_text(encoding="utf-8"))["text"], found)
    return found


def _flatten(prefix: str, node: Mapping[str, object], found: dict[str, Mapping[str, str]]) -> None:
    for key, value in node.items():
        assert isinstance(value, Mapping)
        if "en" in value:
            found[prefix + key] = value
        else:
            _flatten(f"{prefix}{key}.", value, found)


def keys() -> frozenset[str]:
    """Return every key that has words."""
    return frozenset(_table())


def anchor_name(anchor: str, language: str) -> str:
    """Return the words for an evidence anchor; another codebook's own are read off its id."""
    known = _table().get(f"anchor.{anchor}")
    return known[language] if known is not None else anchor.replace("_", " ").lower()


def translator(language: str) -> Translate:
    """Return a function from a key, and values for its gaps, to words."""

    def translate(key: str, **values: object) -> str:
        return _table()[key][language].format(**values)

    return translate


def codebook_language(language: str, available: tuple[str, ...]) -> str:
    """Return the codebook's language that comes nearest to the interface's."""
    for tag in available:
        if tag == language or tag.startswith(f"{language}-"):
            return tag
    return available[0]
