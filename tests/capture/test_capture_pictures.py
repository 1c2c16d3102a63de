"""Pictures keep what they show and lose what they tell of where and by whom they were taken."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from captures import Sent, warc
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.picture_files import without_metadata
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.readers.open import read_capture

SECRET = b"Ann Example, 48.137 N"


def drawn(width: int = 40, height: int = 24) -> Image.Image:
    picture = Image.new("RGB", (width, height), "white")
    for x in range(width):
        picture.putpixel((x, x % height), (200, 6 * x, 30))
    return picture


def saved(form: str, *, turn: int = 1) -> bytes:
    """A picture that tells more than it shows."""
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x9286] = exif[0x010E] = SECRET.decode()
    exif[0x0112] = turn
    if form == "PNG":
        info = PngInfo()
        info.add_text("Author", SECRET.decode())
        info.add_itxt("XML:com.adobe.xmp", SECRET.decode())
        drawn().save(out, form, pnginfo=info, exif=exif)
    elif form == "GIF":
        frames = [drawn().convert("P"), drawn().transpose(Image.Transpose.ROTATE_180).convert("P")]
        frames[0].save(
            out, form, save_all=True, append_images=frames[1:], comment=SECRET, loop=3, duration=70
        )
    else:
        more = {"xmp": SECRET} if form == "WEBP" else {"comment": SECRET}
        drawn().save(out, form, exif=exif, **more)
    return out.getvalue() + (b"" if form == "WEBP" else SECRET)


@pytest.mark.parametrize(
    ("form", "kind"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp")],
)
def test_a_picture_shows_the_same_and_tells_nothing(form: str, kind: str) -> None:
    before = saved(form)
    assert SECRET in before
    after = without_metadata(before, kind)
    assert SECRET not in after
    with Image.open(io.BytesIO(before)) as old, Image.open(io.BytesIO(after)) as new:
        assert getattr(new, "n_frames", 1) == getattr(old, "n_frames", 1)
        assert new.convert("RGB").tobytes() == old.convert("RGB").tobytes()
        assert not new.getexif()
        assert new.info.get("loop") == old.info.get("loop")


def test_a_turned_photograph_stays_turned() -> None:
    with Image.open(io.BytesIO(without_metadata(saved("JPEG", turn=6), "image/jpeg"))) as picture:
        assert dict(picture.getexif()) == {0x0112: 6}


def test_an_avif_picture_is_written_anew() -> None:
    out, exif = io.BytesIO(), Image.Exif()
    exif[0x010E] = SECRET.decode()
    try:
        drawn().save(out, "AVIF", exif=exif)
    except (KeyError, OSError):
        pytest.skip("this Pillow writes no AVIF")
    after = without_metadata(out.getvalue(), "image/avif")
    assert SECRET in out.getvalue()
    assert SECRET not in after
    with Image.open(io.BytesIO(after)) as picture:
        assert picture.size == (40, 24)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_damaged_pictures_end_in_bytes(form: str) -> None:
    rng = random.Random(7)
    kind = f"image/{form.lower()}"
    whole = saved(form) if form != "AVIF" else b"\0\0\0\x1cftypavif" + rng.randbytes(80)
    for _ in range(150):
        body = bytearray(whole[: rng.randrange(len(whole))])
        for _ in range(rng.randrange(8)):
            if body:
                body[rng.randrange(len(body))] = rng.randrange(256)
        assert isinstance(without_metadata(bytes(body), kind), bytes)


def test_what_a_picture_is_called_does_not_matter(tmp_path: Path) -> None:
    page = b"<title>t</title><p>Text</p><img src=/a.png><object data=/b.pdf></object>"
    answers = [
        Sent("/", page),
        Sent("/a.png", saved("JPEG"), "image/png"),
        Sent("/b.pdf", b"%PDF-1.4 " + SECRET, "application/pdf"),
    ]
    found = compile_capture(read_capture(warc(tmp_path / "x", answers)), ImportPolicy())
    files = b"".join(found.loaded.files.values())
    assert SECRET not in files
    assert [asset.media_type for asset in found.loaded.website.assets] == ["image/jpeg"]
    assert found.lacking["file of another kind"] == 1
