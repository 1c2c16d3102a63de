"""The workbench under load: 20 annotators at once, and a project of 600 websites opened.

Run with ``python benchmarks/annotation.py``; prints wall and CPU time against the budgets. The
server is a process of its own, as in life; the annotators share this one.
"""

from __future__ import annotations

import http.client
import re
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from riskchainbench.annotation.agreement import agreement_report
from riskchainbench.annotation.opening import create_project, open_project
from riskchainbench.annotation.settings import ANNOTATOR, ProjectSettings
from riskchainbench.annotation.simulate import Rates, simulate
from riskchainbench.bundle import open_bundle
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.pipeline.annotating import Wanted, open_or_begin, workbench
from riskchainbench.pipeline.build import build

PEOPLE, ROUNDS, PASSWORD = 20, 6, "twenty at once"
THINKING = 0.5
"""Seconds between two requests of one person; real people take longer."""


def timed(title: str, work: Callable[[], object], limit: float) -> None:
    begun, spent = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - begun, time.process_time() - spent
    print(f"{title}: {wall:.2f} s, CPU {cpu:.2f} s (budget {limit:g} s)")


def large(folder: Path) -> None:
    codebook = default_codebook()
    types = codebook.type_ids
    cases = [f"w{number:03}" for number in range(600)]
    labels = [(Decision.VIOLATION, types[n % 6]) for n in range(394)]
    labels += [(Decision.NON_VIOLATION, "NONE")] * 181
    labels += [(Decision.INSUFFICIENT_EVIDENCE, "UNKNOWN")] * 25
    settings = ProjectSettings(
        tasks_sha256="a" * 64,
        codebook_sha256=codebook.sha256,
        codebook_version=codebook.version,
        cases=tuple(cases),
        seed="1",
        simulated=True,
    )
    project = create_project(folder, settings, codebook, time.time)
    given = simulate(project, dict(zip(cases, labels, strict=True)), Rates())
    project.close()
    print(f"600 websites, {given} simulated judgments")

    def opening() -> None:
        nonlocal project
        project = open_project(folder, codebook, "a" * 64, time.time)
        project.standing()

    timed("open and verify the project", opening, 1.0)
    timed("agreement report", lambda: agreement_report(project), 2.0)
    paths = agreement_report(project).paths
    print("paths:", {name: count for name, count in paths.items() if count})
    project.close()


class Person:
    """One annotator with a connection of their own."""

    def __init__(self, port: int, name: str) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.host = f"localhost:{port}"
        self.cookie = ""
        self.times: list[tuple[str, float]] = []
        self.ask("POST", "/signin", {"name": name, "password": PASSWORD}, record=False)

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, *, record: bool = True
    ) -> tuple[str, str]:
        headers = {"Host": self.host, "Sec-Fetch-Site": "same-origin", "Cookie": self.cookie}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        begun = time.perf_counter()
        self.line.request(method, path, urlencode(form or {}), headers)
        answer = self.line.getresponse()
        text = answer.read().decode()
        if record:
            page = f"{method} {re.sub(r'[0-9]+', '*', path)}"
            self.times.append((page, 1000 * (time.perf_counter() - begun)))
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].split(";")[0]
        assert answer.status < 400, (method, path, answer.status)
        return text, answer.headers.get("location", "")

    def home(self) -> None:
        self.ask("GET", "/")

    def work(self) -> None:
        draw = Random(id(self))
        time.sleep(draw.random() * 2 * THINKING)
        token = re.search(r'name="csrf" value="(\w+)"', self.ask("GET", "/")[0])
        assert token is not None
        csrf = {"csrf": token[1]}
        for _ in range(ROUNDS):
            time.sleep(draw.random() * 2 * THINKING)
            path = self.ask("POST", "/next", csrf)[1]
            if path == "/":
                return
            key = path.rsplit("/", 1)[1]
            fields = {"environment": "COMPLETE", "decision": "NON_VIOLATION", "confidence": "4"}
            for method, place, form in (
                ("GET", path, None),
                ("POST", f"/desk/{key}/draft", {**csrf, "note": "half"}),
                ("POST", f"/desk/{key}/pins", {**csrf, "what": "component:BENIGN_SERVICE"}),
                ("POST", f"/desk/{key}/draft", {**csrf, **fields}),
                ("POST", f"{path}/submit", {**csrf, **fields}),
            ):
                time.sleep(draw.random() * 2 * THINKING)
                self.ask(method, place, form)


def serve(folder: Path, told: Connection) -> None:
    """Serve the crowd's project until told to stop, and tell the CPU time that took."""
    bundle = open_bundle(folder / "bundle")
    project = open_or_begin(bundle, folder / "crowd", Wanted(), time.time)
    with workbench(bundle, project, pictures=False) as server:
        told.send(server.port)
        told.recv()
        begun = time.process_time()
        told.send("ready")
        told.recv()
    told.send(time.process_time() - begun)
    project.store.verify()
    project.close()


def crowd(folder: Path) -> None:
    build(folder / "bundle", "demo", 7)
    bundle = open_bundle(folder / "bundle")
    project = open_or_begin(bundle, folder / "crowd", Wanted(training=0, seed=1), time.time)
    for number in range(PEOPLE):
        project.add_person(f"p{number}", ANNOTATOR, PASSWORD)
    project.plan()
    project.close()
    here, there = Pipe()
    server = get_context("spawn").Process(target=serve, args=(folder, there))
    server.start()
    port = here.recv()
    people = [Person(port, f"p{number}") for number in range(PEOPLE)]
    here.send("begin")
    here.recv()
    together([person.home for person in people])
    instant = [each for person in people for _, each in person.times]
    for person in people:
        person.times.clear()
    together([person.work for person in people])
    here.send("end")
    spent = here.recv()
    server.join()
    pages: dict[str, list[float]] = {}
    for person in people:
        for page, each in person.times:
            pages.setdefault(page, []).append(each)
    for page, found in sorted(pages.items()):
        print(f"  {page}: {told_times(found)}")
    print(f"  all in the same instant: {told_times(instant)}")
    times = [each for found in pages.values() for each in found]
    each = 1000 * spent / (len(times) + PEOPLE)
    print(
        f"{PEOPLE} people at once: {told_times(times)} (budget 100 ms); CPU {each:.1f} ms a request"
    )


def together(work: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=each) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def told_times(found: list[float]) -> str:
    times = sorted(found)
    middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
    return (
        f"{len(times)} requests, median {middle:.0f} ms, 95 % within {late:.0f} ms, "
        f"slowest {times[-1]:.0f} ms"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        large(Path(folder) / "large")
        crowd(Path(folder))


if __name__ == "__main__":
    main()
