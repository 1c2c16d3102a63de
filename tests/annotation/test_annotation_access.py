"""Who may see what: sessions, roles, forms from elsewhere, and other people's judgments."""

from __future__ import annotations

import re

from annotation_office import begin
from annotation_world import PASSWORD, V

from riskchainbench.annotation.exchange import import_csv
from riskchainbench.annotation.simulate import judgment_of

SECRET = "SECRET-NOTE-OF-BOB"


def test_pages_need_a_session(office):
    client = office.client()
    for path in ("/", "/codebook", "/progress", "/sites/1", "/agreement.json"):
        assert client.get(path).headers["location"] == "/signin"


def test_coordinators_pages_are_closed_to_annotators(office):
    client = office.client("ann")
    for path in ("/progress", "/adjudicate", "/agreement", "/agreement.json", "/agreement.csv"):
        assert client.get(path).status_code == 403
    assert (
        office.post(
            client, "/people", name="eve", password=PASSWORD, role="coordinator"
        ).status_code
        == 403
    )
    assert office.client("cleo").get("/sites/1").status_code == 403


def test_cookies_and_headers_are_strict(office):
    answer = office.client().post("/signin", data={"name": "ann", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-riskchain=")
    for part in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert part in cookie
    assert "Domain" not in cookie
    policy = office.client("ann").get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-src http://*.localhost:*" in policy


def test_a_wrong_password_and_an_unknown_name_look_the_same(office):
    client = office.client()
    texts = [
        client.post("/signin", data={"name": name, "password": "x"}).text.replace(name, "?")
        for name in ("ann", "nobody")
    ]
    assert texts[0] == texts[1]


def test_guessing_is_slowed_down(office):
    client = office.client()
    codes = [
        client.post("/signin", data={"name": "ann", "password": "x"}).status_code for _ in range(9)
    ]
    assert codes == [403] * 8 + [429]
    office.world.clock.now += 61
    assert client.post("/signin", data={"name": "ann", "password": PASSWORD}).status_code == 303


def test_forms_from_elsewhere_or_without_the_token_are_refused(office):
    client = office.client("ann")
    path = begin(office, client)
    token = office.csrf(client)
    body = {"csrf": token, "reason": "illegal"}
    for headers in ({"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}):
        assert client.post(f"{path}/leave", data=body, headers=headers).status_code == 403
    assert client.post(f"{path}/leave", data={"reason": "illegal"}).status_code == 403
    other = {"csrf": "0" * 64, "reason": "illegal"}
    assert client.post(f"{path}/leave", data=other).status_code == 403
    assert office.project.progress("ann").waiting == 6


def test_a_session_ends_with_sign_out_with_time_and_with_leaving(office):
    client = office.client("ann")
    office.post(client, "/signout")
    assert client.get("/").headers["location"] == "/signin"
    late = office.client("ann")
    office.world.clock.now += 13 * 3600
    assert late.get("/").headers["location"] == "/signin"
    gone = office.client("bob")
    office.project.remove_person("bob")
    assert gone.get("/").headers["location"] == "/signin"


def test_a_coordinator_gives_imported_people_a_password(office):
    row = "case_id,person,decision,violation_type,pins\n"
    case = office.project.settings.cases[0]
    pins = '"[{""anchor"":""BENIGN_SERVICE_CONSISTENCY""}]"'
    import_csv(office.project, f"{row}{case},zoe,NON_VIOLATION,NONE,{pins}\n", "x.csv")
    lead = office.client("cleo")
    short = office.post(lead, "/people/password", name="zoe", password="short")
    assert (short.status_code, "at least 10" in short.text) == (409, True)
    told = office.post(lead, "/people/password", name="zoe", password=PASSWORD)
    assert "zoe has a new password" in told.text
    assert office.client("zoe").get("/").status_code == 200
    stranger = office.client("ann")
    assert (
        office.post(stranger, "/people/password", name="zoe", password=PASSWORD).status_code == 403
    )


def test_foreign_hosts_and_unknown_visits_get_nothing(office):
    client = office.client()
    assert client.get("https://evil.example.test/").status_code == 421
    assert client.get("https://0123.localhost/").status_code == 421
    assert client.get("http://127.0.0.1:81/x").headers["location"] == "http://localhost:81/x"


def test_nobody_is_shown_another_persons_judgment(office):
    """Ann asks for everything there is after Bob judged; nothing of his comes back."""
    bob = office.project
    slots = {}
    while (slot := bob.next_slot("bob")) is not None:
        judged = judgment_of(*V, bob.codebook, note=SECRET)
        bob.submit("bob", slot.slot_id, judged)
        slots[slot.slot_id] = slot.case_id
    client = office.client("ann")
    path = begin(office, client)
    asked = ["/", "/codebook", path, "/progress", "/adjudicate", "/agreement", "/agreement.json"]
    asked += ["/agreement.csv", "/audit"]
    asked += [f"/sites/{slot}" for slot in slots] + [f"/sites/{slot}/correct" for slot in slots]
    asked += [f"/adjudicate/{case}" for case in slots.values()]
    asked += [f"/desk/{slot}/pictures/{'0' * 64}" for slot in slots]
    told = [client.get(each) for each in asked]
    told += [office.post(client, f"/desk/{slot}/draft", note="x") for slot in slots]
    told += [office.post(client, f"/desk/{slot}/pins", what="x") for slot in slots]
    told += [office.post(client, f"/sites/{slot}/submit") for slot in slots]
    for answer in told:
        assert SECRET not in answer.text
        assert "bob" not in answer.text
        assert "consensus" not in answer.text
    page = client.get(path).text
    assert "checked" not in page
    for word in ("independent", "third", "repeat"):
        assert word not in re.sub(r"<option.*?</option>|third judgment", "", page)


def test_the_coordinator_sees_no_judgment_before_it_is_needed(office):
    slot = office.project.next_slot("bob")
    office.project.submit(
        "bob", slot.slot_id, judgment_of(*V, office.project.codebook, note=SECRET)
    )
    client = office.client("cleo")
    answer = client.get(f"/adjudicate/{slot.case_id}")
    assert answer.status_code == 409
    assert SECRET not in answer.text
