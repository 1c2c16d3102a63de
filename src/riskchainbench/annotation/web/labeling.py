"""What an annotator sees: their work, the labeling page, practice, and the codebook."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from starlette.responses import JSONResponse, Response

from riskchainbench.annotation.form import Problem, problems
from riskchainbench.annotation.records import EnvironmentStatus, ReportReason, TrainingAnswer
from riskchainbench.annotation.settings import COORDINATOR, RefusedError
from riskchainbench.annotation.web import work as desk
from riskchainbench.annotation.web.bench import Call
from riskchainbench.annotation.web.photographer import PageState
from riskchainbench.annotation.web.texts import anchor_name, codebook_language, translator
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.text import gate

_PATH = re.compile(r"/[A-Za-z0-9._~/%+-]*")


def home(call: Call) -> Response:
    """Show a person what they have done and what comes next."""
    if call.session is not None and call.session.person.role == COORDINATOR:
        return call.go("/progress")
    return call.page(
        "home.html.j2",
        progress=call.project.progress(call.person),
        practice_left=_practice_left(call),
        mine=call.project.own_judgments(call.person)[: call.project.settings.repeat_gap],
    )


def _practice_left(call: Call) -> int:
    done = call.project.practiced(call.person)
    return sum(site.case_id not in done for site in call.bench.training)


def codebook(call: Call) -> Response:
    """Show the whole codebook."""
    return call.page("codebook.html.j2")


def next_site(call: Call) -> Response:
    """Lead to what the person should work on."""
    done = call.project.practiced(call.person)
    for number, site in enumerate(call.bench.training, start=1):
        if site.case_id not in done:
            return call.go(f"/practice/{number}")
    slot = call.project.next_slot(call.person)
    return call.go("/" if slot is None else f"/sites/{slot.slot_id}")


def site(call: Call) -> Response:
    """Show the labeling page of a slot; where its lease ran out, what was typed for it."""
    key = str(call.request.path_params["slot"])
    try:
        return _labeling(call, desk.open_work(call, key))
    except RefusedError as error:
        draft = call.project.store.draft(call.person, key)
        if error.key != "refused.lease" or draft is None:
            raise
        typed = json.loads(draft.body)
        kept = [(name, typed[name]) for name in ("counter_evidence", "note") if typed.get(name)]
        words = translator(call.language)(error.key)
        return call.page("message.html.j2", 409, message=words, kept=kept)


def correct(call: Call) -> Response:
    """Show the labeling page of a judgment to correct."""
    return _labeling(call, desk.open_work(call, f"fix-{call.request.path_params['slot']}"))


def practice(call: Call) -> Response:
    """Show a website of the training set, or the feedback once it was answered."""
    work = desk.open_work(call, f"practice-{call.request.path_params['number']}")
    for answer in call.project.trained(call.person):
        if answer.case_id == work.case_id:
            return _feedback(call, work, answer)
    return _labeling(call, work)


def _labeling(call: Call, work: desk.Work) -> Response:
    progress = call.project.progress(call.person)
    return call.page(
        "labeling.html.j2",
        **_form_values(call, work),
        frame=desk.frame_address(call, work),
        website=desk.website(call, work).website,
        progress=progress,
        leaving=_leaving(work),
        groups=desk.pin_groups(call, codebook_language(call.language, call.codebook.languages)),
        reasons=[reason.value for reason in ReportReason],
    )


def _leaving(work: desk.Work) -> str | None:
    """Return where a website is reported and left; a judgment to correct was given already."""
    places = {"slot": f"/sites/{work.number}/leave", "practice": f"/practice/{work.number}/leave"}
    return places.get(work.kind)


def _form_values(call: Call, work: desk.Work) -> dict[str, Any]:
    action = f"/practice/{work.number}/submit" if work.kind == "practice" else None
    return {
        "work": work,
        "values": work.values,
        "problems": [],
        "environments": [each.value for each in EnvironmentStatus],
        "decisions": call.codebook.decisions,
        "action": action or f"/sites/{work.number}/submit",
        "violation": Decision.VIOLATION.value,
        "catch_all": desk.catch_all_types(call),
        "names": pin_names(call),
        "view": desk.website(call, work).website.viewport,
    }


def pin_names(call: Call) -> dict[str, str]:
    """Return what every component and every anchor is called in the person's language."""
    words = codebook_language(call.language, call.codebook.languages)
    anchors = {each: anchor_name(each, call.language) for each in call.codebook.anchors}
    return anchors | {c.component_id: c.text[words] for c in call.codebook.components}


