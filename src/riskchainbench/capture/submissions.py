"""What was sent when a capture was made, and the conditions under which a form answers alike."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from riskchainbench.capture.exchange import Exchange
from riskchainbench.websites.records import FieldTest
from riskchainbench.websites.step import MAX_FIELD_LENGTH

_MAX_FIELDS = 200
NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_]*$")


@dataclass(frozen=True)
class Observation:
    """One submission: the fields that were sent, under their names here, and where it led."""

    fields: Mapping[str, str]
    outcome: str


def sent_fields(exchange: Exchange) -> dict[str, str]:
    """Return the fields of a request's body: a form, a multipart form, or flat JSON."""
    kind = exchange.sent_type.split(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return _multipart(exchange)
    text = exchange.sent.decode("utf-8", "replace")
    if kind.endswith("json") or (not kind and text.startswith("{")):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        if not isinstance(value, dict):
            return {}
        return {str(k): _plain(v) for k, v in value.items() if not isinstance(v, dict | list)}
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        return {}


def query_fields(url: str) -> dict[str, str]:
    """Return the fields of a URL's query; none if there are too many to be a form's."""
    try:
        query = urlsplit(url).query
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        return {}


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


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _multipart(exchange: Exchange) -> dict[str, str]:
    head = f"Content-Type: {exchange.sent_type}\r\n\r\n".encode("latin-1", "replace")
    message = email.message_from_bytes(head + exchange.sent, policy=email.policy.compat32)
    found: dict[str, str] = {}
    for part in message.walk():
        name = part.get_param("name", header="content-disposition")
        if isinstance(name, str) and not part.is_multipart() and len(found) < _MAX_FIELDS:
            body = part.get_payload(decode=True)
            plain = isinstance(body, bytes) and part.get_filename() is None
            found[name] = body.decode("utf-8", "replace") if plain else ""  # type: ignore[union-attr]
    return found
