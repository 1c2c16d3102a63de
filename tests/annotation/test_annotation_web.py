"""The pages over ASGI: judging, drafts, leases, adjudication, and what an unlucky request gets."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from annotation_office import begin
from annotation_world import V2, N, U, V

from riskchainbench.annotation.simulate import judgment_of
from riskchainbench.annotation.training import training_sites
from riskchainbench.annotation.web.frames import Frames, add_to_head
from riskchainbench.annotation.web.texts import anchor_name, keys


def test_every_word_has_a_key_and_every_key_a_word(repository):
    folder = repository / "src/riskchainbench/annotation/web"
    used = set()
    for path in (*folder.rglob("*.j2"), *folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"\bt\('([a-z_.]+)'", text))
    assert {key for key in used if not key.endswith(".")} <= keys()


def test_a_practice_website_can_be_left_like_any_other(office, six_bundle):
    office.bench.training = sites = training_sites(3, office.project.codebook, 1)
    websites = {**six_bundle.websites(), sites[0].case_id: sites[0].website}
    record = office.project.store.add_visit
    office.bench.frames = Frames(websites, "localhost", Random(1), office.world.clock, record)
    client = office.client("ann")
    assert office.post(client, "/next").headers["location"] == "/practice/1"
    assert 'action="/practice/1/leave"' in client.get("/practice/1").text
    left = office.post(client, "/practice/1/leave", reason="distressing")
    assert left.headers["location"] == "/"
    assert office.post(client, "/next").headers["location"].startswith("/sites/")
    assert office.project.standing().resolutions.keys() == set(office.project.settings.cases)


def test_a_judgment_goes_from_form_to_ledger_with_its_visit(office, six_bundle):
    client = office.client("ann")
    path = begin(office, client)
    page = client.get(path).text
    host = re.search(r'src="http://([0-9a-f]{20}\.localhost)', page)[1]
    assert client.get(f"https://{host}/").status_code == 200
    key = path.rsplit("/", 1)[1]
    office.post(client, f"/desk/{key}/pins", what="component:BENIGN_SERVICE", words="opening hours")
    fields = {
        "environment": "COMPLETE",
        "decision": "NON_VIOLATION",
        "confidence": "4",
        "note": "<script>alert(1)</script>",
    }
    office.world.clock.now += 42
    answer = office.post(client, f"{path}/submit", **fields)
    assert answer.status_code == 303
    said = next(line.entry for line in office.project.lines() if line.entry.kind == "judgment")
    assert said.judged.joint == ("NON_VIOLATION", "NONE")
    assert said.judged.pins[0].words == "opening hours"
    assert said.seconds == 42
    assert [(each.method, each.path) for each in said.visit] == [("GET", "/")]
    shown = client.get("/").text
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown


def test_what_is_missing_is_said_beside_the_form_and_nothing_is_lost(office):
    client = office.client("ann")
    path = begin(office, client)
    answer = office.post(client, f"{path}/submit", decision="VIOLATION", note="half a thought")
    assert answer.status_code == 200
    assert 'href="#f-environment"' in answer.text
    assert "half a thought" in answer.text
    assert office.project.progress("ann").done == 0


def test_drafts_come_back(office):
    client = office.client("ann")
    path = begin(office, client)
    key = path.rsplit("/", 1)[1]
    saved = office.post(
        client, f"/desk/{key}/draft", decision="VIOLATION", note="kept \ud83c words"[:4]
    )
    assert json.loads(saved.text) == {"version": 1, "yours": True}
    assert "kept" in client.get(path).text
    again = office.post(client, f"/desk/{key}/draft", note="b", version="1")
    assert again.json() == {"version": 2, "yours": True}


def test_an_older_window_does_not_write_over_a_newer_draft(office):
    client = office.client("ann")
    path = begin(office, client)
    key = path.rsplit("/", 1)[1]
    assert 'data-version="0"' in client.get(path).text
    office.post(client, f"/desk/{key}/draft", note="from the newer window", version="0")
    late = office.post(client, f"/desk/{key}/draft", note="from the older one", version="0")
    assert late.status_code == 409
    assert "another window" in late.text
    assert "from the newer window" in client.get(path).text


def test_two_coordinators_deciding_at_once_leave_one_decision(office):
    slot = office.project.next_slot("ann")
    office.project.report_site("ann", slot.slot_id, "broken")
    office.world.people(coordinator="dora")
    clients = [office.client("cleo"), office.client("dora")]
    forms = [{"csrf": office.csrf(c), "decision": "NON_VIOLATION", "reason": "x"} for c in clients]
    path = f"/adjudicate/{slot.case_id}"
    with ThreadPoolExecutor(2) as pool:
        told = pool.map(lambda at: clients[at].post(path, data=forms[at]).status_code, (0, 1))
        assert sorted(told) == [303, 409]
    assert sum(line.entry.kind == "adjudication" for line in office.project.lines()) == 1


def test_scrolling_and_typing_join_the_visit_within_bounds(office):
    client = office.client("ann")
    path = begin(office, client)
    key = path.rsplit("/", 1)[1]
    told = [
        {"kind": "scroll", "path": "/a", "top": 640},
        {"kind": "input", "path": "/a", "field": "amount", "value": "SECRET"},
        {"kind": "scroll", "path": "/a", "top": -5},
        {"kind": "request", "path": "/a"},
        "odd",
    ]
    office.world.clock.now += 7
    answer = office.post(client, f"/desk/{key}/events", events=json.dumps(told))
    assert answer.json() == {"taken": 2}
    for odd in ("", "{", "7", "[" * 5000):
        assert office.post(client, f"/desk/{key}/events", events=odd).json() == {"taken": 0}
    flood = json.dumps([{"kind": "scroll", "path": "/", "top": 1}] * 500)
    assert office.post(client, f"/desk/{key}/events", events=flood).json() == {"taken": 100}
    visit = office.project.store.visit("ann", key)
    assert (visit[0].kind, visit[0].top, visit[0].at) == ("scroll", 640, 7)
    assert (visit[1].kind, visit[1].fields) == ("input", ("amount",))
    assert "SECRET" not in "".join(each.to_json() for each in visit)
    other = office.client("bob")
    assert office.post(other, f"/desk/{key}/events", events="[]").status_code == 409


def test_numbers_of_websites_tell_no_repeat_and_no_third(office):
    office.world.people("cyd", coordinator=None)
    slots = office.project.next_slot("ann"), office.project.next_slot("bob")
    assert all(slot.slot_id > 1000 for slot in slots)


def test_a_lease_that_ran_out_is_told_and_the_draft_is_kept(office):
    office.world.people("cyd", "dan", coordinator=None)
    client = office.client("ann")
    path = begin(office, client)
    key = int(path.rsplit("/", 1)[1])
    office.post(client, f"/desk/{key}/draft", note="mine")
    office.world.clock.now += 4000
    for name in ("cyd", "dan"):
        while (slot := office.project.next_slot(name)) is not None and slot.slot_id != key:
            office.project.submit(name, slot.slot_id, judgment_of(*N, office.project.codebook))
    answer = client.get(path)
    assert answer.status_code == 409
    assert "somebody else has it now" in answer.text
    assert "mine" in answer.text  # what was typed is shown, to be copied
    late = office.post(client, f"/desk/{key}/draft", note="mine, and more")
    assert late.json() == {"version": 2, "yours": False}
    assert "mine, and more" in client.get(path).text
    refused = office.post(
        client, f"{path}/submit", environment="COMPLETE", decision="NON_VIOLATION", confidence="3"
    )
    assert (refused.status_code, "somebody else has it now" in refused.text) == (409, True)


def test_leaving_a_website_copies_nothing_and_closes_it(office):
    client = office.client("ann")
    path = begin(office, client)
    assert office.post(client, f"{path}/leave", reason="distressing").headers["location"] == "/"
    assert client.get(path).status_code == 409
    report = next(line.entry for line in office.project.lines() if line.entry.kind == "report")
    assert (report.person, report.reason) == ("ann", "distressing")
    assert not list(office.project.folder.glob("pictures/*"))


def test_adjudication_needs_a_fitting_pair_and_a_reason(office):
    project = office.project
    office.world.people("cyd", coordinator=None)
    votes = {"ann": V, "bob": N, "cyd": U}
    case = None
    for _ in range(40):
        for name, vote in votes.items():
            slot = project.next_slot(name)
            if slot is not None:
                project.submit(name, slot.slot_id, judgment_of(*vote, project.codebook))
    case = next(
        c for c, r in project.standing().resolutions.items() if r.path == "needs_coordinator"
    )
    client = office.client("cleo")
    assert "ann" in client.get(f"/adjudicate/{case}").text
    path = f"/adjudicate/{case}"
    assert office.post(client, path, decision="VIOLATION", reason="x").status_code == 409
    assert office.post(client, path, decision="MAYBE", reason="x").status_code == 409
    assert office.post(client, path, decision="NON_VIOLATION", reason=" ").status_code == 409
    twice = {"decision": V[0].value, "violation_type": V[1], "secondary": V[1], "reason": "x"}
    refused = office.post(client, path, **twice)
    assert (refused.status_code, "cannot be the primary one" in refused.text) == (409, True)
    done = office.post(client, path, decision="NON_VIOLATION", reason="licensed, and says so")
    assert done.headers["location"] == "/adjudicate"
    assert project.standing().resolutions[case].path == "coordinator"


def test_a_coordinator_may_look_at_the_website_and_name_several_types(office):
    slot = office.project.next_slot("ann")
    office.project.report_site("ann", slot.slot_id, "broken")
    client = office.client("cleo")
    path = f"/adjudicate/{slot.case_id}"
    page = client.get(path).text
    assert "Nobody has judged this website" in page
    frame = re.search(r'<iframe id="site"[^>]* src="http://([0-9a-z]+\.localhost)(/[^"]*)"', page)
    shown = client.get(f"https://{frame[1]}{frame[2]}")
    assert (shown.status_code, "/.workbench/frame.js" in shown.text) == (200, True)
    assert office.client("ann").get(path).status_code == 403
    types = {"violation_type": V[1], "secondary": V2[1]}
    done = office.post(client, path, decision="VIOLATION", reason="x" * 5000, **types)
    assert done.headers["location"] == "/adjudicate"
    found = office.project.standing().resolutions[slot.case_id]
    assert (found.violation_type, found.secondary_types) == (V[1], (V2[1],))
    assert client.get(f"https://{frame[1]}/").status_code == 421


def test_anchors_and_decisions_are_named_in_the_persons_language(office):
    client = office.client("ann")
    path = begin(office, client)
    client.headers["accept-language"] = "zh"
    page = client.get(path).text
    assert "环境限制" in page
    pinned = office.post(client, f"/desk/{path[7:]}/pins", what="anchor:LANGUAGE_LIMITATION")
    assert "语言限制" in pinned.text
    assert "limitation" not in pinned.text
    assert anchor_name("FLAG_OF_ANOTHER_BOOK", "zh") == "flag of another book"


def test_the_agreement_page_and_its_files_tell_the_same(office):
    client = office.client("cleo")
    assert "no website was judged twice" in client.get("/agreement").text
    figures = client.get("/agreement.json").json()
    assert figures["decision"]["alpha"]["undefined"] == "no unit was rated twice"
    assert "path,open,websites,6" in client.get("/agreement.csv").text
    assert client.get("/agreement-confusion.csv").text.startswith("label,PHISHING")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"<!doctype html><html><head><title>x</title>", b"<!doctype html><html><head><link"),
        (b'<HTML><HEAD lang="en"><title>', b'<HTML><HEAD lang="en"><link'),
        (b"<!DOCTYPE html><p>x", b"<!DOCTYPE html><link"),
        (b"<p>x", b"<link"),
    ],
)
def test_the_frames_script_stands_first(page, expected):
    assert add_to_head(page).startswith(expected)