def save_draft(call: Call) -> Response:
    """Keep what was typed, and say whether the website is still the person's."""
    key, yours = call.request.path_params["key"], True
    body = json.dumps(desk.typed_values(call), ensure_ascii=False)
    seen = call.number("version")
    if desk.SLOT.fullmatch(key):
        version, yours = call.project.save_draft(call.person, int(key), body, seen)
    else:
        work = desk.open_work(call, key)
        version = call.project.keep(call.person, work.key, body, seen)
    return JSONResponse({"version": version, "yours": yours}, headers=dict(call.bench.headers))


def reset(call: Call) -> Response:
    """Begin a fresh visit of the website and say where it is."""
    work = desk.open_work(call, call.request.path_params["key"])
    call.bench.frames.reset(call.person, work.key)
    address = desk.frame_address(call, work)
    return JSONResponse({"frame": address}, headers=dict(call.bench.headers))


def take_picture(call: Call) -> Response:
    """Draw the page state that the person's frame handed over and keep the picture."""
    work = desk.open_work(call, call.request.path_params["key"])
    path = call.text("path")
    state = PageState(
        website=desk.website(call, work),
        html=gate(call.text("html"))[0],
        path=path if _PATH.fullmatch(path) else "/",
        top=call.number("top") or 0,
    )
    png = call.bench.photographer.picture(state)
    sha256 = call.project.pictures.put(png) if png is not None else None
    if sha256 is not None:
        seen = call.project.store.draft(call.person, f"{work.key}/pictures")
        taken = [*(json.loads(seen.body) if seen else []), sha256][-60:]
        call.project.keep(call.person, f"{work.key}/pictures", json.dumps(taken))
    view = state.website.website.viewport
    return JSONResponse(
        {"picture": sha256, "path": state.path, "width": view.width, "height": view.height},
        headers=dict(call.bench.headers),
    )


def picture(call: Call) -> Response:
    """Return a picture that the person took or pinned on this website."""
    work = desk.open_work(call, call.request.path_params["key"])
    sha256 = call.request.path_params["sha256"]
    taken = call.project.store.draft(call.person, f"{work.key}/pictures")
    own = {pin.screenshot for pin in work.pins} | set(json.loads(taken.body) if taken else [])
    if sha256 not in own:
        return call.message("not_found", 404)
    return picture_response(call, sha256)


def picture_response(call: Call, sha256: str) -> Response:
    """Return a stored picture."""
    if desk.SHA256.fullmatch(sha256) is None:
        return call.message("not_found", 404)
    try:
        png = call.project.pictures.get(sha256)
    except InputError:
        return call.message("not_found", 404)
    return Response(png, 200, dict(call.bench.headers), media_type="image/png")


def add_pin(call: Call) -> Response:
    """Add a pin to the draft and return the list of pins."""
    work = desk.open_work(call, call.request.path_params["key"])
    pin = desk.pin_from(call)
    if pin is not None:
        work.pins.append(pin)
        desk.keep_pins(call, work)
    return _pins(call, work)


def _pins(call: Call, work: desk.Work) -> Response:
    view = desk.website(call, work).website.viewport
    return call.page("pins.html.j2", work=work, names=pin_names(call), view=view)


