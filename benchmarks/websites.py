"""Times websites: building and proving a pool, the step function, episodes of the sandbox.

    python benchmarks/websites.py [SETS]
    python benchmarks/websites.py --bundle BUNDLE
    python benchmarks/websites.py --pool [SEED] [--processes N]

Prints milliseconds of one core per website for building and proving, pages and steps a
second, and what opening or resetting an episode costs beside the plain baseline of copying
the website's files into memory anew, as one process per website would have to. With
``--bundle``, what it takes to serve a whole bundle, and nothing else. With ``--pool``, each
step of building the pool of 2,500: seconds of all processes, seconds by the clock, megabytes.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import resource
import time
from collections.abc import Callable, MutableMapping
from pathlib import Path
from random import Random

from riskchainbench.bundle import open_bundle
from riskchainbench.checks.proofs import prove_pool
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.seeds import derive
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.pool import candidates_of
from riskchainbench.websites.quotas import packaged_quotas
from riskchainbench.websites.selection import select
from riskchainbench.websites.step import Event, initial_state, step
from riskchainbench.websites.synthesis import BuiltWebsite, build_pool


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def loopback(sandbox: Sandbox, host: str, requests: int = 1000) -> tuple[float, float]:
    """Return milliseconds by the clock of one request, and those of the server's processor."""
    with SandboxServer(sandbox) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        start = time.perf_counter(), time.process_time() - time.thread_time()
        for _ in range(requests):
            connection.request("GET", "/", headers={"Host": host})
            if not connection.getresponse().read():
                raise SystemExit("the sandbox answered without a page")
        end = time.perf_counter(), time.process_time() - time.thread_time()
        connection.close()
    return (end[0] - start[0]) / requests * 1000, (end[1] - start[1]) / requests * 1000


def answered(sandbox: Sandbox, host: str, requests: int = 5000) -> float:
    """Return the pages a second of one core that the application answers, without a network."""
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": "/",
        "raw_path": b"/", "query_string": b"", "headers": [(b"host", host.encode())],
        "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "root_path": "",
    }  # fmt: skip

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, object]) -> None:
        if message.get("status", 200) != 200 or message.get("body") == b"":
            raise SystemExit("the sandbox answered without a page")

    async def ask() -> None:
        for _ in range(requests):
            await sandbox(dict(scope), receive, send)

    return requests / cpu(lambda: asyncio.run(ask()))


def serving(folder: Path) -> None:
    """Load a bundle as the sandbox does; run in a process that does nothing else."""
    sites = open_bundle(folder).websites()
    loaded = _megabytes(resource.RUSAGE_SELF)
    sandbox, rng = Sandbox(sites), Random(1)
    opened: list[str] = []
    seconds = cpu(lambda: opened.extend(sandbox.open(case_id, rng).host for case_id in sites))
    print(f"loaded  {len(sites)} websites: {loaded:.0f} MB of memory in all")
    print(f"open    {seconds / len(sites) * 1000:8.4f} ms an episode")
    print(f"serving {_megabytes(resource.RUSAGE_SELF):8.0f} MB with an episode of each")


def pooling(seed: int, processes: int) -> None:
    """Go through a full build step by step, without messages and files."""
    from riskchainbench.pipeline.build import recipe_of
    from riskchainbench.pipeline.certifying import certificate_of
    from riskchainbench.pipeline.pools import generated
    from riskchainbench.pipeline.workers import Workers

    before = [_cpu_of_all(), time.perf_counter()]

    def lap(name: str) -> None:
        now = [_cpu_of_all(), time.perf_counter()]
        own, child = _megabytes(resource.RUSAGE_SELF), _megabytes(resource.RUSAGE_CHILDREN)
        print(
            f"{name:10} {now[0] - before[0]:7.1f} s of processors {now[1] - before[1]:7.1f} s by "
            f"the clock; {own:.0f} MB, largest other process {child:.0f} MB"
        )
        before[:] = now

    with Workers(processes) as workers:
        found = generated(recipe_of("full", seed, default_codebook()), workers)
        lap("prove")
        certificate = certificate_of(found, derive(seed, "audits"), workers, generated=True)
    lap("audit")
    for name in ("balanced", "paper-mix"):
        selected = select(
            candidates_of(found.websites), packaged_quotas(name), derive(seed, "selection")
        )
        lap(name)
        for line in selected.lines():
            print(f"  {line}")
    for line in certificate.lines() if certificate else ():
        print(f"  {line}")
    for failed in (*found.findings, *(certificate.audits.findings if certificate else ())):
        print(f"  FAILED {failed}")


def _cpu_of_all() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _megabytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def main(sets: int) -> None:
    codebook = default_codebook()
    pool: list[BuiltWebsite] = []
    seconds = cpu(lambda: pool.extend(build_pool(1, codebook, sets)))
    print(f"build   {seconds / len(pool) * 1000:8.2f} ms a website ({len(pool)} websites)")
    seconds = cpu(lambda: prove_pool(pool, codebook))
    print(f"prove   {seconds / len(pool) * 1000:8.2f} ms a website")

    rounds = max(1, 20_000 // len(pool))
    views: list[int] = []

    def steps() -> None:
        for built in pool:
            state = initial_state(built.loaded)
            for transition in built.loaded.website.transitions[:1] * rounds:
                state, view = step(built.loaded, state, Event("GET", transition.path))
                views.append(len(view.body))

    seconds = cpu(steps)
    print(f"step    {len(views) / seconds:8.0f} a second")

    sandbox = Sandbox({built.pool_id: built.loaded for built in pool})
    rng = Random(1)
    opened: list[str] = []
    opens = cpu(lambda: opened.extend(sandbox.open(b.pool_id, rng).host for b in pool)) / len(pool)
    resets = cpu(lambda: [sandbox.reset(host) for host in opened]) / len(pool)
    copies = cpu(lambda: [dict(Sandbox({b.pool_id: b.loaded}).__dict__) for b in pool]) / len(pool)
    plain = cpu(
        lambda: [{n: bytes(bytearray(d)) for n, d in b.loaded.files.items()} for b in pool]
    ) / len(pool)
    print(f"open    {opens * 1000:8.4f} ms; reset {resets * 1000:.4f} ms")
    print(
        f"plain   {(copies + plain) * 1000:8.4f} ms: a sandbox of its own and a copy of the files"
    )
    print(f"answer  {answered(sandbox, opened[0]):8.0f} pages a second of a core, in process")
    clock, served = loopback(sandbox, opened[0])
    print(f"request {clock:8.3f} ms over loopback, client included (wall)")
    print(f"serve   {1000 / served:8.0f} pages a second of a core, over loopback")
    size = sum(len(data) for built in pool for data in built.loaded.files.values())
    memory = _megabytes(resource.RUSAGE_SELF)
    print(f"size    {size / len(pool) / 1000:8.1f} kB a website; {memory:.0f} MB of memory in all")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="?", type=int, default=60)
    parser.add_argument("--bundle", type=Path)
    parser.add_argument("--pool", nargs="?", type=int, const=1)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    if asked.bundle is not None:
        serving(asked.bundle)
    elif asked.pool is not None:
        pooling(asked.pool, asked.processes)
    else:
        main(asked.sets)
