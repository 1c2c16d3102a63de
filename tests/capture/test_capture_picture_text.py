"""What names somebody in a picture is painted over by the stand-in that stands in the text."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from captures import Sent, warc
from PIL import Image, ImageDraw, ImageFont

from riskchainbench.capture import picture_text
from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.picture_text import Line, PicturePainter, read_lines
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.core.errors import InputError
from riskchainbench.pipeline.importing import settings_of

WHITE = (255, 255, 255)


def blank(form: str = "PNG", color: object = WHITE) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (300, 60), color).save(out, form)
    return out.getvalue()


def line(text: str) -> Line:
    """A line whose letters stand ten pixels apart, 20 to 40 down."""
    return Line(text, tuple((10.0 * n, 20.0, 10.0 * n + 10, 40.0) for n in range(len(text))))


class Reader:
    """Stands for the reader of pictures and says what it is told to."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = texts, 0

    def __call__(self, picture: Image.Image) -> Sequence[Line]:
        self.asked += 1
        return [line(text) for text in self.texts]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("nothing here", []),
        ("tel 13912345678", [(4, 15, "phone", "100-0000-0001")]),
        ("13912345678 a@b-mail.org", [(0, 11, "phone", "100-0000-0001"),
                                      (12, 24, "e-mail", "person1@mail.test")]),
        ("问AnnExample", [(1, 11, "name", "Name1")]),
        ("write person1@mail.test", []),
        ("１３９１２３４５６７８", [(0, 11, "phone", "100-0000-0001")]),
    ],
)  # fmt: skip
def test_spans_by_hand(text: str, spans: list[tuple[int, int, str, str]]) -> None:
    assert Masker([], ["Ann Example"]).spans(text) == spans


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_only_the_place_of_the_original_changes(form: str) -> None:
    painter = PicturePainter(Masker(), Reader("Tel 13912345678 ok"))
    body = blank(form)
    painted = painter.paint(body, "image/any")
    assert painter.painted == {"phone": 1}
    with Image.open(io.BytesIO(painted)) as picture:
        assert picture.format == form
        gray = picture.convert("L")
        assert min(gray.crop((0, 0, 34, 60)).tobytes()) > 240
        assert min(gray.crop((40, 20, 150, 40)).tobytes()) < 100
        assert min(gray.crop((170, 0, 300, 60)).tobytes()) > 240


def test_ink_stands_out_from_a_dark_ground() -> None:
    painter = PicturePainter(Masker(), Reader("a@b-mail.org"))
    painted = painter.paint(blank("PNG", (0, 0, 60)), "image/png")
    with Image.open(io.BytesIO(painted)) as picture:
        assert max(picture.convert("L").tobytes()) > 200


def test_pictures_that_show_nothing_stay_byte_for_byte() -> None:
    read = Reader("Spring sale")
    painter = PicturePainter(Masker(), read)
    assert painter.paint(blank(), "image/png") == blank()
    assert painter.paint(blank(), "image/png") == blank()
    assert painter.paint(b"no picture", "image/png") == b"no picture"
    assert read.asked == 1
    assert not painter.painted


def test_the_extra_is_asked_for_where_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_text, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'riskchainbench\[ocr\]'"):
        settings_of(
            scripts="drop", names=None, basis="", terms="", delete_by="", mobile=False, ocr=True
        )


@pytest.fixture(scope="module")
def face() -> ImageFont.FreeTypeFont:
    pytest.importorskip("rapidocr_onnxruntime", reason="the extra ocr is not installed")
    if shutil.which("fc-match") is None:
        pytest.skip("no fontconfig to find a Chinese typeface with")
    done = subprocess.run(
        ["fc-match", "-f", "%{file}", "sans:lang=zh-cn"], capture_output=True, text=True, check=True
    )
    return ImageFont.truetype(done.stdout, 28)


def drawn(face: ImageFont.FreeTypeFont) -> bytes:
    picture = Image.new("RGB", (560, 220), "white")
    draw = ImageDraw.Draw(picture)
    for place, text in enumerate(
        ("客服电话：13800138000 请联系", "邮箱 ann.lee@shop-mail.org", "Write to Ann Example today")
    ):
        draw.text((20, 20 + 65 * place), text, font=face, fill="black")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def test_a_drawn_picture_in_two_scripts_names_nobody(
    face: ImageFont.FreeTypeFont, tmp_path: Path
) -> None:
    page = b"<title>t</title><p>ann.lee@shop-mail.org</p><img src=/a.png>"
    path = warc(tmp_path / "x", [Sent("/", page), Sent("/a.png", drawn(face), "image/png")])
    policy = ImportPolicy(ocr=True, names=("Ann Example",))
    found = compile_capture(read_capture(path), policy)
    assert found.painted == {"e-mail": 1, "name": 1, "phone": 1}
    (picture,) = (data for name, data in found.loaded.files.items() if name.endswith(".png"))
    with Image.open(io.BytesIO(picture)) as shown:
        texts = "".join("".join(each.text.split()) for each in read_lines(shown.convert("RGB")))
    assert "客服电话" in texts
    assert "请联系" in texts
    assert "13800138000" not in texts
    assert "ann.lee" not in texts
    assert "person1@mail" in texts  # the same as in the page
    assert b"person1@mail.test" in b"".join(found.loaded.files.values())
    assert "Example" not in texts