def remove_pin(call: Call) -> Response:
    """Take a pin off the draft and return the list of pins."""
    work = desk.open_work(call, call.request.path_params["key"])
    number = call.request.path_params["number"]
    if number < len(work.pins):
        del work.pins[number]
        desk.keep_pins(call, work)
    return _pins(call, work)


def submit(call: Call) -> Response:
    """Record a judgment, or show what is missing."""
    number = call.request.path_params["slot"]
    work = desk.open_work(call, f"fix-{number}" if call.text("fix") else str(number))
    work.values = desk.typed_values(call)
    judged, missing = desk.judged_from(work.values, work.pins)
    if judged is None:
        return _again(call, work, missing)
    try:
        if work.kind == "fix":
            call.project.correct(call.person, number, judged)
        else:
            visit = call.project.store.visit(call.person, work.key)
            call.project.submit(call.person, number, judged, visit)
    except RefusedError as error:
        if not error.problems:
            raise
        return _again(call, work, list(error.problems))
    call.bench.frames.reset(call.person, work.key)
    if work.kind == "fix":
        return call.go("/")
    slot = call.project.next_slot(call.person)
    return call.go("/" if slot is None else f"/sites/{slot.slot_id}")


def _again(call: Call, work: desk.Work, found: Sequence[Problem]) -> Response:
    return call.page("form.html.j2", **{**_form_values(call, work), "problems": found})


def practice_submit(call: Call) -> Response:
    """Record an answer to a practice website and show the feedback."""
    work = desk.open_work(call, f"practice-{call.request.path_params['number']}")
    work.values = desk.typed_values(call)
    judged, missing = desk.judged_from(work.values, work.pins)
    wrong = list(missing) if judged is None else list(problems(judged, call.codebook))
    if judged is None or wrong:
        return _again(call, work, wrong)
    if work.case_id not in {answer.case_id for answer in call.project.trained(call.person)}:
        site = call.bench.training[work.number - 1]
        call.project.record(
            TrainingAnswer(
                case_id=work.case_id,
                person=call.person,
                judged=judged,
                decision_right=judged.decision is site.decision,
                type_right=judged.joint == (site.decision.value, site.violation_type),
            )
        )
    call.bench.frames.reset(call.person, work.key)
    return call.go(f"/practice/{work.number}")


def _feedback(call: Call, work: desk.Work, answer: TrainingAnswer) -> Response:
    site = call.bench.training[work.number - 1]
    words = codebook_language(call.language, call.codebook.languages)
    key = "feedback_wrong"
    if answer.decision_right:
        key = "feedback_right" if answer.type_right else "feedback_half"
    return call.page(
        "feedback.html.j2",
        verdict=key,
        right=answer.type_right,
        site=site,
        judged=answer.judged,
        evidence=site.evidence(call.codebook, words),
        left=_practice_left(call),
    )


def leave(call: Call) -> Response:
    """Record that the person left the website and why."""
    work = desk.open_work(call, str(call.request.path_params["slot"]))
    reason = _reason(call)
    if reason is None:
        return call.go(f"/sites/{work.number}")
    call.project.report_site(call.person, work.number, reason, gate(call.text("more"))[0][:1000])
    call.bench.frames.reset(call.person, work.key)
    return call.go("/")


def practice_leave(call: Call) -> Response:
    """Record that the person left a practice website; the next one waits."""
    work = desk.open_work(call, f"practice-{call.request.path_params['number']}")
    reason = _reason(call)
    if reason is None:
        return call.go(f"/practice/{work.number}")
    note = gate(call.text("more"))[0][:1000]
    call.project.leave_practice(call.person, work.case_id, reason, note)
    call.bench.frames.reset(call.person, work.key)
    return call.go("/")


def _reason(call: Call) -> ReportReason | None:
    given = call.text("reason")
    return ReportReason(given) if given in set(ReportReason) else None
