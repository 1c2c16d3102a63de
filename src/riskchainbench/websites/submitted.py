"""The fields of what a browser sends: a form, a multipart form, or JSON.

The sandbox reads requests with it and the compiler of captures reads recorded ones, so that
both find the same fields.
"""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl

MAX_FIELDS = 200
"""Fields of one request that are read; more are no form's."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]+")


def field_name(name: str) -> str:
    """Return the name that a transition knows a field by; most names are their own."""
    plain = _NOT_IN_NAMES.sub("_", name)
    return plain if plain[:1].isascii() and plain[:1].isalpha() else f"f_{plain}"


def body_fields(body: bytes, kind: str) -> dict[str, str]:
    """Return the fields of a request's body under their own names, of equal ones the last.

    JSON is read as far as it is an object: what stands inside another is named by both names,
    ``{"a": {"b": 1}}`` as ``a_b``.

    Args:
        body: what was sent.
        kind: its media type with parameters; without one, an object of JSON is told by its brace.
    """
    media = kind.split(";")[0].strip().lower()
    if media == "multipart/form-data":
        return _multipart(body, kind)
    text = body.decode("utf-8", "replace")
    if media.endswith("json") or (media in ("", "text/plain") and text.lstrip().startswith("{")):
        return _json(text)
    return form_fields(text)


def form_fields(text: str) -> dict[str, str]:
    """Return the fields of a query or of a form's body; none if there are too many."""
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        return {}


def named(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields under the names that transitions know them by."""
    return {field_name(name): value for name, value in fields.items()}


def _json(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        value = json.loads(text)
        if isinstance(value, dict):
            for name, plain in _walked(value, ""):
                if len(found) == MAX_FIELDS:
                    return {}
                found[name] = plain
    except (ValueError, RecursionError):
        return {}
    return found


def _walked(value: object, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walked(inner, f"{name}_{key}" if name else str(key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _walked(inner, f"{name}_{number}")
    elif isinstance(value, bool):
        yield name, "true" if value else "false"
    else:
        yield name, "" if value is None else str(value)


def _multipart(body: bytes, kind: str) -> dict[str, str]:
    head = f"Content-Type: {kind}\r\n\r\n".encode("latin-1", "replace")
    message = email.message_from_bytes(head + body, policy=email.policy.compat32)
    found: dict[str, str] = {}
    for part in message.walk():
        name = part.get_param("name", header="content-disposition")
        if isinstance(name, str) and not part.is_multipart() and len(found) < MAX_FIELDS:
            value = part.get_payload(decode=True)
            plain = isinstance(value, bytes) and part.get_filename() is None
            found[name] = value.decode("utf-8", "replace") if plain else ""  # type: ignore[union-attr]
    return found
