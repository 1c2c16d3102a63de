"""The small invented investigations that the check is made of, in each language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from pydantic import Field

from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.record import Record

LANGUAGES = ("zh-CN", "en")


class Page(Record):
    """One page as it was seen.

    The decision rests on the words `shown`. `invented` stands on no page; `beside` stands on this
    one and shows nothing.
    """

    title: str
    controls: tuple[str, ...]
    opened_by: str | None = None
    shown: str
    more: str
    beside: str
    invented: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentences of the page, in their order."""
        return (self.shown, self.more, self.beside)


class Scenario(Record):
    """One invented investigation of two pages, and what is concluded from it.

    `says` is what each page is said to show, `sum` what that makes; `narrow` ends a rationale
    drawn after the first page alone, `contradiction` is one that leads to another decision.
    """

    id: str
    decision: Decision
    violation_type: str
    confidence: float
    says: tuple[str, str]
    sum: str
    narrow: str
    contradiction: str
    page: tuple[Page, ...] = Field(min_length=2, max_length=2)


class Scenarios(Record):
    """All scenarios of one language.

    A `statement` quotes one step; `between` and `stop` stand between statements and sentences.
    `injection` speaks to the judge, `padding` says nothing.
    """

    statement: str
    between: str
    stop: str
    injection: str
    padding: str
    scenario: tuple[Scenario, ...]

    def rationale(self, scenario: Scenario, quotes: tuple[str, ...], end: str) -> str:
        """Return a rationale that quotes the first pages, one quote each."""
        told = [
            self.statement.format(step=step, says=scenario.says[step], quote=quote)
            for step, quote in enumerate(quotes)
        ]
        return self.between.join([*told, end])

    def text(self, page: Page) -> str:
        """Return the page's text."""
        return self.stop.join([page.title, *page.lines, ""]).strip()


@cache
def _file(language: str) -> str:
    folder = resources.files("riskchainbench.judging") / "data"
    return (folder / f"check.{language}.toml").read_text(encoding="utf-8")


@cache
def scenarios(language: str) -> Scenarios:
    """Return the scenarios in `language`."""
    return Scenarios.model_validate(tomllib.loads(_file(language)))


def scenarios_sha256() -> Sha256:
    """Return the identity of all scenarios."""
    return sha256_text("\x1f".join(map(_file, LANGUAGES)))
