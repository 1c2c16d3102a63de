"""Task 1 from an image: what is drawn, what is sent, what is recorded."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image

from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.core.stage import SETTINGS
from riskchainbench.core.store import Images
from riskchainbench.core.system import AnyRequest, ImagePart, Reply, RestorationRequest
from riskchainbench.restoration.fonts import emoji_face, text_faces
from riskchainbench.restoration.picture import draw_session, shown_text
from riskchainbench.restoration.prompts import build_image_request
from riskchainbench.restoration.run import restore


def task(*contents: str) -> RestorationTask:
    messages = tuple(Message(message_id=f"m{n}", content=c) for n, c in enumerate(contents, 1))
    return RestorationTask(
        sample_id="s1", platform="weibo", surface=Surface.COMMENT, messages=messages
    )


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("看[doge]这", "看🐶这"),
        ("#(滑稽)老#(爱心)铁", "😏老❤️铁"),
        ("/wx 你/cg 好", "🙂你🍉好"),
        ("[热词系列_啊?]", "😮"),
        ("[不认识]/x 1", "[不认识]/x 1"),
        ("a/b c", "a/b c"),
    ],
)
def test_known_codes_are_shown_as_emoji(content: str, shown: str) -> None:
    assert shown_text(content) == shown


def test_every_code_of_the_messages_has_an_emoji_that_can_be_drawn(repository: Path) -> None:
    folder = repository / "src" / "riskchainbench" / "messages" / "data"
    told = json.loads((folder / "tokens.json").read_text(encoding="utf-8"))
    for platform in told["platforms"].values():
        for code in platform["codes"]:
            shown = shown_text(code)
            assert emoji_face().covers(shown), code


@pytest.mark.parametrize("char", ["中", "ω", "п", "𝟏", "３", "⑥", "ɑ"])
def test_every_kind_of_letter_has_a_font(char: str) -> None:
    assert any(face.covers(char) for face in text_faces(30))


def test_equal_sessions_give_equal_bytes_and_other_words_others() -> None:
    assert draw_session(task("好[doge]")) == draw_session(task("好[doge]"))
    assert draw_session(task("好[doge]")) != draw_session(task("坏[doge]"))


def test_an_image_grows_with_lines_and_messages() -> None:
    def height(*contents: str) -> int:
        return Image.open(io.BytesIO(draw_session(task(*contents)))).height

    assert height("a") < height("a\nb") < height("a", "b")
    assert height("字" * 10) < height("字" * 100)


def test_the_request_holds_an_image_and_no_text_of_the_message(tmp_path: Path) -> None:
    images = Images(tmp_path)
    request = build_image_request(task("找我[doge]kaw.me.test"), "en", images)
    words = str([part for message in request.prompt for part in message.parts])
    assert "kaw.me.test" not in words
    assert '"message_id":"m1"' in words
    (shown,) = [part for part in request.prompt[1].parts if isinstance(part, ImagePart)]
    assert images.get(shown.sha256) == draw_session(task("找我[doge]kaw.me.test"))


class Looker:
    """A system that says how large the image was that it could load."""

    name = "looker"
    settings: Mapping[str, str | int | float | bool] = {}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        assert isinstance(request, RestorationRequest)
        assert request.images is not None
        (shown,) = [part for part in request.prompt[1].parts if isinstance(part, ImagePart)]
        size = len(request.images(shown.sha256))
        return Reply(
            text=json.dumps(
                {"messages": [{"message_id": "m1", "text": str(size)}], "intent": "UNKNOWN"}
            )
        )


async def test_a_run_records_that_messages_were_drawn_and_in_which_fonts(tmp_path: Path) -> None:
    await restore({"s1": task("a")}, "0" * 64, tmp_path, Looker(), language="en", as_image=True)
    settings = json.loads((tmp_path / "restoration" / SETTINGS).read_text("utf-8"))["settings"]
    assert settings["input"] == "image"
    assert len(settings["fonts_sha256"]) == 64
    frozen = (tmp_path / "restoration" / "predictions.jsonl").read_text("utf-8")
    assert f'"text":"{len(draw_session(task("a")))}"' in frozen
