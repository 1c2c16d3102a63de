"""Kept scripts find the answers that were captured, by what they send, and reach nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from json import dumps
from pathlib import Path
from random import Random

import pytest
from captures import Sent, har, warc
from starlette.testclient import TestClient

from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.websites.files import check_website

Write = Callable[[Path, Iterable[Sent]], Path]


@pytest.mark.parametrize("write", [warc, har])
def test_json_bodies_tell_answers_apart(write: Write, tmp_path: Path) -> None:
    json = "application/json"
    sent = [
        {
            "op": "list",
            "filter": {"tag": "red"},
            "user-name": "a@shop-mail.org",
            "t": 1700000000001,
        },
        {"op": "list", "filter": {"tag": "blue"}, "user-name": "", "t": 1700000000002},
        {"op": "item", "id": 7},
    ]
    answers = [
        Sent(
            "/api",
            dumps({"n": n}).encode(),
            json,
            method="POST",
            sent=dumps(body).encode(),
            sent_kind=json,
        )
        for n, body in enumerate(sent)
    ]
    page = Sent("/", b"<title>t</title><script>go()</script>")
    capture = read_capture(write(tmp_path / "x", [page, *answers]))
    found = compile_capture(capture, ImportPolicy(scripts=Scripts.KEEP))
    check_website(found.loaded, "x")
    sandbox = Sandbox({"x": found.loaded})
    client = TestClient(sandbox, base_url=f"http://{sandbox.open('x', Random(1)).host}")

    def asked(**body: object) -> object:
        return client.post("/api", json=body).json()["n"]

    assert asked(**sent[1]) == 1
    assert asked(**{**sent[1], "t": 1700000099999}) == 1  # a time that no visit sends again
    assert asked(**{**sent[0], "user-name": "person1@mail.test"}) == 0  # as the page now says
    assert asked(op="item", id=7) == 2
    assert asked(op="unknown") == 0
