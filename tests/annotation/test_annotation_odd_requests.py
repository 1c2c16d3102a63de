"""What no page of the workbench sends: odd numbers, broken forms, a database that fails."""

from __future__ import annotations

import re

import pytest
from annotation_office import begin
from annotation_world import PASSWORD
from sqlalchemy import text

from riskchainbench.core.store import StorageError

HUGE = "9" * 400
FORM = {"content-type": "multipart/form-data; boundary=b"}


@pytest.mark.parametrize(
    "path", [f"/sites/{HUGE}", f"/sites/{HUGE}/correct", f"/practice/{HUGE}", "/desk/²/pictures/x"]
)
def test_odd_addresses_are_refused_plainly(office, path):
    answer = office.client("ann").get(path)
    assert answer.status_code == 409
    assert "not assigned to you" in answer.text


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("draft", {"version": "²"}),
        ("draft", {"version": HUGE, "note": "\0"}),
        ("picture", {"html": "<p>", "path": "/", "top": "²"}),
        ("pins", {"what": "anchor:ENVIRONMENT_LIMITATION", "screenshot": "a" * 300, "x": "nan"}),
        ("pins", {"what": "anchor:ENVIRONMENT_LIMITATION", "screenshot": "../../project"}),
        (f"pins/{HUGE}/remove", {}),
    ],
)
def test_odd_fields_are_taken_as_nothing(office, path, form):
    client = office.client("ann")
    key = begin(office, client).rsplit("/", 1)[1]
    answer = office.post(client, f"/desk/{key}/{path}", **form)
    assert answer.status_code == 200
    assert "pictures/" not in answer.text


def test_odd_numbers_in_addresses_of_forms_are_refused(office):
    client = office.client("ann")
    assert office.post(client, "/desk/²/draft", note="x").status_code == 409
    assert office.post(client, f"/sites/{HUGE}/leave", reason="broken").status_code == 409


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("x", {"content-type": "multipart/form-data"}),
        ('--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n1\r\n--b--', FORM),
        ("&".join(f"a{number}=1" for number in range(600)), {}),
    ],
)
def test_what_is_no_form_is_refused(office, body, kind):
    headers = {"content-type": "application/x-www-form-urlencoded", **kind}
    assert office.client("ann").post("/next", content=body, headers=headers).status_code == 400


def test_names_of_accounts_end_where_they_end(office):
    client = office.client("cleo")
    answer = office.post(client, "/people", name="eve\n", password=PASSWORD, role="annotator")
    assert (answer.status_code, "letters A to Z" in answer.text) == (409, True)


def test_a_name_that_cannot_be_one_is_not_looked_up(office, monkeypatch):
    monkeypatch.setattr(office.project.store, "password_of", lambda _: pytest.fail("looked up"))
    answer = office.client().post("/signin", data={"name": "ann\0", "password": "x"})
    assert answer.status_code == 403


def test_refusals_of_the_coordinators_forms_are_in_the_persons_language(office):
    client = office.client("cleo")
    client.headers["accept-language"] = "zh-CN"
    answer = office.post(client, "/people", name="ann", password=PASSWORD, role="annotator")
    assert "该账号已被使用" in answer.text
    assert "taken" not in answer.text


def test_after_a_refused_form_the_page_still_knows_where_it_is(office):
    client = office.client("cleo")
    client.headers["referer"] = "https://localhost/progress"
    answer = office.post(client, "/people", name="ann", password=PASSWORD, role="annotator")
    assert 'name="back" value="/progress"' in answer.text
    assert '<a href="/progress" aria-current="page">' in answer.text
    client.headers["referer"] = "https://elsewhere.test/x"
    answer = office.post(client, "/people", name="ann", password=PASSWORD, role="annotator")
    assert 'name="back" value="/"' in answer.text


def test_the_address_of_a_form_is_no_page(office):
    answer = office.client("cleo").get("/people")
    assert (answer.status_code, "There is no such page" in answer.text) == (404, True)


def test_a_database_that_fails_is_told_plainly_and_by_name_in_the_log(office, monkeypatch, caplog):
    client = office.client("ann")
    path = begin(office, client)
    fields = {"environment": "COMPLETE", "decision": "NON_VIOLATION", "confidence": "3"}
    office.post(client, f"/desk/{path.rsplit('/', 1)[1]}/pins", what="component:BENIGN_SERVICE")

    def full(*_, **__):
        raise StorageError("disk: no space left")

    token = office.csrf(client)
    with monkeypatch.context() as patched:
        patched.setattr(office.project.store, "writing", full)
        answer = client.post(f"{path}/submit", data={"csrf": token, **fields})
    assert (answer.status_code, "cannot read or save" in answer.text) == (503, True)
    assert "no space left" in caplog.text
    assert "no space left" not in answer.text
    assert client.post(f"{path}/submit", data={"csrf": token, **fields}).status_code == 303
    with office.project.store.writing() as connection:
        connection.execute(text("DROP TABLE sessions"))
    answer = client.get("/")
    assert (answer.status_code, "cannot read or save" in answer.text) == (503, True)
    assert re.search(r"GET /: .*cannot be read: no such table", caplog.text)
