"""The evidence audit: a recorded investigation and the judge's four questions, for people."""

from __future__ import annotations

from starlette.responses import Response

from riskchainbench.annotation.evidence_audit import AuditItem, EvidenceAudit, evidence_report
from riskchainbench.annotation.records import EvidenceRating
from riskchainbench.annotation.web.bench import Call
from riskchainbench.core.errors import InputError
from riskchainbench.core.text import gate
from riskchainbench.judging.records import DIMENSIONS


def item(call: Call) -> Response:
    """Show the next investigation that the person has not rated."""
    audit = call.bench.audit
    found = None if audit is None else audit.next_item(call.project, call.person)
    if audit is None or found is None:
        return call.page("audit_none.html.j2")
    return _shown(call, audit, found, None)


def _shown(call: Call, audit: EvidenceAudit, found: AuditItem, wrong: str | None) -> Response:
    fields = [*DIMENSIONS, *(f"{name}.reason" for name in DIMENSIONS)]
    done, all_items = audit.progress(call.project, call.person)
    return call.page(
        "audit.html.j2",
        200 if wrong is None else 409,
        item=found,
        package=found.package,
        rubric=audit.rubric,
        done=done,
        all=all_items,
        wrong=wrong,
        typed={name: call.text(name) for name in fields},
        started=call.text("started") or f"{call.project.clock():.0f}",
    )


def rate(call: Call) -> Response:
    """Record four scores."""
    audit = call.bench.audit
    found = None if audit is None else audit.item(call.request.path_params["item"])
    if audit is None or found is None:
        return call.message("not_found", 404)
    scores = {name: call.text(name) for name in DIMENSIONS}
    if not all(score in {"1", "2", "3", "4", "5"} for score in scores.values()):
        return _shown(call, audit, found, "rate_missing")
    started = call.text("started")
    seconds = call.project.clock() - float(started) if started.isdecimal() else 0.0
    call.project.rate_evidence(
        EvidenceRating(
            item=found.item_id,
            person=call.person,
            package_sha256=found.package_sha256,
            scores={name: int(score) for name, score in scores.items()},
            reasons={
                name: gate(call.text(f"{name}.reason"))[0][:1000]
                for name in DIMENSIONS
                if call.text(f"{name}.reason").strip()
            },
            rubric_sha256=audit.rubric.sha256,
            seconds=round(max(0.0, seconds), 1),
            simulated=call.project.settings.simulated,
        )
    )
    return call.go("/audit")


def report(call: Call) -> Response:
    """Show how far people and the judge agree on the evidence."""
    audit = call.bench.audit
    if audit is None:
        return call.page("audit_none.html.j2")
    found = evidence_report(call.project, audit)
    return call.page("evidence.html.j2", report=found, names=audit.rubric.dimensions)


def image(call: Call) -> Response:
    """Return a screenshot that the item's package admits."""
    audit = call.bench.audit
    found = None if audit is None else audit.item(call.request.path_params["item"])
    sha256 = call.request.path_params["sha256"]
    if audit is None or found is None or sha256 not in {each for _, each in found.package.images}:
        return call.message("not_found", 404)
    try:
        png = audit.image(found, sha256)
    except InputError:
        return call.message("not_found", 404)
    return Response(png, 200, dict(call.bench.headers), media_type="image/png")
