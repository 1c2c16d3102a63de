"""Website decisions and how violation types go with them (paper, section 3)."""

from __future__ import annotations

from enum import StrEnum


class Decision(StrEnum):
    """What may be concluded of a website."""

    VIOLATION = "VIOLATION"
    NON_VIOLATION = "NON_VIOLATION"
    INSUFFICIENT_EVIDENCE = "INSUFFICIENT_EVIDENCE"


NO_TYPE = "NONE"
UNKNOWN_TYPE = "UNKNOWN"
RESERVED_TYPES = (NO_TYPE, UNKNOWN_TYPE)


def required_type(decision: Decision) -> str | None:
    """Return the only type that goes with `decision`, or None where a violation type must stand."""
    if decision is Decision.NON_VIOLATION:
        return NO_TYPE
    if decision is Decision.INSUFFICIENT_EVIDENCE:
        return UNKNOWN_TYPE
    return None


def compatible(decision: Decision, violation_type: str) -> bool:
    """Tell whether `violation_type` may stand beside `decision` under any codebook."""
    required = required_type(decision)
    return violation_type not in RESERVED_TYPES if required is None else violation_type == required
