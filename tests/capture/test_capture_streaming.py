"""HAR and MHTML are read one entry or part at a time, however they are written."""

from __future__ import annotations

import base64
import io
import json
import tracemalloc
from pathlib import Path

import pytest
from captures import ORIGIN, Sent, har, mhtml
from hypothesis import given, settings
from hypothesis import strategies as st

from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.readers import json_text
from riskchainbench.capture.readers.har import read_har
from riskchainbench.capture.readers.json_text import JsonText
from riskchainbench.capture.readers.mhtml import read_mhtml
from riskchainbench.capture.troubles import CaptureError, Limits

MB = 1024 * 1024
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=5), st.integers(1, 9), st.sampled_from((None, 1)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_values_are_told_apart_wherever_the_document_is_cut(
    values: list[object], step: int, indent: int | None, plain: bool
) -> None:
    text = json.dumps({"x": values, "y": values}, indent=indent, ensure_ascii=plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_STEP", step)
        document = JsonText(io.BytesIO(text.encode("utf-8", "surrogatepass")))
        found = []
        for key in document.members():
            if key == "x":
                document.skip()
            else:
                found = [json.loads(document.value(10**6) or "") for _ in document.elements()]
    assert found == values


def entry(path: str = "/", text: str = "<p>x", more: str = "") -> str:
    return (
        f'{{{more}"request":{{"url":"{ORIGIN}{path}"}},"response":{{"status":200,'
        f'"content":{{"mimeType":"text/html","text":"{text}"}}}}}}'
    )


def read(path: Path, text: bytes, limits: Limits | None = None) -> tuple[list[Exchange], Intake]:
    path.write_bytes(text)
    intake = Intake(limits or Limits())
    reader = read_har if text.lstrip(b"\xef\xbb\xbf \n")[:1] == b"{" else read_mhtml
    return list(reader(path, intake)), intake


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (f'{{"log":{{"entries":[{entry()}]}}}}', b"<p>x"),
        ("\ufeff {\n" + f'"a":[{{}},"]}}\\""],"log":{{"b":{{}},"entries":[{entry()}]}}}}', b"<p>x"),
        (f'{{"log":{{"entries":[{entry(more=chr(34) + "time" + chr(34) + ":NaN,")}]}}}}', b"<p>x"),
        (f'{{"log":{{"entries":[{entry(text="a" + chr(92) + "ud800")}]}}}}', "a\ufffd".encode()),
        (f'{{"log":{{"entries":[{entry()}],"entries":[]}},"log":1}}', b"<p>x"),
    ],
)  # fmt: skip
def test_a_har_is_read_as_json_is(tmp_path: Path, text: str, body: bytes) -> None:
    (found,), intake = read(tmp_path / "x", text.encode())
    assert (found.body, intake.notes) == (body, ())


@pytest.mark.parametrize(
    ("text", "paths", "note"),
    [
        (f'{{"log":{{"entries":[{entry()},{entry("/b")[:30]}', ["/"], "damaged after 1 entries"),
        (f'{{"log":{{"entries":[{entry()} {entry("/b")}]}}}}', ["/"], "damaged after 1 entries"),
        (f'{{"log":{{"entries":[{{a}},{entry("/b")}]}}}}', ["/b"], "entry 0: malformed"),
        (f'{{"log":{{"entries":[{"[" * 90000 + "]" * 90000},{entry("/b")}]}}}}', ["/b"], "entry 0"),
        (f'{{"log":{{"entries":[{entry(text="x" * 9 * MB)},{entry("/b")}]}}}}', ["/b"], "entry 0"),
    ],
)  # fmt: skip
def test_a_damaged_har_gives_what_is_whole(
    tmp_path: Path, text: str, paths: list[str], note: str
) -> None:
    found, intake = read(tmp_path / "x", text.encode(), Limits(resource=MB))
    assert [each.url for each in found] == [ORIGIN + path for path in paths]
    assert intake.notes[0].startswith(note)


@pytest.mark.parametrize(
    "text", ["{", '{"log":[]}', '{"log":{"entries":{}}}', '{"a":1}', '{"log":{"entries":', "{1:2}"]
)
def test_what_is_no_har_is_malformed(tmp_path: Path, text: str) -> None:
    with pytest.raises(CaptureError, match="malformed: no HAR"):
        read(tmp_path / "x", text.encode())


def mail(*parts: str, edge: str = "e", end: str = "--e--\n") -> bytes:
    head = f'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="{edge}"\n\nnothing\n'
    whole = head + "".join(f"--{edge}\n{part}\n" for part in parts) + end
    return whole.replace("\n", "\r\n").encode("latin-1")


PAGE = f"Content-Type: text/html\nContent-Location: {ORIGIN}/\n\n<p>x\n--edge\n--e-\ny"
INNER = "Content-Type: multipart/alternative; boundary=in\n\n--in\n" + PAGE + "\n--in--\n"


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        (mail(PAGE), [b"<p>x\n--edge\n--e-\ny"]),
        (mail(PAGE, end=""), [b"<p>x\n--edge\n--e-\ny\n"]),
        (mail(INNER, "\nz"), [b"<p>x\n--edge\n--e-\ny"]),
        (mail(INNER.replace("\n--in--\n", ""), PAGE.replace("<p>x", "<p>z")),
         [b"<p>x\n--edge\n--e-\ny", b"<p>z\n--edge\n--e-\ny"]),
        (mail("Content-Transfer-Encoding: quoted-printable\nContent-ID: <a>\n\n=C3=A9=\nx=3D"),
         ["\u00e9x=".encode()]),
        (mail("Content-Transfer-Encoding: binary\nContent-ID: <a>\n\n\xff\n\n\xfe"),
         [b"\xff\r\n\r\n\xfe"]),
        (mail("Content-Transfer-Encoding: base64\nContent-ID: <a>\n\nYWJ\n!jZ A"), [b"abcd"]),
        (b"Content-Type: text/html\r\nSnapshot-Content-Location: http://shop.test/\r\n\r\n<p>x",
         [b"<p>x"]),
    ],
)  # fmt: skip
def test_parts_of_a_mail(tmp_path: Path, text: bytes, bodies: list[bytes]) -> None:
    found, intake = read(tmp_path / "x", text)
    assert [each.body for each in found] == bodies
    assert intake.notes == ()


def test_a_part_that_is_too_large_is_noted(tmp_path: Path) -> None:
    big = f"Content-ID: <a>\n\n{'x' * 50}"
    huge = f"Content-ID: <b>\n\n{'x' * 500}"
    found, intake = read(tmp_path / "x", mail(big, huge, PAGE), Limits(resource=40))
    assert [each.url for each in found] == [f"{ORIGIN}/"]
    assert intake.notes == ("part 0: larger than is kept", "part 1: larger than is kept")


def test_headers_without_end_are_no_mail(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="headers without end"):
        read(tmp_path / "x", b"MIME-Version: 1.0\nX: " + b"x" * 400_000)


@pytest.mark.parametrize("write", [har, mhtml])
def test_one_entry_at_a_time_is_in_memory(tmp_path: Path, write: object) -> None:
    body = base64.b64encode(bytes(range(256)) * 256)
    path = write(tmp_path / "x", [Sent(f"/{n}", body, "image/png") for n in range(80)])  # type: ignore[operator]
    reader = read_har if write is har else read_mhtml
    tracemalloc.start()
    count = sum(len(each.body) for each in reader(path, Intake(Limits())))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 80 * len(body) > 6 * MB
    assert peak < 4 * MB
