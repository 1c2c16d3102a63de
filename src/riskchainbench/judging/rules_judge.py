"""The rules judge: four numbers computed from the package alone. It validates nothing.

Each number is a proxy that can be computed, not a rating of meaning:

- faithfulness: of all citations and of all words that the rationale puts in quotation marks,
  the share that stands where it should; a citation of a whole viewport counts half.
- sufficiency: citations that resolve and point at something in particular, against the size
  of the smallest complete set of components for the concluded type (one for other decisions).
- completeness: the share of the controls seen that were acted on (seven tenths) and of the
  pages seen that were seen to their end (three tenths).
- consistency: whether the rationale speaks in the codebook's words of the concluded decision
  and type, names no other type in its place, and names only steps that are cited.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import RESERVED_TYPES
from riskchainbench.core.system import Reply
from riskchainbench.core.text import folded, letters_and_digits
from riskchainbench.judging.protocol import JudgingRequest
from riskchainbench.judging.records import DimensionScore, EvidencePackage, JudgeScores

BOX_CREDIT = 0.5
CONTROLS_WEIGHT = 0.7
PAGE_END_TOLERANCE = 2.0
MIN_QUOTED = 4
SHARED_WORDS = 0.2
"""The share of the codebook's two-character pieces that a rationale must hold to speak of it."""

_QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|\"([^\"]+)\"")
_STEPS = re.compile(r"\bsteps?\s+(\d+)|第\s*(\d+)\s*步", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")


class RulesJudge:
    """Scores by rule; equal packages get equal scores."""

    name: ClassVar[str] = "rules"
    title: ClassVar[str] = "rules (not a validated judge)"
    deterministic: ClassVar[bool] = True

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """The version of the rules."""
        return {"rules_version": 1}

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:  # noqa: ARG002
        """Answer with the computed scores."""
        return Reply(text=rate(request.package, request.codebook).to_json())


def rate(package: EvidencePackage, codebook: Codebook) -> JudgeScores:
    """Return the four computed scores of a package."""
    return JudgeScores(
        faithfulness=_faithfulness(package),
        sufficiency=_sufficiency(package, codebook),
        completeness=_completeness(package),
        consistency=_consistency(package, codebook),
    )


def _graded(share: float, reason: str) -> DimensionScore:
    """Return the score of a share from 0 to 1, spread evenly over the scale."""
    return DimensionScore(score=1 + int(min(1.0, max(0.0, share)) * 4 + 0.5), reason=reason)


def _faithfulness(package: EvidencePackage) -> DimensionScore:
    citations = package.conclusion.citations
    credit = sum(
        (BOX_CREDIT if citation.whole_viewport else 1.0)
        for citation in citations
        if citation.resolved
    )
    quoted = quoted_words(package.conclusion.rationale)
    seen = [folded(text) for text in _shown_texts(package)]
    found = sum(any(words in text for text in seen) for words in quoted)
    share = (credit + found) / (len(citations) + len(quoted)) if citations or quoted else 0.0
    return _graded(
        share,
        f"{sum(c.resolved for c in citations)} of {len(citations)} citations resolve; "
        f"{found} of {len(quoted)} quoted phrases of the rationale were observed.",
    )


def quoted_words(rationale: str) -> list[str]:
    """Return what a rationale puts in quotation marks and is long enough to be looked for."""
    groups = ("".join(match) for match in _QUOTED.findall(rationale))
    words = [folded(group) for group in groups]
    return [text for text in words if letters_and_digits(text) >= MIN_QUOTED]


def _shown_texts(package: EvidencePackage) -> list[str]:
    texts: list[str] = []
    for seen in package.observations:
        texts += [seen.title, seen.text]
        texts += [control.name for control in seen.controls]
        texts += [event.text for event in seen.events]
    return texts


def _sufficiency(package: EvidencePackage, codebook: Codebook) -> DimensionScore:
    conclusion = package.conclusion
    specific = len({(c.kind, c.content or str(c.box)) for c in conclusion.citations if c.specific})
    sets = [
        len(parts)
        for kind in codebook.types
        if kind.type_id == conclusion.violation_type
        for parts in kind.complete_sets
    ]
    needed = min(sets, default=1)
    return _graded(
        specific / needed, f"{specific} specific citations where the smallest set needs {needed}."
    )


def _completeness(package: EvidencePackage) -> DimensionScore:
    known: set[tuple[str, str]] = set()
    used: set[tuple[str, str]] = set()
    acted = {(entry.step, entry.control_id) for entry in package.ledger if entry.control_id}
    for seen in package.observations:
        for control in seen.controls:
            if control.disabled:
                continue
            named = (control.kind.value, control.name)
            known.add(named)
            if (seen.step, control.control_id) in acted:
                used.add(named)
    depth: dict[tuple[str, float], float] = {}
    for seen in package.observations:
        page = (seen.title, seen.page_height)
        depth[page] = max(depth.get(page, 0.0), seen.seen_to)
    ended = sum(seen_to + PAGE_END_TOLERANCE >= page[1] for page, seen_to in depth.items())
    controls = len(used) / len(known) if known else 1.0
    pages = ended / len(depth) if depth else 0.0
    return _graded(
        CONTROLS_WEIGHT * controls + (1 - CONTROLS_WEIGHT) * pages,
        f"{len(used)} of {len(known)} controls were acted on; "
        f"{ended} of {len(depth)} pages were seen to their end.",
    )


def _consistency(package: EvidencePackage, codebook: Codebook) -> DimensionScore:
    conclusion = package.conclusion
    rationale = folded(conclusion.rationale).casefold()
    if not rationale:
        return DimensionScore(score=1, reason="There is no rationale.")
    own = _speaks_of(rationale, _meanings(package, codebook))
    others = [
        kind.type_id
        for kind in codebook.types
        if kind.type_id != conclusion.violation_type and _named(rationale, kind.name, kind.type_id)
    ]
    named_own = conclusion.violation_type in RESERVED_TYPES or any(
        _named(rationale, kind.name, kind.type_id)
        for kind in codebook.types
        if kind.type_id == conclusion.violation_type
    )
    steps = {int(a or b) for a, b in _STEPS.findall(conclusion.rationale)}
    cited = {citation.step for citation in conclusion.citations}
    stray = steps - cited
    score = 3 + own + (bool(steps) and not stray) - bool(stray) - 2 * bool(others and not named_own)
    return DimensionScore(
        score=min(5, max(1, score)),
        reason=(
            f"The rationale {'uses' if own else 'does not use'} the codebook's words for its "
            f"decision; {len(steps - stray)} of {len(steps)} steps it names are cited; "
            f"it names {len(others)} other types."
        ),
    )


def _meanings(package: EvidencePackage, codebook: Codebook) -> list[str]:
    """Return the codebook's texts that stand behind the concluded decision and type."""
    conclusion = package.conclusion
    texts: list[str] = []
    for rule in codebook.decisions:
        if rule.decision is conclusion.decision:
            texts += [*rule.name.values(), *rule.text.values()]
    for kind in codebook.types:
        if kind.type_id == conclusion.violation_type:
            parts = {part for parts in kind.complete_sets for part in parts}
            texts += [*kind.name.values(), *kind.minimum_evidence.values()]
            texts += [
                text
                for component in codebook.components
                if component.component_id in parts
                for text in component.text.values()
            ]
    return texts


def _speaks_of(rationale: str, meanings: Sequence[str]) -> bool:
    held = _pieces(rationale)
    for meaning in meanings:
        wanted = _pieces(meaning.casefold())
        if wanted and len(wanted & held) / len(wanted) >= SHARED_WORDS:
            return True
    return False


def _pieces(text: str) -> set[str]:
    """Return words of spaced scripts whole and other words as pairs of characters."""
    found: set[str] = set()
    for word in _WORDS.findall(text):
        if word.isascii():
            found |= {word} if len(word) > MIN_QUOTED else set()
        else:
            found |= {word[index : index + 2] for index in range(len(word) - 1)}
    return found


def _named(rationale: str, names: Mapping[str, str], type_id: str) -> bool:
    return type_id.casefold() in rationale or any(
        name.casefold() in rationale for name in names.values()
    )
