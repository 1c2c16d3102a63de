"""Every format gives the same exchanges; what is broken gives a named failure or a safe rest."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard
from captures import ORIGIN, Sent, arc, har, mhtml, saved, wacz, warc, warc_bytes, warc_zst
from hypothesis import given
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from riskchainbench.capture.archive import Archive
from riskchainbench.capture.content import decoded, media_type, text_of, unchunked
from riskchainbench.capture.exchange import Capture, CaptureKind, Exchange
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.troubles import CaptureError, Limits, Trouble

PAGES = (
    Sent("/", b"<!DOCTYPE html><title>t</title><img src=a.png><a href=b>b</a>"),
    Sent("/a.png", b"\x89PNG\r\n\x1a\nrest", "image/png"),
    Sent("/b", "<p>zwölf 中文</p>".encode()),
)


def bodies(capture: Capture) -> dict[str, bytes]:
    return {exchange.url: exchange.body for exchange in capture.exchanges}


def expected() -> dict[str, bytes]:
    return {page.url: page.body for page in PAGES}


def trouble(path: Path, limits: Limits | None = None) -> Trouble:
    with pytest.raises(CaptureError) as caught:
        read_capture(path, limits)
    return caught.value.trouble


@pytest.mark.parametrize("packed", [True, False])
def test_warc(tmp_path: Path, packed: bool) -> None:
    capture = read_capture(warc(tmp_path / "no-ending", PAGES, packed=packed))
    assert capture.kind is CaptureKind.WARC
    assert bodies(capture) == expected()


@pytest.mark.parametrize("learned", [False, True])
def test_warc_in_zstandard_frames(tmp_path: Path, learned: bool) -> None:
    capture = read_capture(warc_zst(tmp_path / "x", PAGES, learned=learned))
    assert capture.kind is CaptureKind.WARC
    assert bodies(capture) == expected()
    assert capture.notes == ()


def test_a_zstandard_archive_that_is_cut_off_is_read_up_to_there(tmp_path: Path) -> None:
    path = warc_zst(tmp_path / "x", PAGES)
    path.write_bytes(path.read_bytes()[:-20])
    capture = read_capture(path)
    assert set(bodies(capture)) < set(expected())
    assert "cut off" in capture.notes[0]


@pytest.mark.parametrize("packed", [True, False])
def test_arc(tmp_path: Path, packed: bool) -> None:
    capture = read_capture(arc(tmp_path / "x", PAGES, packed=packed))
    assert capture.kind is CaptureKind.WARC
    assert bodies(capture) == expected()
    assert capture.exchanges[1].header("content-type") == "image/png"


def test_warc_in_parts(tmp_path: Path) -> None:
    warc(tmp_path / "x-00000.warc.gz", PAGES[:1])
    warc(tmp_path / "x-00001.warc.gz", PAGES[1:])
    assert bodies(read_capture(tmp_path)) == expected()


def test_wacz(tmp_path: Path) -> None:
    capture = read_capture(wacz(tmp_path / "x", PAGES, start="/b"))
    assert (capture.kind, capture.start) == (CaptureKind.WACZ, f"{ORIGIN}/b")
    assert bodies(capture) == expected()


def test_har(tmp_path: Path) -> None:
    capture = read_capture(har(tmp_path / "x", PAGES))
    assert capture.kind is CaptureKind.HAR
    assert bodies(capture) == expected()


def test_har_without_bodies_says_so(tmp_path: Path) -> None:
    capture = read_capture(har(tmp_path / "x", PAGES, bodies=False))
    assert not any(exchange.whole for exchange in capture.exchanges)
    assert capture.notes == ("3 of 3 entries hold no body",)
    with pytest.raises(CaptureError) as caught:
        Archive(capture).start()
    assert caught.value.trouble is Trouble.NO_START_PAGE


def test_mhtml(tmp_path: Path) -> None:
    capture = read_capture(mhtml(tmp_path / "x", PAGES))
    assert (capture.kind, capture.start) == (CaptureKind.MHTML, f"{ORIGIN}/")
    assert bodies(capture) == expected()


def test_a_saved_page_with_its_folder(tmp_path: Path) -> None:
    capture = read_capture(saved(tmp_path, PAGES))
    assert capture.kind is CaptureKind.SAVED
    assert capture.start == f"{ORIGIN}/"
    assert bodies(capture)[f"{ORIGIN}/page_files/a.png"] == PAGES[1].body


def test_a_single_page(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_text(
        "<!DOCTYPE html><html><!--\n Page saved with SingleFile \n url: http://shop.test/p \n-->"
    )
    capture = read_capture(path)
    assert (capture.kind, capture.start) == (CaptureKind.SINGLE, "http://shop.test/p")


def test_a_mirror_names_each_file_by_every_url_it_stands_for(tmp_path: Path) -> None:
    folder = tmp_path / "m" / "shop.test"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<p>home")
    (folder / "b.html?x=1.html").write_text("<p>b")
    archive = Archive(read_capture(tmp_path / "m"))
    assert archive.start().url == f"{ORIGIN}/"
    for url in ("/b.html%3Fx=1.html", "/b.html?x=1"):
        found = archive.find(ORIGIN + url)
        assert found is not None
        assert found.exchange.body == b"<p>b"


def test_a_folder_of_captures_is_no_mirror(tmp_path: Path) -> None:
    har(tmp_path / "a", PAGES)
    mhtml(tmp_path / "b", PAGES)
    with pytest.raises(CaptureError, match="name the files in it one by one"):
        read_capture(tmp_path)
    (tmp_path / "index.html").write_text("<p>home")
    assert read_capture(tmp_path).kind is CaptureKind.MIRROR


def test_a_link_out_of_a_mirror_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("<p>secret")
    folder = tmp_path / "m" / "shop.test"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<p>home")
    (folder / "out.html").symlink_to(secret)
    capture = read_capture(tmp_path / "m")
    assert b"<p>secret" not in bodies(capture).values()
    assert capture.notes == ("a link that leads out of the capture was left out",)


@pytest.mark.parametrize("order", ["request first", "response first"])
def test_the_request_of_a_response_is_found_on_either_side(tmp_path: Path, order: str) -> None:
    data = warc_bytes([Sent("/f", b"<p>ok", method="POST", sent=b"a=1")], packed=False)
    if order == "request first":
        place = data.index(b"WARC/1.0", 1)
        data = data[place:] + data[:place]
    path = tmp_path / "x"
    path.write_bytes(data)
    (exchange,) = read_capture(path).exchanges
    assert (exchange.method, exchange.sent) == ("POST", b"a=1")


def test_a_revisit_has_the_body_of_what_it_points_to(tmp_path: Path) -> None:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    body = io.BytesIO(b"<p>same")
    first = writer.create_warc_record(f"{ORIGIN}/", "response", payload=body, http_headers=head)
    writer.write_record(first)
    digest = first.rec_headers.get_header("WARC-Payload-Digest")
    date = "2026-01-01T00:00:00Z"
    again = writer.create_revisit_record(f"{ORIGIN}/again", digest, f"{ORIGIN}/", date)
    writer.write_record(again)
    path = tmp_path / "x"
    path.write_bytes(out.getvalue())
    assert bodies(read_capture(path)) == {f"{ORIGIN}/": b"<p>same", f"{ORIGIN}/again": b"<p>same"}


def test_chunks_and_compression_are_undone(tmp_path: Path) -> None:
    packed = gzip.compress(b"<p>packed", mtime=0)
    rest = f"{len(packed) - 5:x};x=y\r\n".encode() + packed[5:]
    chunked = b"5\r\n" + packed[:5] + b"\r\n" + rest + b"\r\n0\r\n\r\n"
    headers = (("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"))
    capture = read_capture(warc(tmp_path / "x", [Sent("/", chunked, headers=headers)]))
    assert capture.exchanges[0].body == b"<p>packed"


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("gzip", gzip.compress(b"body", mtime=0)),
        ("deflate", zlib.compress(b"body")),
        ("deflate", zlib.compress(b"body")[2:-4]),
        ("br", brotli.compress(b"body")),
        ("zstd", zstandard.compress(b"bo") + zstandard.compress(b"dy")),
        ("gzip, br", brotli.compress(gzip.compress(b"body", mtime=0))),
        ("gzip", b"body"),
        ("identity", b"body"),
    ],
)
def test_content_encodings(encoding: str, data: bytes) -> None:
    assert decoded(data, encoding, 1000, lambda n: None) == (b"body", True)


def test_an_unknown_content_encoding_is_not_whole() -> None:
    assert decoded(b"x", "compress", 1000, lambda n: None) == (b"x", False)


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd"])
def test_a_bomb_in_a_body_is_cut_at_the_cap(encoding: str) -> None:
    data = bytes(50_000_000)
    packed = {
        "gzip": lambda: gzip.compress(data, 9),
        "br": lambda: brotli.compress(data, quality=1),
        "deflate": lambda: zlib.compress(data),
        "zstd": lambda: zstandard.compress(data),
    }[encoding]()
    body, whole = decoded(packed, encoding, 100_000, lambda n: None)
    assert (len(body), whole) == (100_000, False)


def test_a_bomb_around_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b"WARC/1.0\r\nX: " + bytes(20_000_000), 9))
    assert trouble(path, Limits(inflated=1_000_000)) is Trouble.TOO_LARGE


def test_a_bomb_around_a_zstandard_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(zstandard.compress(b"WARC/1.0\r\nX: " + bytes(20_000_000)))
    assert trouble(path, Limits(inflated=1_000_000)) is Trouble.TOO_LARGE


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/a.warc", b"WARC/1.0\r\nX: " + bytes(20_000_000))
    assert trouble(path, Limits(inflated=1_000_000)) is Trouble.TOO_LARGE


def test_a_path_that_climbs_out_of_a_zip_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "in" / "x"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../archive/a.warc.gz", warc_bytes(PAGES))
    assert bodies(read_capture(path)) == expected()
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["in", "x"]


def test_a_password_is_named(tmp_path: Path) -> None:
    path = wacz(tmp_path / "x", PAGES)
    data = bytearray(path.read_bytes())
    place = 0
    while (place := data.find(b"PK\x01\x02", place)) >= 0:
        data[place + 8] |= 1
        place += 1
    path.write_bytes(bytes(data))
    assert trouble(path) is Trouble.ENCRYPTED


def test_truncated_gzip_gives_what_came_before(tmp_path: Path) -> None:
    data = warc_bytes(PAGES)
    path = tmp_path / "x"
    path.write_bytes(data[: len(data) - 200])
    capture = read_capture(path)
    assert bodies(capture)[f"{ORIGIN}/"] == PAGES[0].body
    assert capture.notes


def test_a_length_that_lies_swallows_what_follows_and_no_more(tmp_path: Path) -> None:
    data = warc_bytes(PAGES, packed=False)
    place = data.index(b"Content-Length: ")
    end = data.index(b"\r\n", place)
    path = tmp_path / "x"
    path.write_bytes(data[:place] + b"Content-Length: 99999999" + data[end:])
    (exchange,) = read_capture(path).exchanges
    assert exchange.url == f"{ORIGIN}/"


def test_too_many_responses_are_refused(tmp_path: Path) -> None:
    path = warc(tmp_path / "x", PAGES)
    assert trouble(path, Limits(exchanges=2)) is Trouble.TOO_LARGE


def test_a_response_that_is_too_large_is_left_out_and_noted(tmp_path: Path) -> None:
    pages = (*PAGES, Sent("/big", bytes(3_000_000), "image/png"))
    capture = read_capture(warc(tmp_path / "x", pages), Limits(resource=1_000_000))
    assert bodies(capture)[f"{ORIGIN}/big"] == b""
    assert capture.notes == ("a response of more than 0 MiB was left out",)


@pytest.mark.parametrize(
    ("data", "expected_trouble"),
    [
        (b"", Trouble.UNKNOWN_FORMAT),
        (b"%PDF-1.7", Trouble.UNKNOWN_FORMAT),
        (b"PK\x03\x04rubbish", Trouble.MALFORMED),
        (b'{"log": 3}', Trouble.MALFORMED),
        (b'{"log": {"entries": []}}', Trouble.EMPTY),
        (b"[" * 100_000, Trouble.UNKNOWN_FORMAT),
        (b'{"log":' + b"[" * 200_000, Trouble.MALFORMED),
        (b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", Trouble.EMPTY),
    ],
)
def test_what_is_no_capture_is_named(
    tmp_path: Path, data: bytes, expected_trouble: Trouble
) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    assert trouble(path) is expected_trouble


def test_a_folder_without_files_is_empty(tmp_path: Path) -> None:
    assert trouble(tmp_path) is Trouble.EMPTY


def test_malformed_entries_of_a_har_are_left_out(tmp_path: Path) -> None:
    path = har(tmp_path / "x", PAGES)
    value = json.loads(path.read_text())
    value["log"]["entries"].insert(1, {"request": 3})
    value["log"]["entries"].append(None)
    path.write_text(json.dumps(value))
    capture = read_capture(path)
    assert bodies(capture) == expected()
    assert len(capture.notes) == 2


@pytest.mark.parametrize(
    ("header", "body", "kind"),
    [
        ("text/html", b"{}", "text/html"),
        ("", b"<!DOCTYPE HTML><p>", "text/html"),
        ("", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("text/plain", b"<html>", "text/plain"),
        ("application/octet-stream", b"GIF89a", "image/gif"),
        ("application/x-javascript", b"1", "text/javascript"),
        ("nonsense", b"<svg xmlns='x'>", "image/svg+xml"),
        ("", b"\0\1\2", "application/octet-stream"),
    ],
)
def test_types_are_told_as_browsers_tell_them(header: str, body: bytes, kind: str) -> None:
    assert (
        media_type(Exchange("http://a.test/", headers=(("content-type", header),), body=body))
        == kind
    )


@pytest.mark.parametrize(
    ("header", "body", "text"),
    [
        ("text/html; charset=gb2312", "中".encode("gb18030"), "中"),
        ("text/html; charset=utf-8", b"\xff\xfe" + "中".encode("utf-16-le"), "中"),
        ("text/html", b"<meta charset=big5>" + "中".encode("big5"), "<meta charset=big5>中"),
        ("text/html; charset=iso-8859-1", b"\x80", "€"),
        ("text/html", b"\xe9", "é"),
        ("text/html; charset=no-such", "é".encode(), "é"),
        ("text/html; charset=utf-8", b"a\xffb", "a\ufffdb"),
        ("text/html; charset=shift_jis", "日本".encode("cp932"), "日本"),
    ],
)
def test_charsets_are_chosen_as_browsers_choose(header: str, body: bytes, text: str) -> None:
    exchange = Exchange("http://a.test/", headers=(("content-type", header),), body=body)
    assert text_of(exchange, "text/html")[0] == text


def test_an_endless_chain_of_redirects_is_nothing(tmp_path: Path) -> None:
    pages = [Sent(f"/{n}", status=302, headers=(("Location", f"/{n + 1}"),)) for n in range(50)]
    archive = Archive(read_capture(warc(tmp_path / "x", [*PAGES, *pages])))
    assert archive.find(f"{ORIGIN}/0") is None


@given(st.binary(max_size=200))
def test_chunks_never_fail(data: bytes) -> None:
    assert len(unchunked(data)) <= len(data)
