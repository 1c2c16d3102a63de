"""What a coordinator sees: progress, people, websites that wait for a decision, agreement."""

from __future__ import annotations

from starlette.responses import Response

from riskchainbench.annotation.accounts import MIN_PASSWORD
from riskchainbench.annotation.agreement import agreement_report
from riskchainbench.annotation.agreement_csv import confusion_csv, report_csv
from riskchainbench.annotation.records import MAX_NOTE
from riskchainbench.annotation.resolution import Path, path_counts
from riskchainbench.annotation.settings import COORDINATOR, RefusedError
from riskchainbench.annotation.web import work as desk
from riskchainbench.annotation.web.bench import Call
from riskchainbench.annotation.web.labeling import picture_response, pin_names
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.store import json_bytes
from riskchainbench.core.text import gate
from riskchainbench.statistics.agreement import NO_PAIRS, ONE_CLASS

_UNDEFINED = {NO_PAIRS: "undefined_pairs", ONE_CLASS: "undefined_class"}


def progress(call: Call) -> Response:
    """Show where the websites stand and who is how far."""
    return _progress(call, None)


def _progress(call: Call, wrong: RefusedError | None, changed: str | None = None) -> Response:
    standing = call.project.standing()
    counts = path_counts(standing.resolutions.values())
    people = [(each, call.project.progress(each.name)) for each in call.project.store.people()]
    return call.page(
        "progress.html.j2",
        200 if wrong is None else 409,
        counts=counts,
        total=len(standing.resolutions),
        people=people,
        planned=call.project.planned(),
        wrong=wrong.key if wrong is not None else None,
        changed=changed,
        minimum=MIN_PASSWORD,
    )


def add_person(call: Call) -> Response:
    """Open an account."""
    try:
        call.project.add_person(call.text("name"), call.text("role"), call.text("password"))
    except RefusedError as error:
        return _progress(call, error)
    return call.go("/progress")


def set_password(call: Call) -> Response:
    """Give somebody a new password, as imported people need one; it ends their sessions."""
    name = call.text("name")
    try:
        call.project.set_password(name, call.text("password"))
    except RefusedError as error:
        return _progress(call, error)
    if name == call.person:
        return call.go("/signin")
    return _progress(call, None, name)


def remove_person(call: Call) -> Response:
    """Close an account and hand its work to others."""
    name = call.request.path_params["name"]
    if name == call.person:
        return call.go("/progress")
    try:
        call.project.remove_person(name)
    except RefusedError as error:
        return _progress(call, error)
    return call.go("/progress")


def plan(call: Call) -> Response:
    """Hand out the websites."""
    try:
        call.project.plan()
    except RefusedError as error:
        return _progress(call, error)
    return call.go("/progress")


def waiting(call: Call) -> Response:
    """List the websites that wait for a decision."""
    standing = call.project.standing()
    cases = [
        (found.case_id, standing.files[found.case_id])
        for found in standing.resolutions.values()
        if found.path is Path.NEEDS_COORDINATOR
    ]
    return call.page("waiting.html.j2", cases=cases)


def case(call: Call) -> Response:
    """Show all judgments of a website that waits for a decision, with reasons."""
    return _case(call, None)


def _case(call: Call, wrong: str | None) -> Response:
    case_id = call.request.path_params["case_id"]
    standing = call.project.standing()
    found = standing.resolutions.get(case_id)
    if found is None:
        raise RefusedError("refused.case", f"{case_id}: no such website")
    if found.path is not Path.NEEDS_COORDINATOR:
        raise RefusedError("refused.not_waiting", f"{case_id}: waits for no coordinator")
    file = standing.files[case_id]
    votes = [*file.independent, *([file.third] if file.third else [])]
    return call.page(
        "case.html.j2",
        200 if wrong is None else 409,
        case_id=case_id,
        votes=votes,
        reports=[report for _, report in file.reports],
        names=pin_names(call),
        website=call.bench.frames.website(case_id).website,
        frame=desk.visit_address(call, _visit(case_id), case_id, call.project.clock()),
        wrong=wrong,
        typed={name: call.text(name) for name in ("decision", "violation_type", "reason")},
        secondary=call.texts("secondary"),
        decisions=call.codebook.decisions,
        violation=Decision.VIOLATION.value,
    )


def _visit(case_id: str) -> str:
    """Return the key of a coordinator's visit of a website."""
    return f"case-{case_id}"


def decide(call: Call) -> Response:
    """Record the coordinator's decision."""
    case_id, decision = call.request.path_params["case_id"], call.text("decision")
    if decision not in set(Decision):
        return _case(call, "problem.decision")
    fixed = required_type(Decision(decision))
    kind = fixed or call.text("violation_type")
    secondary = call.texts("secondary") if fixed is None else ()
    reason = gate(call.text("reason").replace("\r\n", "\n"))[0][:MAX_NOTE]
    try:
        call.project.adjudicate(call.person, case_id, decision, kind, reason, secondary)
    except RefusedError as error:
        if error.key in {"refused.reason", "refused.type", "problem.secondary"}:
            return _case(call, error.key)
        raise
    call.bench.frames.reset(call.person, _visit(case_id))
    return call.go("/adjudicate")


def picture(call: Call) -> Response:
    """Return a picture that is pinned on a website that waits for a decision."""
    standing = call.project.standing()
    found = standing.resolutions.get(call.request.path_params["case_id"])
    if found is None or found.path is not Path.NEEDS_COORDINATOR:
        return call.message("not_found", 404)
    file = standing.files[found.case_id]
    votes = [*file.independent, *([file.third] if file.third else [])]
    pinned = {pin.screenshot for said in votes for pin in said.judgment.judged.pins}
    sha256 = call.request.path_params["sha256"]
    return picture_response(call, sha256) if sha256 in pinned else call.message("not_found", 404)


def agreement(call: Call) -> Response:
    """Show how far people agree."""
    report = agreement_report(call.project)
    return call.page(
        "agreement.html.j2",
        report=report,
        shown=[at for at, counts in enumerate(report.matrix) if any(counts)],
        undefined=_UNDEFINED,
        role=COORDINATOR,
    )


def agreement_json(call: Call) -> Response:
    """Return the agreement report as JSON."""
    body = json_bytes(agreement_report(call.project))
    return Response(body, 200, dict(call.bench.headers), media_type="application/json")


def agreement_csv(call: Call) -> Response:
    """Return the agreement report as CSV."""
    body = report_csv(agreement_report(call.project))
    return Response(body, 200, dict(call.bench.headers), media_type="text/csv")


def agreement_confusion(call: Call) -> Response:
    """Return the confusion between two people as a matrix in CSV."""
    body = confusion_csv(agreement_report(call.project))
    return Response(body, 200, dict(call.bench.headers), media_type="text/csv")
