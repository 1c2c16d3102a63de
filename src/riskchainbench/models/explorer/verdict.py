"""From findings to a conclusion: decision, type, citations, rationale and confidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from riskchainbench.core.codebook import Codebook, Role, ViolationType
from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ElementLocator,
    EvidenceReference,
    Locator,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.investigation import Observation, Step
from riskchainbench.core.system import ConclusionRequest
from riskchainbench.core.text import folded, letters_and_digits
from riskchainbench.models.explorer.evidence import (
    BENIGN,
    LIMITATION,
    Assessment,
    Finding,
    Source,
)
from riskchainbench.models.explorer.lexicon import Lexicon, Rationale

MIN_QUOTE_LETTERS = 4
MAX_CITATIONS = 8
PER_COMPONENT = 2
STRENGTH_CAP = 3


@dataclass(frozen=True)
class _Verdict:
    """A decision and what it rests on; `strength` counts sentences, `against` those contrary."""

    decision: Decision
    findings: tuple[Finding, ...]
    type_id: str
    strength: int = 0
    against: int = 0


def decide(request: ConclusionRequest, assessment: Assessment, lexicon: Lexicon) -> Conclusion:
    """Return the conclusion on a frozen trajectory under the request's codebook."""
    verdict = _violation(request.codebook, assessment) or _otherwise(assessment)
    observations = {step.observation.step: step.observation for step in request.steps}
    references = _references(verdict.findings, observations, request.viewport)
    return Conclusion(
        decision=verdict.decision,
        violation_type=verdict.type_id,
        rationale=_rationale(verdict, request.codebook, lexicon),
        evidence=references,
        confidence=_confidence(verdict, _pressed_share(request.steps)),
    )


def _violation(codebook: Codebook, assessment: Assessment) -> _Verdict | None:
    """Return the best supported complete type that is not cancelled, by precedence if equal."""
    by_id = {kind.type_id: kind for kind in codebook.types}
    best: _Verdict | None = None
    for type_id in codebook.complete_types(f.cue for f in assessment.components):
        verdict = _supported(by_id[type_id], assessment)
        if verdict is not None and (best is None or len(verdict.findings) > len(best.findings)):
            best = verdict
    if best is None:
        return None
    chosen = tuple(_some_of_each(best.findings))
    return _Verdict(best.decision, chosen, best.type_id, best.strength, best.against)


def _supported(kind: ViolationType, assessment: Assessment) -> _Verdict | None:
    """Return the verdict for one complete type, or None where counter-evidence cancels it."""
    sets = [
        [[f for f in assessment.components if f.cue == part] for part in parts]
        for parts in kind.complete_sets
    ]
    strength, findings = max(
        ((min(map(len, parts)), [f for part in parts for f in part]) for parts in sets),
        key=lambda option: (option[0], len(option[1])),
    )
    said = {f.sentence.text for f in findings}
    contrary = [
        f for f in assessment.exclusions if f.excludes(kind.type_id) and f.sentence.text not in said
    ]
    # What fits one type's exclusions cancels it only where the site also speaks against itself.
    if assessment.counter and len(contrary) >= min(strength, STRENGTH_CAP):
        return None
    return _Verdict(Decision.VIOLATION, tuple(findings), kind.type_id, strength, len(contrary))


def _some_of_each(findings: Iterable[Finding]) -> list[Finding]:
    taken: dict[str, list[Finding]] = {}
    for finding in findings:
        taken.setdefault(finding.cue, []).append(finding)
    return [finding for group in taken.values() for finding in group[:PER_COMPONENT]]


def _otherwise(assessment: Assessment) -> _Verdict:
    """Decide between no violation and insufficient evidence; no type is complete."""
    limits = len({finding.sentence.text for finding in assessment.limitations})
    contrary = (*assessment.benign[:4], *assessment.counter[:4])
    if assessment.counter or (assessment.benign and not limits):
        return _settled(Decision.NON_VIOLATION, _once(contrary), strength=len(_once(contrary)))
    chosen = (*assessment.limitations[:3], *assessment.components[:2], *contrary[:2])
    return _settled(Decision.INSUFFICIENT_EVIDENCE, _once(chosen), strength=limits)


def _settled(decision: Decision, findings: tuple[Finding, ...], strength: int) -> _Verdict:
    return _Verdict(decision, findings, required_type(decision) or "", strength)


def _once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple({finding.sentence.text: finding for finding in findings}.values())


