"""Compiles a capture to a website: pages reachable from the start page, and all they need.

Breadth first, so that a limit on pages cuts the farthest. Deterministic: equal captures under
equal settings give equal bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from riskchainbench.capture.aliases import Aliases
from riskchainbench.capture.archive import Archive, Found
from riskchainbench.capture.assets import AssetStore
from riskchainbench.capture.content import HTML, JSON, media_type, text_of
from riskchainbench.capture.exchange import Capture, Exchange
from riskchainbench.capture.languages import language_of
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.opaque import opaque
from riskchainbench.capture.pages import PageRewriter
from riskchainbench.capture.picture_text import PicturePainter
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.record import Origin
from riskchainbench.capture.references import FormSeen, Use
from riskchainbench.capture.resources import Resources
from riskchainbench.capture.states import StandIn, stand_in_file, stand_in_page
from riskchainbench.capture.telling_files import neutralize
from riskchainbench.capture.transitions import FormTable
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.records import (
    Download,
    LoadedWebsite,
    Page,
    Show,
    Transition,
    Website,
)

START = "/"


@dataclass(frozen=True)
class Job:
    """One page to rewrite: a response, or a text that was found inside another page."""

    page_id: str
    url: str
    text: str
    encoding: str
    status: int
    depth: int
    origin: Origin = Origin.OBSERVED


@dataclass
class Compiled:
    """A website with what the compiler knows of it; not yet a pool entry.

    `urls` names the pages that a visitor of the captured site finds at a URL.
    """

    loaded: LoadedWebsite
    origins: dict[str, Origin]
    depths: dict[str, int]
    urls: dict[str, str]
    texts: dict[str, str]
    masked: Mapping[str, int]
    left: Mapping[str, int]
    removed: Mapping[str, int]
    lacking: Mapping[str, int]
    forms: tuple[FormSeen, ...]
    masker: Masker
    warnings: tuple[str, ...] = field(default=())
    painted: Mapping[str, int] | None = None


def compile_capture(
    capture: Capture, policy: ImportPolicy, frozen: Mapping[str, str] | None = None
) -> Compiled:
    """Return the website that a capture gives.

    Args:
        capture: what was read.
        policy: the settings.
        frozen: pages as their scripts left them, by URL; they stand in for the responses.

    Raises:
        CaptureError: no response in it is a page, or the start page is too large.
    """
    return Compiler(capture, policy, frozen or {}).run()


class Compiler:
    """Builds one website; also answers the rewriters (see `references.References`)."""

    def __init__(self, capture: Capture, policy: ImportPolicy, frozen: Mapping[str, str]) -> None:
        self.archive = Archive(capture)
        self.policy, self.frozen = policy, frozen
        self.salt = capture.sha256
        self.masker = Masker(self.archive.hosts, policy.names)
        self.store = AssetStore(self.salt)
        self.start = self.archive.start()
        if len(self.start.exchange.body) > policy.limits.page:
            raise CaptureError(Trouble.TOO_LARGE, "its start page is larger than is parsed")
        self.forms = FormTable(self)
        self.keep = policy.scripts is Scripts.KEEP
        self.start_path = START
        self._rewriter = PageRewriter(self, self.masker, scripts=self.keep)
        self._queue: list[Job] = []
        self._written = 0
        self._paths: dict[str, str] = {}
        self._shows: dict[str, list[tuple[int, str]]] = {}
        self._styles: set[str] = set()
        self._depth = 0
        self._spare: str | None = None
        self._download: str | None = None
        self.pages: dict[str, Page] = {}
        self.files: dict[str, bytes] = {}
        self.removed: Counter[str] = Counter()
        self.origins: dict[str, Origin] = {}
        self.depths: dict[str, int] = {}
        self.urls: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.language = self._language()
        self._painter = PicturePainter(self.masker) if policy.ocr else None
        self._resources = Resources(
            self.archive,
            self.store,
            self.masker,
            self.page,
            self.forms.echo_path,
            self._painter.paint if self._painter else None,
        )

    def run(self) -> Compiled:
        """Compile, breadth first."""
        self.page(self.start.url, "")
        self._write_all()
        from_forms = self.forms.transitions()
        self._write_all()  # answers to scripts may name further pages
        aliases = Aliases(self, tuple(from_forms)) if self.keep else None
        self._write_all()  # so may what scripts ask for
        more = aliases.pages if aliases else ()
        self._telling = neutralize(self.store, self.masker)
        transitions = (*from_forms, *self._page_transitions(), *more)
        assets = (*self.store.assets.values(), *(aliases.assets if aliases else ()))
        website = Website(
            language=self.language,
            viewport=self.policy.viewport,
            scaffold=self._scaffold(),
            start_path=START,
            state=self.forms.state(),
            pages=tuple(self.pages.values()),
            assets=tuple(sorted(assets, key=lambda asset: asset.path)),
            transitions=_once(transitions),
            fields=self.forms.fixtures(),
        )
        return Compiled(
            LoadedWebsite(website, {**self.files, **self.store.files}),
            self.origins,
            self.depths,
            self.urls,
            self.texts,
            self.masker.report(),
            dict(sorted(self.masker.left.items())),
            dict(sorted(self.removed.items())),
            dict(sorted(self._resources.lacking.items())),
            self.forms.seen,
            self.masker,
            tuple(self._warnings()),
            None if self._painter is None else dict(sorted(self._painter.painted.items())),
        )

    def _write_all(self) -> None:
        while self._written < len(self._queue):
            job = self._queue[self._written]
            self._written += 1
            self._depth = job.depth + 1
            self._write(job)

    # --- what rewriters ask ------------------------------------------------------------------
    def page(self, url: str, fragment: str) -> str:
        """Return where a link leads: a page, a file, a download, or the stand-in page."""
        found = self.archive.find(url)
        if found is None:
            self._resources.lacking["page"] += 1
            return self.spare()
        if found.kind == HTML:
            path = self._page_path(found)
            return path + fragment if path != self._spare else path
        if found.kind.startswith(("image/", "text/")) or found.kind == JSON:
            return self.resource(found.url, Use.RESOURCE) or self.spare()
        return self.download()

    def frame(self, url: str) -> str:
        """Return what a frame shows."""
        return self.page(url, "")

    def resource(self, url: str, use: Use) -> str | None:
        """Return where a resource stands, or what stands in for it."""
        return self._resources.resource(url, use)

    def inline(self, body: bytes, kind: str, base: str, encoding: str) -> str:
        """Store bytes that stood inside a page."""
        return self._resources.inline(body, kind, base, encoding)

    def data(self, exchange: Exchange, kind: str) -> bytes:
        """Return an answer that a script reads, rewritten and masked."""
        return self._resources.data(exchange, kind)

    def inline_page(self, html: str, base: str) -> str:
        """Make a page of a document that stood inside another."""
        key = f"inline {sha256_text(html)} {base}"
        if key not in self._paths:
            self._paths[key] = self.path_for(key)
            self._enqueue(key, base, html, "utf-8", 200, 0)
        return self._paths[key]

    def download(self) -> str:
        """Return where the harmless file is downloaded from."""
        if self._download is None:
            self._download = self.path_for("download")
            self.files["assets/file.txt"] = stand_in_file(self.language)
        return self._download

    def form(self, seen: FormSeen) -> str:
        """Return where a form is sent to."""
        return self.forms.path_of(seen)

    def field_name(self, original: str) -> str:
        """Return the name of an input."""
        return self.forms.name_of(original)

    # --- paths and pages ---------------------------------------------------------------------
    def path_for(self, key: str) -> str:
        """Return an opaque path that belongs to `key`."""
        return f"/{opaque(f'{self.salt} path {key}')}"

    def add_page(self, key: str, html: bytes, origin: Origin) -> str:
        """Add a page that stands in, and return its id."""
        page_id = self._page_id(key)
        if page_id not in self.pages:
            status = 404 if origin is Origin.SUBSTITUTE else 200
            self._put(page_id, html, Page(page_id=page_id, file=_file(page_id), status=status))
            self.origins[page_id], self.depths[page_id] = origin, self._depth
        return page_id

    def add_answer(self, key: str, exchange: Exchange) -> str:
        """Add the page that a submission was answered with, and return its id."""
        text, encoding = text_of(exchange, HTML)
        return self._enqueue(key, exchange.url, text, encoding, exchange.status, 0)

    def add_data(self, key: str, body: bytes, kind: str) -> str:
        """Add an answer that a script reads, and return its id."""
        page_id = self._page_id(key)
        media = f"{kind}; charset=utf-8"
        page = Page(page_id=page_id, file=_file(page_id, "json"), media_type=media)
        self._put(page_id, body, page)
        self.origins[page_id], self.depths[page_id] = Origin.OBSERVED, self._depth
        return page_id

    def spare(self) -> str:
        """Return where links to what the capture lacks lead."""
        if self._spare is None:
            self._spare = self.path_for("spare")
            html = stand_in_page(StandIn.MISSING, self.language, START)
            page_id = self.add_page("spare", html, Origin.SUBSTITUTE)
            self._shows[self._spare] = [(0, page_id)]
        return self._spare

    def shown_at(self, path: str) -> bool:
        """Tell whether a page stands at `path`."""
        return path in self._shows

    def _page_path(self, found: Found) -> str:
        if found.url in self._paths:
            return self._paths[found.url]
        if len(self._paths) >= self.policy.limits.pages:
            self._resources.lacking["page beyond the limit"] += 1
            return self.spare()
        if len(found.exchange.body) > self.policy.limits.page:
            self._resources.lacking["page too large"] += 1
            return self.spare()
        path = START if found.url == self.start.url else self.path_for(found.url)
        self._paths[found.url] = path
        self._shows[path] = []
        for stage, exchange in self._versions(found):
            text, encoding = text_of(exchange, HTML)
            if stage == 0 and found.url in self.frozen:
                text, encoding = self.frozen[found.url], "utf-8"
            page_id = self._enqueue(found.url, found.url, text, encoding, exchange.status, stage)
            self._shows[path].append((stage, page_id))
        return path

    def _versions(self, found: Found) -> list[tuple[int, Exchange]]:
        """Return the versions of a page by the stage from which each is shown."""
        versions: list[tuple[int, Exchange]] = []
        for exchange in self.archive.versions(found.url):
            stage = self.forms.stage_at(exchange.time)
            if media_type(exchange) != HTML or (versions and versions[-1][0] == stage):
                continue
            if not versions or versions[-1][1].body != exchange.body:
                versions.append((stage, exchange))
        if not versions:
            return [(0, found.exchange)]
        return [(0, versions[0][1]), *versions[1:]]

    def _enqueue(
        self, key: str, url: str, text: str, encoding: str, status: int, stage: int
    ) -> str:
        page_id = self._page_id(f"{key} {stage}" if stage else key)
        status = status if 200 <= status < 300 or status >= 400 else 200
        self._queue.append(Job(page_id, url, text, encoding, status, self._depth))
        self.origins[page_id], self.depths[page_id] = Origin.OBSERVED, self._depth
        if key == url and not stage:
            self.urls[page_id] = url
        return page_id

    def _page_id(self, key: str) -> str:
        return f"v{opaque(f'{self.salt} page {key}')}"

    def _write(self, job: Job) -> None:
        page = self._rewriter.rewrite(job.text, job.url, job.encoding)
        self.removed.update(page.dropped)
        self.texts[job.page_id] = page.text
        record = Page(
            page_id=job.page_id,
            file=_file(job.page_id),
            status=job.status,
            redirect=page.redirect,
        )
        self._put(job.page_id, page.html.encode("utf-8", "replace"), record)

    def _put(self, page_id: str, body: bytes, page: Page) -> None:
        self.pages[page_id] = page
        self.files[page.file] = body

    def _page_transitions(self) -> list[Transition]:
        found: list[Transition] = []
        last = self.forms.stages
        for path, versions in self._shows.items():
            bounds = [stage for stage, _ in versions[1:]] + [last + 1]
            for (stage, page_id), end in zip(versions, bounds, strict=True):
                when = {}
                if len(versions) > 1:
                    when = {"stage": tuple(str(n) for n in range(stage, end))}
                found.append(Transition(path=path, when=when, next=Show(page=page_id)))
        for key, path in self._paths.items():
            if key.startswith("inline "):
                found.append(Transition(path=path, next=Show(page=self._page_id(key))))
        if self._download is not None:
            file = Download(file="assets/file.txt", name="file.txt")
            found.append(Transition(path=self._download, next=file))
        return found

    # --- the website as a whole --------------------------------------------------------------
    def _language(self) -> str:
        text, _ = text_of(self.start.exchange, HTML)
        declared = re.search(r"<html[^>]{0,1000}?\slang\s*=\s*[\"']?([\w-]{2,35})", text[:20_000])
        shown = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", text[:200_000], flags=re.S | re.I)
        return language_of(declared[1] if declared else "", shown)

    def _scaffold(self) -> tuple[ScaffoldClass, ...]:
        fields = [f for seen in self.forms.seen for f in seen.fields]
        present = {
            ScaffoldClass.SCROLL: True,
            ScaffoldClass.FOLLOW_LINK: len(self._shows) > 1,
            ScaffoldClass.FILL_FIELD: bool(self.forms.fixtures()),
            ScaffoldClass.CHOOSE_OPTION: any(f.kind in ("select", "radio") for f in fields),
            ScaffoldClass.SUBMIT_FORM: bool(self.forms.seen),
        }
        return tuple(kind for kind, there in present.items() if there)

    def _warnings(self) -> list[str]:
        found = []
        first = self._shows[START][0][1]
        if len(self.texts.get(first, "")) < 20 and self.removed["script"]:
            found.append(
                "the start page shows next to nothing without scripts; try --scripts freeze"
            )
        if self.masker.left:
            found.append("identifiers may be left in text; look at `left`")
        found += [f"{path} was masked or replaced: it named somebody" for path in self._telling]
        return found


def _file(page_id: str, ending: str = "html") -> str:
    return f"pages/{page_id}.{ending}"


def _once(transitions: tuple[Transition, ...]) -> tuple[Transition, ...]:
    """Leave out transitions whose conditions an earlier one has already."""
    seen: dict[str, Transition] = {}
    for transition in transitions:
        key = transition.but(effects=(), next=Show(page="x")).to_json()
        seen.setdefault(key, transition)
    return tuple(seen.values())
