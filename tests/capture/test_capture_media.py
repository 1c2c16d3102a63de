"""Sound, video and typefaces tell nothing that was masked elsewhere."""

from __future__ import annotations

import io
import struct
import wave
from pathlib import Path

import pytest
from captures import Sent, warc
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph
from hypothesis import given, settings
from hypothesis import strategies as st

from riskchainbench.capture.compiler import Compiled, compile_capture
from riskchainbench.capture.media_files import without_tags
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.telling_files import SILENCE

ANN = b"Ann Example"


def box(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(data), name) + data


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def flac(kind: int, data: bytes) -> bytes:
    return bytes([kind]) + len(data).to_bytes(3, "big") + data


ID3 = b"ID3\4\0\0" + bytes([0, 0, 0, len(ANN)]) + ANN
ID3_OLD = b"TAG" + ANN.ljust(125, b"\0")
APE = ANN + b"APETAGEX" + struct.pack("<IIII", 2000, len(ANN) + 32, 1, 0) + bytes(8)
MP4 = box(b"ftyp", b"isom") + box(
    b"moov", box(b"trak", box(b"mdia", b"") + box(b"udta", ANN)) + box(b"meta", ANN)
)


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (ID3 + ID3 + b"\xff\xfbsound" + ID3_OLD, b"\xff\xfbsound"),
        (b"\xff\xfbsound" + APE + ID3_OLD, b"\xff\xfbsound"),
        (b"\xff\xfbsound", b"\xff\xfbsound"),
        (MP4 + box(b"mdat", ANN), MP4.replace(ANN, bytes(len(ANN))).replace(b"udta", b"free")
         .replace(b"meta", b"free") + box(b"mdat", ANN)),
        (b"RIFF____WAVE" + chunk(b"LIST", b"INFO" + ANN) + chunk(b"data", b"\1\2"),
         b"RIFF____WAVE" + chunk(b"JUNK", bytes(4 + len(ANN))) + chunk(b"data", b"\1\2")),
        (b"fLaC" + flac(0, b"info") + flac(4, ANN) + flac(0x86, ANN) + b"sound",
         b"fLaC" + flac(0, b"info") + flac(1, bytes(len(ANN))) + flac(0x81, bytes(len(ANN)))
         + b"sound"),
    ],
)  # fmt: skip
def test_tags_go_and_the_rest_stays(body: bytes, left: bytes) -> None:
    assert without_tags(body) == left


@given(st.sampled_from([b"", ID3, MP4, b"RIFF____WAVELIST", b"fLaC"]), st.binary(max_size=60))
@settings(max_examples=200)
def test_any_damage_is_taken(head: bytes, rest: bytes) -> None:
    assert len(without_tags(head + rest)) <= len(head + rest)


def font(name: str, flavor: str | None) -> bytes:
    builder = FontBuilder(1024, isTTF=True)
    builder.setupGlyphOrder([".notdef"])
    builder.setupCharacterMap({})
    builder.setupGlyf({".notdef": Glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 0)})
    builder.setupHorizontalHeader()
    builder.setupNameTable({"familyName": name, "styleName": "Regular"})
    builder.setupPost()
    builder.font.flavor = flavor
    out = io.BytesIO()
    builder.font.save(out)
    return out.getvalue()


def imported(path: Path, body: bytes, kind: str) -> tuple[bytes, Compiled]:
    page = b"<title>t</title><audio src=a.x></audio><style>@font-face{src:url(a.x)}</style>"
    capture = read_capture(
        warc(path / "x", [Sent("/", page + b"<p>ann@b-mail.org"), Sent("/a.x", body, kind)])
    )
    found = compile_capture(capture, ImportPolicy(names=("Ann Example", "王小明")))
    (name,) = [a.file for a in found.loaded.website.assets if a.media_type == kind]
    return found.loaded.files[name], found


@pytest.mark.parametrize(
    "told", ["x ANN EXAMPLE y", "mail ann@b-mail.org", "http://shop.test/", "的王小明"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_sound_that_names_somebody_falls_silent(tmp_path: Path, told: str, encoding: str) -> None:
    body = b"OggS\0\2e" + told.encode(encoding) + b"\0\xff"
    found, compiled = imported(tmp_path, body, "audio/ogg")
    assert found == SILENCE
    assert any("named somebody" in warning for warning in compiled.warnings)


def test_silence_can_be_played() -> None:
    with wave.open(io.BytesIO(SILENCE)) as sound:
        assert sound.getnframes() == 1


def test_sound_that_names_nobody_stays(tmp_path: Path) -> None:
    body = b"OggS\0\2encoder one\0\xff"
    found, compiled = imported(tmp_path, body, "audio/ogg")
    assert (found, compiled.warnings) == (body, ())


@pytest.mark.parametrize("flavor", [None, "woff", "woff2"])
def test_a_typeface_keeps_its_shape_and_loses_names(tmp_path: Path, flavor: str | None) -> None:
    kind = f"font/{flavor or 'ttf'}"
    found, _ = imported(tmp_path, font("Ann Example Sans", flavor), kind)
    names = TTFont(io.BytesIO(found))
    assert names.flavor == flavor
    assert names.getGlyphOrder() == [".notdef"]
    assert "Ann" not in " ".join(str(record) for record in names["name"].names)


def test_a_typeface_that_cannot_be_written_anew_is_left_out(tmp_path: Path) -> None:
    found, _ = imported(tmp_path, b"OTTO\0\1 Ann Example", "font/otf")
    assert found == b""
