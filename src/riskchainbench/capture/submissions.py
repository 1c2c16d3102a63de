"""What was sent when a capture was made, and the conditions under which a form answers alike."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from riskchainbench.capture.exchange import Exchange
from riskchainbench.websites.records import FieldTest
from riskchainbench.websites.step import MAX_FIELD_LENGTH
from riskchainbench.websites.submitted import body_fields, form_fields

_FLEETING = re.compile(r"^(?:1\d{9}(?:\.\d+|\d{3})?|[0-9a-f-]{16,64}|0\.\d{6,})$", re.I)
NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_]*$")


@dataclass(frozen=True)
class Observation:
    """One submission: the fields that were sent, under their names here, and where it led."""

    fields: Mapping[str, str]
    outcome: str


def sent_fields(exchange: Exchange) -> dict[str, str]:
    """Return the fields of a request's body: a form, a multipart form, or JSON."""
    return body_fields(exchange.sent, exchange.sent_type)


def query_fields(url: str) -> dict[str, str]:
    """Return the fields of a URL's query; none if there are too many to be a form's."""
    try:
        return form_fields(urlsplit(url).query)
    except ValueError:
        return {}


def lasting(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields without times and drawn numbers, which no second visit sends again."""
    return {name: value for name, value in fields.items() if not _FLEETING.match(value)}


def guards(
    observations: Sequence[Observation], typed: frozenset[str]
) -> list[dict[str, FieldTest]]:
    """Return the condition of each observation: as wide as tells it from the others.

    A field whose value differs between observations that led elsewhere has to hold its value;
    a field that a person types (`typed`) has to be filled in where it was.
    """
    names = sorted({name for each in observations for name in each.fields if NAME.match(name)})
    outcomes = {each.outcome for each in observations}
    telling = {
        name
        for name in names
        if len(outcomes) > 1 and len({each.fields.get(name, "") for each in observations}) > 1
    }
    found: list[dict[str, FieldTest]] = []
    for each in observations:
        tests: dict[str, FieldTest] = {}
        for name in names:
            value = each.fields.get(name, "")[:MAX_FIELD_LENGTH]
            if name in telling:
                tests[name] = FieldTest(one_of=(value,))
            elif name in typed and value.strip():
                tests[name] = FieldTest()
        found.append(tests)
    return found
