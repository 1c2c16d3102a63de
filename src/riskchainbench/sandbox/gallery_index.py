"""The index through which a person browses every website of a bundle and resets it.

Each website stands in a sandboxed frame under a host name of its own, so its scripts reach
neither the index nor another website. Not for agents: they are served by `app` alone.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from random import Random

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from riskchainbench.sandbox.app import Episode, Sandbox
from riskchainbench.websites.records import LoadedWebsite

INDEX_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
FRAME_PERMISSIONS = "allow-scripts allow-forms"
FRAME_PERMISSIONS_WITHOUT_SCRIPTS = "allow-forms"
"""Forms, scripts if the website has any, and nothing else: no top navigation, no pop-ups, no
origin of the index."""

# A tab would stand outside the frame, where no policy keeps a script from sending it anywhere.
_NO_TABS = "Links that would open a new tab, and dialogs, do nothing here."

_POLICY = (
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; frame-src http://*.localhost:*"
)

_STYLE = """body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1c2430;background:#f4f5f7}
header{display:flex;gap:1rem;align-items:center;padding:.7rem 1rem;background:#fff;
border-bottom:1px solid #d8dce3}
h1{font-size:1.05rem;margin:0}main{padding:1rem}ul{columns:14rem;padding-left:1.2rem}
iframe{border:1px solid #b9c0cc;background:#fff;display:block;max-width:100%}
button{font:inherit;padding:.2rem .8rem}"""


class GalleryIndex:
    """An ASGI application: the index on the loopback host, websites on ``<random>.localhost``."""

    def __init__(self, websites: Mapping[str, LoadedWebsite], rng: Random) -> None:
        self._websites = dict(sorted(websites.items()))
        self._sandbox = Sandbox(websites, suffix="localhost")
        self._rng = rng
        self._episodes: dict[str, Episode] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one ASGI connection: index requests here, website requests in the sandbox."""
        if scope["type"] != "http":
            await self._sandbox(scope, receive, send)
            return
        request = Request(scope, receive)
        host = request.headers.get("host", "")
        if host.rsplit(":", 1)[0].lower() not in INDEX_HOSTS:
            await self._sandbox(scope, receive, send)
            return
        await self._index(request, host)(scope, receive, send)

    def _index(self, request: Request, host: str) -> Response:
        path = request.url.path
        if path == "/":
            return _html("Websites", self._list())
        if path == "/style.css":
            return Response(_STYLE, media_type="text/css")
        verb, _, case_id = path.lstrip("/").partition("/")
        if case_id not in self._websites:
            return Response("no such website", status_code=404, media_type="text/plain")
        if verb == "reset" and request.method == "POST":
            self._sandbox.reset(self._episode(case_id).host)
            return RedirectResponse(f"/site/{case_id}", status_code=303)
        if verb == "site" and request.method == "GET":
            return _html(case_id, self._frame(case_id, host.rpartition(":")[2]))
        return Response("no such page", status_code=404, media_type="text/plain")

    def _episode(self, case_id: str) -> Episode:
        if case_id not in self._episodes:
            self._episodes[case_id] = self._sandbox.open(case_id, self._rng)
        return self._episodes[case_id]

    def _list(self) -> str:
        items = "".join(
            f'<li><a href="/site/{html.escape(case)}">{html.escape(case)}</a> '
            f"{html.escape(site.website.language)}</li>"
            for case, site in self._websites.items()
        )
        return (
            f"<header><h1>{len(self._websites)} websites</h1></header><main><ul>{items}</ul></main>"
        )

    def _frame(self, case_id: str, port: str) -> str:
        loaded = self._websites[case_id]
        website = loaded.website
        permissions = FRAME_PERMISSIONS if loaded.scripted else FRAME_PERMISSIONS_WITHOUT_SCRIPTS
        place = f":{port}" if port.isdigit() else ""
        size = f'width="{website.viewport.width}" height="{website.viewport.height}"'
        name = html.escape(case_id)
        source = f"http://{self._episode(case_id).host}{place}{html.escape(website.start_path)}"
        return (
            f'<header><a href="/">All websites</a><h1>{name}</h1>'
            f'<form method="post" action="/reset/{name}"><button>Reset</button></form></header>'
            f'<main><p>{_NO_TABS}</p><iframe {size} title="{name}" sandbox="{permissions}" '
            f'referrerpolicy="no-referrer" src="{source}"></iframe></main>'
        )


def _html(title: str, body: str) -> Response:
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<link rel="stylesheet" href="/style.css"><body>{body}</body></html>'
    )
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}
    return Response(page, headers=headers, media_type="text/html")