def _references(
    findings: Sequence[Finding],
    observations: Mapping[int, Observation],
    viewport: tuple[int, int],
) -> tuple[EvidenceReference, ...]:
    cited: dict[str, EvidenceReference] = {}
    for finding in findings[:MAX_CITATIONS]:
        step = finding.sentence.step
        locator = _locator(finding, observations[step], viewport)
        reference = EvidenceReference(step=step, locator=locator)
        cited.setdefault(reference.to_json(), reference)
    if not cited:
        return (_whole(observations, viewport),)
    return tuple(sorted(cited.values(), key=lambda reference: reference.step))


def _locator(finding: Finding, observation: Observation, viewport: tuple[int, int]) -> Locator:
    quotable = letters_and_digits(finding.quote) >= MIN_QUOTE_LETTERS
    in_text = finding.sentence.source is not Source.EVENT and finding.quote in folded(
        observation.text
    )
    if quotable and in_text:
        return QuoteLocator(text=finding.quote)
    if finding.sentence.element_id is not None:
        return ElementLocator(element_id=finding.sentence.element_id)
    return _box(viewport)


def _box(viewport: tuple[int, int]) -> BoxLocator:
    return BoxLocator(x=0, y=0, width=viewport[0], height=viewport[1])


def _whole(observations: Mapping[int, Observation], viewport: tuple[int, int]) -> EvidenceReference:
    """Return a reference to all of the first view that has a picture, or of the first view."""
    pictured = [step for step, seen in observations.items() if seen.screenshot is not None]
    return EvidenceReference(step=min(pictured or observations), locator=_box(viewport))


def _rationale(verdict: _Verdict, codebook: Codebook, lexicon: Lexicon) -> str:
    language, words = _voice(verdict.findings, codebook, lexicon)
    items = "; ".join(
        words.item.format(
            what=_meaning(finding, codebook, language) or words.limit,
            step=finding.sentence.step,
            quote=finding.quote,
        )
        for finding in verdict.findings[:MAX_CITATIONS]
    )
    names = {kind.type_id: kind.name.get(language, kind.type_id) for kind in codebook.types}
    template = {
        Decision.VIOLATION: words.violation,
        Decision.NON_VIOLATION: words.benign,
        Decision.INSUFFICIENT_EVIDENCE: words.insufficient,
    }[verdict.decision]
    return template.format(type=names.get(verdict.type_id, ""), evidence=items or words.nothing)


def _voice(
    findings: Sequence[Finding], codebook: Codebook, lexicon: Lexicon
) -> tuple[str, Rationale]:
    """Return the codebook's language in whose letters most of the evidence is written."""
    text = "".join(finding.quote for finding in findings)
    known = [language for language in codebook.languages if language in lexicon.voices]
    counts = {name: len(lexicon.voices[name].letters.findall(text)) for name in known}
    language = max(known, key=lambda name: counts[name]) if known else min(lexicon.voices)
    return language, lexicon.voices[language].rationale


def _meaning(finding: Finding, codebook: Codebook, language: str) -> str | None:
    """Return what the codebook calls the component that a finding stands for."""
    role = {BENIGN: Role.BENIGN, LIMITATION: None}.get(finding.cue, Role.COUNTER)
    known = {component.component_id for component in codebook.components}
    for component in codebook.components:
        same = component.component_id == finding.cue
        if same or (finding.cue not in known and component.role is role):
            return component.text.get(language, component.component_id)
    return None


def _pressed_share(steps: Sequence[Step]) -> float:
    """Return which part of the links and buttons seen was acted on, by name; 1 if none."""
    known, used = set(), set()
    for step in steps:
        for element in step.observation.elements:
            control = (element.kind, element.name)
            known.add(control)
            if step.action is not None and step.action.element == element.element_id:
                used.add(control)
    return len(used) / len(known) if known else 1.0


def _confidence(verdict: _Verdict, pressed: float) -> float:
    """Return a stated confidence that grows with what supports the decision and was seen."""
    strength = min(verdict.strength, STRENGTH_CAP)
    if verdict.decision is Decision.VIOLATION:
        value = 0.55 + 0.09 * strength + 0.1 * pressed - 0.1 * verdict.against
    elif verdict.decision is Decision.NON_VIOLATION:
        value = 0.45 + 0.08 * strength + 0.15 * pressed
    else:
        value = 0.4 + 0.08 * strength + 0.15 * pressed
    return round(min(0.95, max(0.3, value)), 2)
