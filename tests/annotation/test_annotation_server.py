"""The workbench as a team runs it: behind a proxy of its own, and killed in the middle of work."""

from __future__ import annotations

import asyncio
import http.client
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from annotation_world import PASSWORD
from playwright.async_api import async_playwright, expect

from riskchainbench.annotation.agreement import agreement_report
from riskchainbench.annotation.resolution import path_counts
from riskchainbench.annotation.settings import ANNOTATOR
from riskchainbench.annotation.web.bench import Place
from riskchainbench.browser.discovery import find_browser
from riskchainbench.core.errors import UsageError
from riskchainbench.pipeline.annotating import Wanted, fill_demo, open_or_begin, places, workbench

FIELDS = {"environment": "COMPLETE", "decision": "NON_VIOLATION", "confidence": "4"}


@pytest.fixture
def folder(six_bundle, tmp_path):
    """A project with two annotators, handed out and closed again."""
    wanted = Wanted(training=0, repeat_rate=0.0, seed=1)
    project = open_or_begin(six_bundle, tmp_path / "project", wanted, time.time)
    for name in ("ann", "bob"):
        project.add_person(name, ANNOTATOR, PASSWORD)
    project.plan()
    project.close()
    return tmp_path / "project"


class Served:
    """`riskchain annotate` in a process of its own, on a port that stays the same."""

    def __init__(self, bundle: Path, project: Path) -> None:
        self._command = ["annotate", str(bundle), str(project), "--port"]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "riskchainbench.cli", *self._command, str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(900):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError("the workbench did not come up")

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()


@pytest.fixture
def served(six_bundle, folder):
    found = Served(six_bundle.folder, folder)
    try:
        found.start()
        yield found
    finally:
        found.kill()


