"""What a judgment must contain under a codebook. The page asks here, and so does the import.

Problems are values: a field and a key of the interface's texts, so that each can be shown in
the person's language beside the field it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riskchainbench.annotation.records import Judged
from riskchainbench.core.codebook import Codebook, Role, ViolationType
from riskchainbench.core.decisions import Decision

FACTS = 2
"""Fact components that a violation needs."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: the field of the form, and which text says so."""

    field: str
    key: str


def problems(judged: Judged, codebook: Codebook) -> tuple[Problem, ...]:
    """Return everything that keeps `judged` from being accepted, in order of the form."""
    found: list[Problem] = []
    if not codebook.fits(judged.decision, judged.violation_type):
        found.append(Problem("violation_type", "problem.type"))
    primary, secondary = judged.violation_type, judged.secondary_types
    if not secondary_fit(judged.decision, primary, secondary, codebook):
        found.append(Problem("secondary_types", "problem.secondary"))
    if not judged.pins:
        found.append(Problem("pins", "problem.no_pin"))
    known = {c.component_id for c in codebook.components}
    found += [
        Problem("pins", "problem.pin")
        for pin in judged.pins
        if pin.anchor not in codebook.anchors or (pin.component_id or "") not in known | {""}
    ]
    kind = next((k for k in codebook.types if k.type_id == judged.violation_type), None)
    if judged.decision is Decision.VIOLATION and kind is not None:
        found += _violation(judged, codebook, kind)
    return tuple(found)


def secondary_fit(
    decision: Decision, primary: str, secondary: Sequence[str], codebook: Codebook
) -> bool:
    """Tell whether `secondary` are types that may stand beside the primary one."""
    return not secondary or (
        decision is Decision.VIOLATION
        and primary not in secondary
        and len(set(secondary)) == len(secondary)
        and set(secondary) <= set(codebook.type_ids)
    )


def _violation(judged: Judged, codebook: Codebook, kind: ViolationType) -> list[Problem]:
    violation = codebook.with_role(Role.VIOLATION)
    facts = {p.component_id for p in judged.pins if p.component_id in violation}
    if is_catch_all(codebook, kind):
        found = [] if facts & components_of(kind) else [Problem("pins", "problem.one_fact")]
        return found + ([] if judged.note.strip() else [Problem("note", "problem.note")])
    pinned = sum(p.component_id in violation for p in judged.pins)
    complete = any(facts >= set(parts) for parts in kind.complete_sets)
    if pinned < FACTS:
        return [Problem("pins", "problem.two_facts")]
    return [] if complete else [Problem("pins", "problem.incomplete")]


def components_of(kind: ViolationType) -> set[str]:
    """Return the components that any complete set of the type holds."""
    return {part for parts in kind.complete_sets for part in parts}


def is_catch_all(codebook: Codebook, kind: ViolationType) -> bool:
    """Tell whether the type is the one for all else, which needs a note naming the policy.

    That is so where none of its components has an anchor of its own: all stand under the last
    of the codebook's anchors.
    """
    anchors = {c.component_id: c.anchor for c in codebook.components}
    return all(anchors[part] == codebook.anchors[-1] for part in components_of(kind))
