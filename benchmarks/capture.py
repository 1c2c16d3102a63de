"""Times the import of captures: one of 300 resources and 20 MB, then a hundred small ones.

Prints seconds, processor seconds, peak memory of the importing process, and the size of the
website against its capture. Budgets: 10 s and 300 MB for the large one; twice its rate on two
cores for many.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

MB = 1024 * 1024
LIMIT_SECONDS = 10.0
LIMIT_MEMORY = 300 * MB
LIMIT_RATIO = 1.2


def page(rng: random.Random, number: int, pages: int, size: int) -> bytes:
    """Return a page of about `size` bytes with links, pictures, styles and text."""
    words = ("site", "offers", "news", "for", "members", "with", "prices", "and", "reviews")
    head = f"<!DOCTYPE html><html lang=en><title>Page {number}</title>"
    parts = [f"{head}<link rel=stylesheet href=/s{number % 20}.css>"]
    length = 0
    while length < size:
        text = " ".join(rng.choice(words) for _ in range(30))
        target, picture = rng.randrange(pages), rng.randrange(150)
        part = (
            f'<div class="c{rng.randrange(40)}" style="margin:{rng.randrange(9)}px"><p>{text} '
            f'<a href="/p{target}?from={number}#x">go</a><img src="/i{picture}.png" alt="">'
            "</p></div>\n"
        )
        parts.append(part)
        length += len(part)
    return "".join(parts).encode()


def write(path: Path, seed: int, pages: int, size: int, pictures: int, picture_size: int) -> int:
    """Write a WARC and return the bytes of the bodies in it."""
    rng = random.Random(seed)
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    total = 0

    def put(url: str, body: bytes, kind: str) -> None:
        nonlocal total
        head = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
        record = writer.create_warc_record(
            f"http://shop{seed}.test{url}", "response", payload=io.BytesIO(body), http_headers=head
        )
        writer.write_record(record)
        total += len(body)

    put("/", page(rng, 0, pages, size), "text/html")
    for number in range(pages):
        body = page(rng, number, pages, size)
        put(f"/p{number}?from={rng.randrange(pages)}", body, "text/html")
        put(f"/p{number}?from=0", body, "text/html")
    for number in range(20):
        rules = "".join(
            f".c{n}{{color:#{rng.randrange(1 << 24):06x};background:url(/i{n}.png)}}\n"
            for n in range(400)
        )
        put(f"/s{number}.css", rules.encode(), "text/css")
    for number in range(pictures):
        put(f"/i{number}.png", b"\x89PNG\r\n\x1a\n" + rng.randbytes(picture_size), "image/png")
    path.write_bytes(out.getvalue())
    return total


def run(captures: list[Path], pool: Path, workers: int) -> tuple[float, float, int]:
    """Import in a process of its own; return seconds, processor seconds and peak memory."""
    before, cpu = time.monotonic(), _cpu()
    command = [sys.executable, "-m", "riskchainbench.cli", "import", *map(str, captures)]
    subprocess.run(
        [*command, "--out", str(pool), "--workers", str(workers), "--json"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return time.monotonic() - before, _cpu() - cpu, peak


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--many", type=int, default=100, help="small captures to import")
    many = parser.parse_args().many
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        total = write(folder / "large", 1, pages=65, size=60_000, pictures=150, picture_size=80_000)
        seconds, cpu, peak = run([folder / "large"], folder / "pool", 1)
        kept = sum(p.stat().st_size for p in (folder / "pool").rglob("*") if p.is_file())
        print(
            f"large: {total / MB:.1f} MB in {seconds:.1f} s ({cpu:.1f} of a processor), "
            f"{peak / MB:.0f} MB of memory, website {kept / total:.2f} x its capture"
        )
        sizes = [write(folder / f"s{n}", n + 2, 6, 10_000, 6, 4_000) for n in range(many)]
        small, small_cpu, _ = run([folder / f"s{n}" for n in range(many)], folder / "many", 2)
        print(
            f"{many} small: {sum(sizes) / MB:.1f} MB in {small:.1f} s "
            f"({small_cpu:.1f} of a processor), {many / small:.1f} a second"
        )
        if seconds > LIMIT_SECONDS or peak > LIMIT_MEMORY or kept > LIMIT_RATIO * total:
            print("over budget")


if __name__ == "__main__":
    main()
