"""The workbench as one ASGI application: pages on its own host, websites on others."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from riskchainbench.annotation.settings import ANNOTATOR, COORDINATOR
from riskchainbench.annotation.web import auditing, coordinating, labeling, signing, visits
from riskchainbench.annotation.web.bench import Handler, Workbench, endpoint, static_files

_LOOPBACK = frozenset({"127.0.0.1", "[::1]"})


class WorkbenchApp:
    """Answers by host: the workbench on its own, websites on theirs, nothing on any other."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._static = static_files()
        assert bench.templates  # compiled before the first page is asked for
        self._router = Router(list(self._routes()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] != "http":
            await self._bench.frames(scope, receive, send)
            return
        host = Request(scope).headers.get("host", "")
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        name = (name or host).lower()
        place = self._bench.place
        if name == place.host:
            await self._router(scope, receive, send)
        elif name.endswith(f".{place.suffix}"):
            await self._bench.frames(scope, receive, send)
        elif name in _LOOPBACK and place.host == "localhost":
            there = f"http://localhost:{port}{scope['path']}"
            await RedirectResponse(there, 307)(scope, receive, send)
        else:
            await Response("no such host", 421)(scope, receive, send)

    def _routes(self) -> list[Route]:
        def route(path: str, handler: Handler, method: str = "GET", **who: object) -> Route:
            return Route(path, endpoint(self._bench, handler, **who), methods=[method])  # type: ignore[arg-type]

        person, lead = {"role": ANNOTATOR}, {"role": COORDINATOR}
        return [
            Route("/static/{name}", self._file, methods=["GET"]),
            route("/signin", signing.form, public=True),
            route("/signin", signing.sign_in, "POST", public=True, slow=True),
            route("/signout", signing.sign_out, "POST"),
            route("/language", signing.language, "POST", public=True),
            route("/", labeling.home),
            route("/codebook", labeling.codebook),
            route("/next", labeling.next_site, "POST", **person),
            route("/practice/{number:int}", labeling.practice, **person),
            route("/practice/{number:int}/submit", labeling.practice_submit, "POST", **person),
            route("/practice/{number:int}/leave", labeling.practice_leave, "POST", **person),
            route("/sites/{slot:int}", labeling.site, **person),
            route("/sites/{slot:int}/correct", labeling.correct, **person),
            route("/sites/{slot:int}/submit", labeling.submit, "POST", **person),
            route("/sites/{slot:int}/leave", labeling.leave, "POST", **person),
            route("/desk/{key}/draft", labeling.save_draft, "POST", **person),
            route("/desk/{key}/events", visits.take, "POST", **person),
            route("/desk/{key}/reset", labeling.reset, "POST", **person),
            route("/desk/{key}/picture", labeling.take_picture, "POST", slow=True, **person),
            route("/desk/{key}/pictures/{sha256}", labeling.picture, **person),
            route("/desk/{key}/pins", labeling.add_pin, "POST", **person),
            route("/desk/{key}/pins/{number:int}/remove", labeling.remove_pin, "POST", **person),
            route("/audit", auditing.item),
            route("/audit/report", auditing.report, **lead),
            route("/audit/{item}", auditing.rate, "POST"),
            route("/audit/{item}/images/{sha256}", auditing.image),
            route("/progress", coordinating.progress, **lead),
            route("/people", coordinating.add_person, "POST", **lead),
            route("/people/password", coordinating.set_password, "POST", slow=True, **lead),
            route("/people/{name}/leave", coordinating.remove_person, "POST", **lead),
            route("/plan", coordinating.plan, "POST", **lead),
            route("/adjudicate", coordinating.waiting, **lead),
            route("/adjudicate/{case_id}", coordinating.case, **lead),
            route("/adjudicate/{case_id}", coordinating.decide, "POST", **lead),
            route("/adjudicate/{case_id}/pictures/{sha256}", coordinating.picture, **lead),
            route("/agreement", coordinating.agreement, **lead),
            route("/agreement.json", coordinating.agreement_json, **lead),
            route("/agreement.csv", coordinating.agreement_csv, **lead),
            route("/agreement-confusion.csv", coordinating.agreement_confusion, **lead),
            # Last, so that it is also what a form's address answers to who merely looks at it.
            route("/{anything:path}", lambda call: call.message("not_found", 404), public=True),
        ]

    async def _file(self, request: Request) -> Response:
        found = self._static.get(request.path_params["name"])
        if found is None:
            return Response("no such file", 404, dict(self._bench.headers))
        return Response(found[0], 200, dict(self._bench.headers), media_type=found[1])