class Browsing:
    """One person's requests, without a browser."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cookie = ""
        self.ask("POST", "/signin", name="ann", password=PASSWORD)
        self.csrf = re.search(r'name="csrf" value="(\w+)"', self.ask("GET", "/")[1])[1]

    def send(self, method: str, path: str, **form: str) -> http.client.HTTPConnection:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        headers = {
            "Host": f"localhost:{self._port}",
            "Sec-Fetch-Site": "same-origin",
            "Cookie": self.cookie,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        line.request(method, path, urlencode(form), headers)
        return line

    def ask(self, method: str, path: str, **form: str) -> tuple[int, str]:
        answer = self.send(method, path, **form).getresponse()
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].split(";")[0]
        return answer.status, answer.headers.get("location") or answer.read().decode()


@pytest.mark.timeout(170)
def test_a_server_killed_between_click_and_save_loses_nothing(served, six_bundle, folder):
    ann = Browsing(served.port)
    path = ann.ask("POST", "/next", csrf=ann.csrf)[1]
    key = path.rsplit("/", 1)[1]
    draft = {"csrf": ann.csrf, "note": "half a thought"}
    assert ann.ask("POST", f"/desk/{key}/draft", **draft)[0] == 200
    assert (
        ann.ask("POST", f"/desk/{key}/pins", csrf=ann.csrf, what="component:BENIGN_SERVICE")[0]
        == 200
    )
    for _ in range(2):
        ann.send("POST", f"{path}/submit", csrf=ann.csrf, **FIELDS)
        served.kill()
        served.start()
        status, page = ann.ask("GET", path)  # still signed in
        if status == 409:
            assert "judged already" in page
            break
        assert (status, "half a thought" in page, "benign" in page.lower()) == (200, True, True)
    else:
        assert ann.ask("POST", f"{path}/submit", csrf=ann.csrf, **FIELDS)[0] == 303
    served.kill()
    again = open_or_begin(six_bundle, folder, Wanted(), time.time)  # the whole ledger is checked
    assert sum(line.entry.kind == "judgment" for line in again.lines()) == 1
    again.close()


@pytest.mark.browser
@pytest.mark.timeout(170)
async def test_what_is_typed_while_the_server_is_down_is_sent_when_it_is_back(served):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
        )
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(f"http://localhost:{served.port}/")
        await page.fill("[name=name]", "ann")
        await page.fill("[name=password]", PASSWORD)
        await page.click("button.main")
        await page.click("form[action='/next'] button")
        await page.fill("#note", "typed before the end")
        await asyncio.to_thread(served.kill)
        await page.keyboard.press("Alt+2")
        await page.keyboard.press("Alt+Enter")
        await page.wait_for_selector("#saved.bad")
        await page.close(run_before_unload=False)
        page = await context.new_page()
        await asyncio.to_thread(served.start)
        await page.goto(f"http://localhost:{served.port}/")
        await page.click("form[action='/next'] button")
        await expect(page.locator("#saved")).to_have_text("Draft saved", timeout=15_000)
        assert await page.input_value("#note") == "typed before the end"
        assert await page.is_checked("[name=decision][value=NON_VIOLATION]")
        await browser.close()


@asynccontextmanager
async def tls_proxy(folder: Path, port: int) -> AsyncIterator[int]:
    """Stand before the workbench as a team's proxy does: end TLS, pass everything on."""
    made = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-x509"]
    subprocess.run(
        ["openssl", "req", *kind, *made, "-days", "2", "-subj", "/CN=bench.example.test"],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def joined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back[1]), pump(back[0], writer))

    server = await asyncio.start_server(joined, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.browser
@pytest.mark.timeout(90)
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_a_team_works_behind_its_own_proxy(six_bundle, folder, tmp_path):
    place = Place("bench.example.test", "sites.example.test", "https")
    project = open_or_begin(six_bundle, folder, Wanted(), time.time)
    with workbench(six_bundle, project, place=place, pictures=False) as server:
        async with tls_proxy(tmp_path, server.port) as port, async_playwright() as playwright:
            rules = f"MAP *.example.test 127.0.0.1:{port}"
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path),
                args=[
                    "--no-sandbox",
                    "--disable-gpu",
                    f"--host-resolver-rules={rules}",
                    "--ignore-certificate-errors",
                ],
            )
            context = await browser.new_context()
            page = await context.new_page()
            asked = []
            page.on("request", lambda request: asked.append(request))
            await page.goto("https://bench.example.test/")
            await page.fill("[name=name]", "ann")
            await page.fill("[name=password]", PASSWORD)
            await page.click("button.main")
            await page.click("form[action='/next'] button")
            await page.frame_locator("#site").locator("body").wait_for()
            inner = next(frame for frame in page.frames if frame != page.main_frame)
            assert re.fullmatch(r"https://[0-9a-f]{20}\.sites\.example\.test/.*", inner.url)
            assert await inner.evaluate("() => self.origin") == "null"
            cookies = {each["name"]: each for each in await context.cookies()}
            assert cookies["__Host-riskchain"]["domain"] == "bench.example.test"
            assert cookies["__Host-riskchain"]["secure"]
            for request in asked:
                if ".sites." in request.url:
                    assert "cookie" not in await request.all_headers()
            await page.fill("#note", "typed through the proxy")
            await expect(page.locator("#saved")).to_have_text("Draft saved", timeout=15_000)
            before = inner.url
            await page.keyboard.press("Alt+r")
            await expect(page.locator("#site")).not_to_have_attribute("src", before)
            await page.goto("https://other.example.test/")
            assert await page.text_content("body") == "no such host"
            await browser.close()
    slot = project.next_slot("ann")
    assert project.store.visit("ann", str(slot.slot_id))[0].path == "/"
    project.close()


def test_a_demonstration_needs_no_folder_and_nothing_else_goes_without(six_bundle):
    said: list[str] = []
    with (
        pytest.raises(UsageError, match="BUNDLE and PROJECT"),
        places(None, None, demo=False, say=said.append),
    ):
        pass
    with places(six_bundle.folder, None, demo=True, say=said.append) as (bundle, project):
        assert bundle == six_bundle.folder
        made = open_or_begin(six_bundle, project, Wanted(simulated=True), time.time)
        fill_demo(made, six_bundle)
        assert {"ann", "bob", "cleo"} <= {person.name for person in made.store.people()}
        assert made.standing().resolutions
        made.close()
    assert not project.exists()


def test_pages_wait_for_no_long_computation(six_bundle, tmp_path):
    made = open_or_begin(six_bundle, tmp_path / "p", Wanted(training=0), time.time)
    usual = sys.getswitchinterval()
    with workbench(six_bundle, made, pictures=False):
        assert sys.getswitchinterval() <= 0.001
    assert sys.getswitchinterval() == usual
    made.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_demonstration_leaves_work_for_everybody_and_has_repeats(demo_bundle, tmp_path, seed):
    made = open_or_begin(demo_bundle, tmp_path / "p", Wanted(simulated=True, seed=seed), time.time)
    fill_demo(made, demo_bundle)
    assert path_counts(made.standing().resolutions.values())["needs_coordinator"] >= 2
    assert all(made.progress(name).waiting for name in ("ann", "bob"))
    assert agreement_report(made).repeats.joint.of
    made.close()
