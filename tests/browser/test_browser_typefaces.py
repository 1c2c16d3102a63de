"""A picture waits for the typefaces of its words."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import pytest
from browser_pages import PageServer, Session
from PIL import Image

from riskchainbench.websites.fonts import FONT_TYPE, font_file, font_names

pytestmark = pytest.mark.browser

PAGE = """<style>@font-face{font-family:late;font-display:block;src:url(/late.woff2)}
h1{font:60px late}</style><h1>HEADLINE</h1>"""


def test_words_whose_typeface_comes_late_are_in_the_first_picture(
    begin: Callable[..., Session], server: PageServer
) -> None:
    def late(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(2.2)
        handler.send_response(200)
        data = font_file(next(n for n in font_names() if n.startswith("sans-400-l"))) or b""
        for name, value in (
            ("Content-Type", FONT_TYPE),
            ("Content-Length", str(len(data))),
            ("Access-Control-Allow-Origin", "*"),
        ):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    server.pages["/late.woff2"] = late
    session = begin(PAGE)
    assert session.png is not None
    with Image.open(io.BytesIO(session.png)) as picture:
        dark = picture.convert("L").point(lambda value: 255 if value < 100 else 0)
    assert dark.getbbox() is not None
