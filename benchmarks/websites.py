"""Times websites: building and proving a pool, the step function, episodes of the sandbox.

    python benchmarks/websites.py [SETS]

Prints milliseconds of one core per website for building and proving, pages and steps a
second, and what opening or resetting an episode costs beside the plain baseline of copying
the website's files into memory anew, as one process per website would have to.
"""

from __future__ import annotations

import http.client
import resource
import sys
import time
from collections.abc import Callable
from random import Random

from riskchainbench.checks.proofs import prove_pool
from riskchainbench.core.codebook import default_codebook
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.step import Event, initial_state, step
from riskchainbench.websites.synthesis import BuiltWebsite, build_pool


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def loopback(sandbox: Sandbox, host: str, requests: int = 1000) -> float:
    with SandboxServer(sandbox) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        start = time.perf_counter()
        for _ in range(requests):
            connection.request("GET", "/", headers={"Host": host})
            connection.getresponse().read()
        seconds = time.perf_counter() - start
        connection.close()
    return seconds / requests * 1000


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
    print(f"request {loopback(sandbox, opened[0]):8.3f} ms over loopback, client included (wall)")
    size = sum(len(data) for built in pool for data in built.loaded.files.values())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"size    {size / len(pool) / 1000:8.1f} kB a website; {memory:.0f} MB of memory in all")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
