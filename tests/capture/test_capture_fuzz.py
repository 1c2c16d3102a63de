"""Whatever is done to a capture, reading and compiling it gives a website or a named failure."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from captures import Sent, arc, har, mhtml, saved, wacz, warc, warc_zst
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import format_of, read_capture
from riskchainbench.capture.seal import seal_problems
from riskchainbench.capture.troubles import CaptureError
from riskchainbench.websites.files import check_website

PAGES = (
    Sent(
        "/",
        b"<!DOCTYPE html><title>t</title><link rel=stylesheet href=s.css><img src=a.png srcset="
        b"'a.png 2x'><a href=b?x=1#y>b</a><form action=/f method=post><input name=n></form>"
        b"<script>f()</script><p style='color:red' onclick='x()'>Text</p>",
    ),
    Sent("/s.css", b"@import 'b.css';p{background:url(a.png)}", "text/css"),
    Sent("/a.png", b"\x89PNG\r\n\x1a\n\0\0\0\4IHDRrest....", "image/png"),
    Sent("/f", b"<p>Sent", method="POST", sent=b"n=1"),
    Sent("/b?x=1", "<p>zw\u00f6lf \u4e2d\u6587</p>".encode()),
)
FILES: dict[str, Callable[[Path], Path]] = {
    "warc": lambda path: warc(path, PAGES),
    "plain warc": lambda path: warc(path, PAGES, packed=False),
    "zstd warc": lambda path: warc_zst(path, PAGES, learned=True),
    "arc": lambda path: arc(path, PAGES, packed=False),
    "wacz": lambda path: wacz(path, PAGES),
    "har": lambda path: har(path, PAGES),
    "mhtml": lambda path: mhtml(path, PAGES),
}


@dataclass(frozen=True)
class Whole:
    """Undamaged captures; not shown when a test fails."""

    files: dict[str, bytes] = field(repr=False)

    def __repr__(self) -> str:
        return "Whole"


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder = tmp_path_factory.mktemp("whole")
    files = {name: write(folder / name).read_bytes() for name, write in FILES.items()}
    return Whole({**files, "html": PAGES[0].body})


def damaged(body: bytes, rng: random.Random) -> bytes:
    data = bytearray(body)
    for _ in range(rng.randrange(1, 8)):
        if not data:
            break
        place = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                del data[place : place + rng.randrange(1, 40)]
            case 1:
                data[place:place] = data[place : place + rng.randrange(1, 40)]
            case _:
                data[place] = rng.randrange(256)
    return bytes(data)


def websites(path: Path) -> None:
    """Read and compile; a named failure is as good as a website that is sealed."""
    try:
        capture = read_capture(path)
        for scripts in (Scripts.DROP, Scripts.KEEP):
            found = compile_capture(capture, ImportPolicy(scripts=scripts))
            check_website(found.loaded, "x")
            assert seal_problems(found.loaded, []) == ()
    except CaptureError:
        return


@pytest.mark.parametrize("seed", [*FILES, "html"])
@given(st.integers(0, 2**32))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_damaged_file_gives_a_website_or_a_named_failure(
    intact: Whole, tmp_path: Path, seed: str, number: int
) -> None:
    path = tmp_path / "x"
    path.write_bytes(damaged(intact.files[seed], random.Random(number)))
    websites(path)


@pytest.mark.parametrize("kind", ["saved", "mirror", "archive in parts"])
@given(st.integers(0, 2**32))
@example(59)  # strings that are cut off hold what looks like references
@example(125)
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_damaged_folder_gives_a_website_or_a_named_failure(
    intact: Whole, tmp_path: Path, kind: str, number: int
) -> None:
    rng = random.Random(number)
    folder = tmp_path / "f"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if kind == "saved":
        saved(folder, [PAGES[0], *PAGES[1:3]])
    elif kind == "mirror":
        for page in PAGES[:3]:
            target = folder / "shop.test" / (page.path.strip("/") or "index.html")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(page.body)
    else:
        for part in ("a.warc.gz", "b.warc"):
            (folder / part).write_bytes(damaged(intact.files["warc"], rng))
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        path.write_bytes(damaged(path.read_bytes(), rng))
        if rng.random() < 0.3:
            odd = bytes(rng.choice(b"\xff\xe4%?@#;:&=. aA-") for _ in range(rng.randrange(1, 12)))
            if odd.strip(b"."):
                path.rename(path.parent / odd.decode("utf-8", "surrogateescape"))
    websites(folder)


def test_formats_are_told_by_content(intact: Whole, tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    found = []
    for body in intact.files.values():
        path.write_bytes(body)
        found.append(format_of(path).value)
    assert found == ["warc", "warc", "warc", "warc", "wacz", "har", "mhtml", "single page"]
