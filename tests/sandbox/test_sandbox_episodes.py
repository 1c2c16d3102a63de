import socket
import urllib.error
import urllib.request
from random import Random

import pytest
from starlette.testclient import TestClient

from riskchainbench.core.errors import InputError, RiskChainError
from riskchainbench.sandbox import app
from riskchainbench.sandbox.app import MAX_BODY, Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.fonts import FONT_PATH, font_names

PART = b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nLin\r\n--b--\r\n'


@pytest.fixture
def sandbox(two_sites):
    return Sandbox(two_sites)


def _client(sandbox, host):
    return TestClient(sandbox, base_url=f"http://{host}")


def test_two_episodes_of_one_site_share_nothing(sandbox):
    one, two = (sandbox.open("c1", Random(n)) for n in (1, 2))
    assert one.host != two.host
    assert one.host.endswith(".test")
    page = _client(sandbox, one.host).post("/n", data={"name": "Lin"})
    assert "First Lin" in page.text
    assert "Lin" not in _client(sandbox, two.host).get("/").text


def test_reset_returns_to_the_initial_state_and_forgets_the_log(sandbox):
    host = sandbox.open("c1", Random(1)).host
    before = sandbox.state_sha256(host)
    _client(sandbox, host).post("/n", data={"name": "Lin"})
    assert sandbox.state_sha256(host) != before
    sandbox.reset(host)
    assert sandbox.state_sha256(host) == before
    assert sandbox.log(host) == ()


def test_unknown_and_closed_hosts_are_misdirected(sandbox):
    host = sandbox.open("c1", Random(1)).host
    assert _client(sandbox, "other.test").get("/").status_code == 421
    sandbox.close(host)
    assert _client(sandbox, host).get("/").status_code == 421
    with pytest.raises(InputError, match="no episode"):
        sandbox.state_sha256(host)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"name": "Lin", "more": {"x": [1, true, null]}}'),
        ("text/plain;charset=UTF-8", b' {"name": "Lin"}'),
        ("application/x-www-form-urlencoded", b"name=Lin"),
        ("multipart/form-data; boundary=b", PART),
    ],
)
def test_scripts_may_send_json_as_forms_send_fields(sandbox, kind, body):
    host = sandbox.open("c1", Random(1)).host
    answer = _client(sandbox, host).post("/n", content=body, headers={"content-type": kind})
    assert "First Lin" in answer.text


@pytest.mark.parametrize("body", [b"[" * 9000, b'{"name"', b"\xff{", b"[1]", b'{"a":' * 4000])
def test_what_is_no_object_of_json_holds_no_field(sandbox, body):
    host = sandbox.open("c1", Random(1)).host
    kind = {"content-type": "application/json"}
    assert _client(sandbox, host).post("/n", content=body, headers=kind).status_code == 204


def test_undeclared_requests_are_recorded_without_effect(sandbox):
    host = sandbox.open("c1", Random(1)).host
    before = sandbox.state_sha256(host)
    assert _client(sandbox, host).get("/secret").status_code == 204
    (served,) = sandbox.log(host)
    assert (served.method, served.path, served.effect) == ("GET", "/secret", "no_effect")
    assert served.state_sha256 == before


def test_headers_are_the_same_for_every_site_and_every_answer(sandbox):
    hosts = [sandbox.open(case, Random(3)).host for case in ("c1", "c2")]
    replies = [_client(sandbox, host).get(path) for host in hosts for path in ("/", "/none")]
    policies = {reply.headers["content-security-policy"] for reply in replies}
    assert len(policies) == 1
    assert "default-src 'self'" in policies.pop()
    assert {reply.headers["cache-control"] for reply in replies} == {"no-store"}
    assert not any("set-cookie" in reply.headers for reply in replies)


def test_typefaces_are_served_under_every_host_and_touch_no_episode(sandbox):
    hosts = [sandbox.open(case, Random(3)).host for case in ("c1", "c2")]
    before = [sandbox.state_sha256(host) for host in hosts]
    replies = [_client(sandbox, host).get(f"{FONT_PATH}{font_names()[0]}") for host in hosts]
    assert {reply.status_code for reply in replies} == {200}
    assert {reply.headers["content-type"] for reply in replies} == {"font/woff2"}
    assert replies[0].content == replies[1].content
    assert _client(sandbox, hosts[0]).get(f"{FONT_PATH}OFL.txt").status_code == 404
    assert [sandbox.state_sha256(host) for host in hosts] == before
    assert sandbox.log(hosts[0]) == ()


def test_oversized_body_is_refused(sandbox):
    host = sandbox.open("c1", Random(1)).host
    reply = _client(sandbox, host).post("/n", content=b"name=" + b"x" * MAX_BODY)
    assert reply.status_code == 413


def test_flood_of_requests_fills_no_memory(sandbox, monkeypatch):
    monkeypatch.setattr(app, "MAX_LOG", 3)
    host = sandbox.open("c1", Random(1)).host
    for _ in range(5):
        _client(sandbox, host).get("/")
    assert len(sandbox.log(host)) == 3


def test_unknown_case_is_named(sandbox):
    with pytest.raises(InputError, match="case c9"):
        sandbox.open("c9", Random(1))


def test_server_serves_by_host_name_and_frees_its_port(sandbox):
    host = sandbox.open("c2", Random(1)).host
    with SandboxServer(sandbox) as server:
        port = server.port
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": host})
        assert b"Second" in urllib.request.urlopen(request, timeout=5).read()
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
        assert refused.value.code == 421
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "localhost.example", ""])
def test_only_loopback_is_served(sandbox, host):
    with pytest.raises(InputError, match="loopback only"):
        SandboxServer(sandbox, host=host)


def test_taken_port_is_one_clear_error(sandbox):
    with (
        SandboxServer(sandbox) as server,
        pytest.raises(RiskChainError, match=f"port {server.port}"),
    ):
        SandboxServer(sandbox, port=server.port).start()
