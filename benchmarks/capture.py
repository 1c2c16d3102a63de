"""Times the import of captures: one of 300 resources and 20 MB, a hundred of them, small ones.

Prints seconds, processor seconds, peak memory of the importing process, and the size of the
website against its capture. Budgets: 10 s, 300 MB and 1.2 times its size for the large one; for
a hundred on two cores twice that rate, which is 500 s. On a machine that does other work, the
processor seconds are what to compare: half of them is what two idle cores need. A hundred large
captures and what is made of them take 4 GB of disk while it runs.

It also reads a HAR and an MHTML of 200 MB and prints how much memory that takes on top of what
the process held before: readers stream, so it is that of the largest entry, some times over.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import io
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

MB = 1024 * 1024
LIMIT_SECONDS = 10.0
LIMIT_MEMORY = 300 * MB
LIMIT_RATIO = 1.2
HUNDRED_SECONDS = 500.0


def picture(rng: random.Random, size: int) -> bytes:
    """Return a file in the form of a PNG with `size` bytes that no packing makes smaller."""
    out = b"\x89PNG\r\n\x1a\n"
    parts = ((b"IHDR", bytes(13)), (b"tEXt", b"Author\0x"), (b"IDAT", rng.randbytes(size)))
    for name, data in (*parts, (b"IEND", b"")):
        sum_ = zlib.crc32(name + data)
        out += struct.pack(">I", len(data)) + name + data + struct.pack(">I", sum_)
    return out


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
        put(f"/i{number}.png", picture(rng, picture_size), "image/png")
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


def large(path: Path, seed: int) -> int:
    """Write a capture of 300 resources and 20 MB; return the bytes of the bodies in it."""
    return write(path, seed, pages=65, size=60_000, pictures=150, picture_size=80_000)


def one(folder: Path) -> bool:
    """Import one large capture; tell whether it kept within the budget."""
    total = large(folder / "large", 1)
    seconds, cpu, peak = run([folder / "large"], folder / "pool", 1)
    kept = sum(p.stat().st_size for p in (folder / "pool").rglob("*") if p.is_file())
    print(
        f"large: {total / MB:.1f} MB in {seconds:.1f} s ({cpu:.1f} of a processor), "
        f"{peak / MB:.0f} MB of memory, website {kept / total:.2f} x its capture"
    )
    return seconds <= LIMIT_SECONDS and peak <= LIMIT_MEMORY and kept <= LIMIT_RATIO * total


def many(folder: Path, count: int) -> None:
    """Import small captures on two workers."""
    sizes = [write(folder / f"s{n}", n + 2, 6, 10_000, 6, 4_000) for n in range(count)]
    seconds, cpu, _ = run([folder / f"s{n}" for n in range(count)], folder / "many", 2)
    print(
        f"{count} small: {sum(sizes) / MB:.1f} MB in {seconds:.1f} s "
        f"({cpu:.1f} of a processor), {count / seconds:.1f} a second"
    )


def hundred(folder: Path, count: int) -> bool:
    """Import large captures on two workers; tell whether that keeps the budget.

    They come from four templates, each told apart by a record of its own, so that none of the
    work is saved.
    """
    templates = [folder / f"t{n}" for n in range(4)]
    sizes = [large(path, n + 200) for n, path in enumerate(templates)]
    paths, total = [folder / f"l{n}" for n in range(count)], 0
    for n, path in enumerate(paths):
        mark = gzip.compress(f"WARC/1.0\r\nWARC-Type: metadata\r\nX: {n}\r\n\r\n".encode())
        path.write_bytes(templates[n % 4].read_bytes() + mark)
        total += sizes[n % 4]
    seconds, cpu, peak = run(paths, folder / "hundred", 2)
    kept = sum(p.stat().st_size for p in (folder / "hundred").rglob("*") if p.is_file())
    websites = len(list((folder / "hundred" / "websites").iterdir()))
    limit = HUNDRED_SECONDS * count / 100
    print(
        f"{count} large on two workers: {websites} websites, {total / MB:.0f} MB in "
        f"{seconds:.0f} s ({cpu:.0f} of a processor, {cpu / 2:.0f} s on two idle cores; budget "
        f"{limit:.0f} s), {peak / MB:.0f} MB of memory each, websites {kept / total:.2f} x their "
        "captures"
    )
    return seconds <= limit and peak <= LIMIT_MEMORY and kept <= LIMIT_RATIO * total


ENTRIES = 100
_MEASURE = """
import sys
from pathlib import Path
from riskchainbench.capture.exchange import Intake
from riskchainbench.capture.readers.har import read_har
from riskchainbench.capture.readers.mhtml import read_mhtml
from riskchainbench.capture.troubles import Limits

def told(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

before = told("VmRSS")
read = {"har": read_har, "mhtml": read_mhtml}[sys.argv[1]]
count = sum(1 for _ in read(Path(sys.argv[2]), Intake(Limits())))
print(count, told("VmHWM") - before)
"""


def streamed(folder: Path) -> None:
    """Read a HAR and an MHTML of 200 MB and print the memory that it takes."""
    body = random.Random(1).randbytes(3 * MB // 2)
    for form, write_as in (("har", write_har), ("mhtml", write_mhtml)):
        path = folder / form
        write_as(path, body)
        before, cpu = time.monotonic(), _cpu()
        done = subprocess.run(
            [sys.executable, "-c", _MEASURE, form, str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
        count, peak = map(int, done.stdout.split())
        print(
            f"{form} of {path.stat().st_size / MB:.0f} MB, entries of {len(body) / MB:.1f} MB: "
            f"{count} read in {time.monotonic() - before:.1f} s ({_cpu() - cpu:.1f} of a "
            f"processor), {peak / 1024:.0f} MB of memory on top"
        )
        path.unlink()


def write_har(path: Path, body: bytes) -> None:
    text = base64.b64encode(body).decode()
    with path.open("w") as file:
        file.write('{"log":{"entries":[')
        for n in range(ENTRIES):
            file.write("," if n else "")
            file.write(
                f'{{"request":{{"url":"http://shop.test/{n}"}},"response":{{"status":200,"content"'
                f':{{"mimeType":"image/png","encoding":"base64","text":"{text}"}}}}}}'
            )
        file.write("]}}")


def write_mhtml(path: Path, body: bytes) -> None:
    text = base64.encodebytes(body)
    with path.open("wb") as file:
        file.write(b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="e"\r\n\r\n')
        for n in range(ENTRIES):
            file.write(b"--e\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n")
            file.write(f"Content-Location: http://shop.test/{n}\r\n\r\n".encode() + text)
        file.write(b"--e--\r\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--many", type=int, default=100, help="small captures to import")
    parser.add_argument("--large", type=int, default=100, help="large captures to import")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        within = one(folder)
        streamed(folder)
        many(folder, args.many)
        within &= hundred(folder, args.large)
    if not within:
        print("over budget")


if __name__ == "__main__":
    main()
