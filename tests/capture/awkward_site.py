"""A small site that is awkward to capture, served on loopback, and captures of it."""

from __future__ import annotations

import gzip
import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


def png(red: int, size: int = 4) -> bytes:
    """Return a small PNG of one color."""
    rows = b"".join(b"\0" + bytes((red, 90, 120)) * size for _ in range(size))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


HOME = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>Home | 127.0.0.1</title><base href="/shop/">
<link rel="stylesheet" href="../css/main.css?v=1"><link rel="icon" href="/favicon.ico">
<link rel="preconnect" href="//cdn.invalid"><style>h1 { color: rgb(1, 2, 3) }
.hero{background-image:url( '/img/a.png?x=1&y=2' )}</style></head>
<body onload="document.title='changed'"><h1>Welcome home</h1>
<p style="color: rgb(10, 20, 30); background: url(/img/a.png?x=1&amp;y=2)">Call +49 30 5550 1234 or
write to someone@shop.example-mail.org.</p>
<img src="/img/a.png?x=1&y=2" srcset="/img/a.png?x=1&y=2 1x, /img/b,c.png 2x" alt="picture">
<img src="http://stats.invalid/pixel.gif?u=1" width="1" height="1">
<a href="item.html?id=1#part">First item</a> <a href="item.html?id=2">Second item</a>
<a href="/old">Old address</a> <a href="/loop">Endless</a> <a href="/gone">Gone</a>
<a href="/latin">Umlaut</a> <a href="http://elsewhere.invalid/x">Elsewhere</a>
<a href="#foot">Foot</a> <a href="javascript:void(0)">Nothing</a>
<a href="/gzipped">Packed</a> <a href="/%E4%B8%AD?q=%E6%96%87">中文</a>
<svg viewBox="0 0 4 4" width="20"><image href="/img/a.png?x=1&y=2" width="4" height="4"/></svg>
<form action="/search" method="get"><input name="q" type="search"><button>Find</button></form>
<form action="/login" method="post"><label>Name <input name="user[name]"></label>
<input type="password" name="pass"><input type="hidden" name="t" value="9">
<button>Enter</button></form>
<div class="hero" id="foot">Foot of the page</div>
<script>document.body.dataset.ran = "yes"; navigator.sendBeacon("/collect", "x")</script>
<noscript><p>Scripts are off</p></noscript></body></html>"""

CSS = (
    '@import "more.css";@import url(more.css);body{background:url(../img/tile.svg)}'
    '.x{background:image-set("../img/a.png?x=1&y=2" 1x, url(../img/b,c.png) 2x)}/* 127.0.0.1 */'
)

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script>'
    '<rect width="8" height="8" fill="#eee" onclick="x()"/></svg>'
)


@dataclass
class AwkwardSite:
    """The running site: its port, and what was asked of it."""

    port: int = 0
    asked: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def answer(
        self, method: str, path: str, body: bytes, cookie: str
    ) -> tuple[int, dict[str, str], bytes]:
        html = {"Content-Type": "text/html; charset=utf-8"}
        bare, _, query = path.partition("?")
        fields = parse_qs(body.decode()) if method == "POST" else parse_qs(query)
        if method == "POST" and bare == "/login":
            if fields.get("pass") == ["right"]:
                return 303, {"Location": "/members", "Set-Cookie": "in=1; Path=/"}, b""
            return (
                200,
                html,
                b"<!DOCTYPE html><title>No</title><h1>Wrong password</h1><a href=/>Back</a>",
            )
        pages: dict[str, tuple[int, dict[str, str], bytes]] = {
            "/": (200, html, HOME.encode()),
            "/old": (302, {"Location": "/older"}, b""),
            "/older": (301, {"Location": "shop/item.html?id=1"}, b""),
            "/loop": (302, {"Location": "/loop"}, b""),
            "/latin": (
                200,
                {"Content-Type": "text/html"},
                '<meta charset="iso-8859-1"><p>Grüße und Küsse'.encode("latin-1"),
            ),
            "/gzipped": (
                200,
                {**html, "Content-Encoding": "gzip"},
                gzip.compress(b"<!DOCTYPE html><p>Once packed</p>", mtime=0),
            ),
            "/members": (
                200,
                html,
                b"<!DOCTYPE html><title>Members</title><a href='/shop/item.html?id=1'>First</a>",
            ),
            "/%E4%B8%AD": (200, html, "<!DOCTYPE html><p>中文页面</p>".encode()),
            "/css/main.css": (200, {"Content-Type": "text/css"}, CSS.encode()),
            "/css/more.css": (
                200,
                {"Content-Type": "text/css"},
                b'@import "main.css";h1{font-size:31px}',
            ),
            "/img/a.png": (200, {"Content-Type": "image/png"}, png(200)),
            "/img/b,c.png": (200, {"Content-Type": "image/png"}, png(200)),
            "/img/tile.svg": (200, {"Content-Type": "image/svg+xml"}, SVG.encode()),
            "/favicon.ico": (200, {"Content-Type": "image/x-icon"}, b"\0\0\1\0"),
        }
        if bare == "/shop/item.html":
            word = "again" if "in=1" in cookie else "first"
            number = fields.get("id", ["0"])[0]
            page = (
                f"<!DOCTYPE html><title>Item</title><h1>Item {number} {word}</h1>"
                "<h2 id=part>Part</h2><a href='../'>Home</a>"
            )
            return 200, html, page.encode()
        if bare == "/search":
            page = f"<!DOCTYPE html><title>Found</title><p>Found {fields.get('q', [''])[0]}</p>"
            return 200, html, page.encode()
        return pages.get(bare, (404, html, b"<!DOCTYPE html><p>Lost</p>"))


@contextmanager
def serving() -> Iterator[AwkwardSite]:
    """Serve the site on a free port of loopback."""
    site = AwkwardSite()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            site.asked.append(f"{self.command} {self.path}")
            status, headers, data = site.answer(
                self.command, self.path, body, self.headers.get("Cookie") or ""
            )
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_POST = do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield site
    server.shutdown()
    server.server_close()
    thread.join()
