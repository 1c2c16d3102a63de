"""JSON Schemas of the output contracts, for providers that can be held to one.

Every string and list is bounded, since small models otherwise write until the token limit.
The parser stays the judge of every reply; a schema only makes a valid one likelier.
"""

from __future__ import annotations

from typing import Any

from riskchainbench.core.conclusion import MAX_REFERENCES
from riskchainbench.core.decisions import RESERVED_TYPES, Decision
from riskchainbench.core.investigation import ActionKind
from riskchainbench.core.restoration import MAX_CANDIDATES, Intent
from riskchainbench.core.system import (
    ActionRequest,
    AnyRequest,
    ConclusionRequest,
    RestorationRequest,
)
from riskchainbench.models.provider.client import ReplySchema

_NUMBER = {"type": "number"}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_INTEGER = {"type": "integer", "minimum": 0}


def text(longest: int) -> dict[str, Any]:
    """Return the schema of a string."""
    return {"type": "string", "maxLength": longest}


def listed(items: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": items, "maxItems": most}


def closed(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    """Return the schema of an object with these properties, all but `optional` required."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _or_null(longest: int) -> dict[str, Any]:
    return {"type": ["string", "null"], "maxLength": longest}


def _constant(value: str) -> dict[str, Any]:
    return {"type": "string", "enum": [value]}


_CANDIDATE = closed(
    {
        "rank": {"type": "integer", "minimum": 1, "maximum": MAX_CANDIDATES},
        "value": text(200),
        "confidence": _SHARE,
    }
)


def _restoration(messages: int) -> dict[str, Any]:
    return closed(
        {
            "messages": listed(closed({"message_id": text(100), "text": text(8000)}), messages),
            "intent": {"type": "string", "enum": [intent.value for intent in Intent]},
            "candidates": listed(_CANDIDATE, MAX_CANDIDATES),
            "abstain": {"type": "boolean"},
            "uncertainties": listed(text(300), 10),
        }
    )


_ACTION = closed(
    {
        "action": {"type": "string", "enum": [kind.value for kind in ActionKind]},
        "element": _or_null(40),
        "option": _or_null(300),
        "reason": text(600),
    }
)

_LOCATOR = {
    "anyOf": [
        closed({"kind": _constant("quote"), "text": text(600)}),
        closed({"kind": _constant("element"), "element_id": text(40)}),
        closed(
            {
                "kind": _constant("box"),
                "x": _NUMBER,
                "y": _NUMBER,
                "width": _NUMBER,
                "height": _NUMBER,
            }
        ),
    ]
}


def _conclusion(types: list[str]) -> dict[str, Any]:
    return closed(
        {
            "decision": {"type": "string", "enum": [decision.value for decision in Decision]},
            "violation_type": {"type": "string", "enum": types},
            "rationale": text(4000),
            "evidence": listed(closed({"step": _INTEGER, "locator": _LOCATOR}), MAX_REFERENCES),
            "confidence": _SHARE,
        }
    )


def schema_for(request: AnyRequest) -> ReplySchema:
    """Return the form that a reply to `request` is to have."""
    if isinstance(request, RestorationRequest):
        return ReplySchema("restoration", _restoration(len(request.task.messages)))
    if isinstance(request, ActionRequest):
        return ReplySchema("action", _ACTION)
    assert isinstance(request, ConclusionRequest)
    types = [*request.codebook.type_ids, *RESERVED_TYPES]
    return ReplySchema("conclusion", _conclusion(types))
