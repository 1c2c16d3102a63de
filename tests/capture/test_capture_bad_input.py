"""Every bad input ends in a named failure or a safe website, and touches its pool alone."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from captures import ORIGIN, Sent, har, warc, warc_bytes

from riskchainbench.capture.entry import records
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.record import Provenance
from riskchainbench.capture.seal import seal_problems
from riskchainbench.pipeline.importing import ImportRow, import_captures
from riskchainbench.websites.files import read_website

HOME = Sent("/", b"<title>t</title><p>Home <a href=/b>b</a>")
SECOND = Sent("/b", b"<p>Second")
PHONING = (
    b"<title>t</title><p>Calm</p><script>fetch('http://203.0.113.9/x')</script>"
    b"<img src=//203.0.113.9/p.gif><form action=https://203.0.113.9/f><input name=a></form>"
)


def truncated(path: Path) -> None:
    data = warc_bytes([HOME, SECOND, Sent("/c", bytes(range(256)) * 900, "image/png")])
    path.write_bytes(data[: len(data) * 2 // 3])


def lying_length(path: Path) -> None:
    data = warc_bytes([HOME, SECOND], packed=False)
    path.write_bytes(data.replace(b"Content-Length: ", b"Content-Length: 9999", 3))


def zip_bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/a.warc", b"WARC/1.0\r\nX: " + bytes(8_000_000))


def gzip_bomb(path: Path) -> None:
    path.write_bytes(gzip.compress(b"WARC/1.0\r\nX: " + bytes(8_000_000)))


def climbing(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../escaped.warc.gz", warc_bytes([HOME]))
        archive.writestr("/absolute.warc.gz", warc_bytes([SECOND]))


def encrypted(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/a.warc.gz", warc_bytes([HOME]))
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))


def huge_page(path: Path) -> None:
    path.write_bytes(b"<!DOCTYPE html><title>t</title>" + b"<p>text " * (50_000_000 // 8))


def redirects(path: Path) -> None:
    away = [Sent(f"/r{n}", status=302, headers=(("Location", f"/r{n + 1}"),)) for n in range(60)]
    loop = Sent("/loop", status=301, headers=(("Location", "/loop"),))
    warc(path, [Sent("/", b"<p>Home <a href=/r0>r</a><a href=/loop>l</a>"), *away, loop])


Make = Callable[[Path], object]
BAD: dict[str, tuple[Make, str, str]] = {
    "truncated gzip": (truncated, "imported", "cut off"),
    "a length that lies": (lying_length, "imported", ""),
    "a zip bomb": (zip_bomb, "failed", "too large"),
    "a gzip bomb": (gzip_bomb, "failed", "too large"),
    "paths that climb out": (climbing, "imported", ""),
    "a password": (encrypted, "failed", "password-protected"),
    "a page of 50 MB": (huge_page, "failed", "too large"),
    "wrong charset": (
        lambda path: warc(path, [Sent("/", b"<p>\xff\xfe\xe4", "text/html; charset=utf-99")]),
        "imported",
        "",
    ),
    "endless redirects": (redirects, "imported", ""),
    "URLs that are no UTF-8": (
        lambda path: har(path, [Sent("/", b"<p>x<a href='/%ff%fe'>y</a>"),
                                Sent("/\udcff", b"<p>odd"), Sent("/%ff%fe", b"<p>raw")]),
        "imported",
        "",
    ),
    "no start page": (
        lambda path: warc(path, [Sent("/a.png", b"\x89PNG\r\n\x1a\n", "image/png")]),
        "failed",
        "no start page",
    ),
    "a script that phones home": (lambda path: warc(path, [Sent("/", PHONING)]), "imported", ""),
    "a HAR that is cut off": (
        lambda path: path.write_text('{"log":{"entries":[{"request":'), "failed", "damaged after 0"
    ),
    "nothing": (lambda path: path.write_bytes(b""), "failed", "unknown format"),
}  # fmt: skip


@pytest.mark.parametrize("scripts", [Scripts.DROP, Scripts.KEEP])
@pytest.mark.parametrize("name", BAD)
def test_it_ends_in_a_name_or_in_a_safe_website(
    name: str, scripts: Scripts, tmp_path: Path
) -> None:
    make, outcome, said = BAD[name]
    path = tmp_path / "in" / "x"
    path.parent.mkdir()
    make(path)
    policy = ImportPolicy(scripts=scripts)
    policy = policy.but(limits=policy.limits.but(inflated=4_000_000))
    if name == "a page of 50 MB":
        policy = ImportPolicy(scripts=scripts)
    row = imported(path, tmp_path / "pool", policy)
    assert row.outcome == outcome
    assert said in " ".join((row.trouble, row.detail, *row.warnings))
    assert {each.name for each in tmp_path.iterdir()} == {"in", "pool"}
    assert [each.name for each in path.parent.iterdir()] == ["x"]
    for record in records(tmp_path / "pool"):
        loaded = read_website(tmp_path / "pool" / "websites" / record.pool_id)
        assert seal_problems(loaded, ["203.0.113.9", ORIGIN[7:]]) == () or scripts is Scripts.KEEP
        assert seal_problems(loaded, [ORIGIN[7:]]) == ()


def imported(path: Path, pool: Path, policy: ImportPolicy) -> ImportRow:
    (row,) = import_captures(
        [path], pool, policy, Provenance(), workers=1, tell=lambda *_: None
    ).rows
    return row
