"""The browser check: every website walked in the sealed browser, in several episodes.

It shows what no browserless proof can: that the evidence comes into view on the shortest way to
it; in a fresh episode, that the first picture is the same, and that every link, form and tab
does what it should to page and state; that every other page and asset is there, too; and that
nothing reaches out.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from threadpoolctl import threadpool_limits

from riskchainbench.browser.guards import Layer
from riskchainbench.browser.pool import EnvHandle, EnvironmentFailureError, Pool
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.audits import audited_cases
from riskchainbench.checks.duplicates import perceptual_hash
from riskchainbench.checks.pictures import PictureAudit, audit_pictures, thumbnail
from riskchainbench.checks.tour import Entrance, Stop, Tour, tour_of
from riskchainbench.checks.walk import oracle_walk, reachable
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure
from riskchainbench.core.gold import Medium, PlacedComponent, WalkStep
from riskchainbench.core.hashing import Sha256, sha256_bytes
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    EventKind,
    InvestigationTask,
    OutcomeStatus,
)
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import derive
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import json_bytes, jsonl_bytes
from riskchainbench.core.text import folded
from riskchainbench.core.units import run_all, tried
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.step import ViewEffect, initial_state

STAGE = "browser-check"
CERTIFICATE = "websites.jsonl"
PICTURES = "pictures.json"
CHECK_VERSION = 2
"""Of what is looked for; websites that were walked by another version are not counted as walked."""

_MAX_SCROLLS = 12
_WORKING = frozenset({OutcomeStatus.DONE, OutcomeStatus.NO_EFFECT})


class WalkedWebsite(Record):
    """What the browser found on one website; no findings means that it passed.

    `thumbnail` is the first screenshot scaled down (base64), `perceptual_hash` its 64 bits.
    """

    schema_version: Literal["walked/1"] = "walked/1"
    case_id: str
    actions: int
    first_screenshot: str | None
    thumbnail: str = ""
    perceptual_hash: str = ""
    findings: tuple[str, ...]


@dataclass(frozen=True)
class BrowserCheck:
    """The frozen certificate, the websites that were asked for, and the audit of all pictures.

    `open` says of each website that could not be walked why; it is tried again on resume.
    """

    manifest: StageManifest
    walked: tuple[WalkedWebsite, ...]
    pictures: PictureAudit
    open: tuple[str, ...] = ()


def certificate_folder(bundle: Bundle) -> Path:
    """Return where the check of `bundle` keeps its work and certificate: beside the bundle."""
    return bundle.folder.with_name(f"{bundle.folder.name}.check")


async def check_in_browser(
    bundle: Bundle,
    gold: Gold,
    cases: Iterable[str],
    pool: Pool,
    visits: SandboxVisits,
    settings: BrowserSettings,
    *,
    workers: int,
    update: Callable[[int, int], None],
) -> BrowserCheck:
    """Walk the given websites and freeze the certificate of all that were walked so far.

    Websites that were walked before, in the same browser, are not walked again.

    Raises:
        DriftError: an earlier check was made with another browser or by another version of it;
            remove its folder.
        StorageError: the disk is full; what was walked is kept.
    """
    stage = StageFolder(certificate_folder(bundle))
    stage.begin(
        StageSettings(
            stage=STAGE,
            tasks_sha256=bundle.tasks_sha256,
            inputs={"gold": gold.gold_sha256},
            settings={"check_version": CHECK_VERSION, **settings.model_dump(mode="json")},
        )
    )
    log = stage.log("websites")
    done = {walked.case_id: walked for walked in log.records(WalkedWebsite)}
    wanted = sorted(cases)
    failed: dict[str, Failure] = {}

    async def work(case_id: str) -> None:
        outcome = await tried(lambda: _walked(bundle, gold, case_id, pool, visits))
        if isinstance(outcome, Failure):
            failed[case_id] = outcome
            return
        log.append(outcome.model_dump(mode="json"))
        done[case_id] = outcome
        update(sum(case in done for case in wanted), len(wanted))

    await run_all([case for case in wanted if case not in done], work, concurrency=workers)
    pictures = audit_of_pictures(done.values(), bundle, gold)
    manifest = stage.freeze(
        STAGE,
        {
            CERTIFICATE: jsonl_bytes(done[case_id] for case_id in sorted(done)),
            PICTURES: json_bytes(pictures),
        },
        units=len(bundle.investigation_tasks),
        open_units=tuple(sorted(set(bundle.investigation_tasks) - set(done))),
    )
    walked = tuple(done[case_id] for case_id in wanted if case_id in done)
    open_ = tuple(
        f"{case_id}: not walked: {failure.failure_class}: {failure.detail}"
        for case_id, failure in sorted(failed.items())
    )
    return BrowserCheck(manifest, walked, pictures, open_)


def audit_of_pictures(walked: Iterable[WalkedWebsite], bundle: Bundle, gold: Gold) -> PictureAudit:
    """Audit the first screenshots of the websites that were walked."""
    with_picture = [each for each in walked if each.thumbnail]
    cases = {each.case_id for each in with_picture}
    with threadpool_limits(1):
        return audit_pictures(
            {each.case_id: b64decode(each.thumbnail) for each in with_picture},
            {each.case_id: each.perceptual_hash for each in with_picture},
            audited_cases(bundle, gold, sorted(cases)),
            derive(int(gold.seed.seed), "picture-audit"),
        )


async def _walked(
    bundle: Bundle, gold: Gold, case_id: str, pool: Pool, visits: SandboxVisits
) -> WalkedWebsite:
    components = tuple(c for c in gold.components[case_id] if c.asserted)
    loaded = bundle.website(case_id)
    walker = _Walker(bundle.investigation_tasks[case_id], components, visits)
    try:
        graph = reachable(loaded)
        evidence, tour = oracle_walk(loaded, components, graph), tour_of(loaded, graph)
    except InputError as error:
        # A website that cannot be walked must not end the check of all others.
        walker.findings.append(str(error))
        evidence, tour = (), Tour()
    async with pool.lease() as env:
        first = await walker.visit(env, lambda view, _: walker.walk(env, view, evidence))
    async with pool.lease() as env:
        again = await walker.visit(env, lambda view, visit: walker.tour(env, view, visit, tour))
    if first != again:
        walker.findings.append("a fresh episode shows another first screenshot")
    for entrance in (*tour.apart, *_assets_left(loaded, walker.assets)):
        async with pool.lease() as env:
            await walker.enter(env, entrance)
    return WalkedWebsite(
        case_id=case_id,
        actions=walker.actions,
        first_screenshot=None if first is None else sha256_bytes(first),
        thumbnail="" if first is None else b64encode(thumbnail(first)).decode("ascii"),
        perceptual_hash="" if first is None else perceptual_hash(first),
        findings=tuple(walker.findings),
    )


def _assets_left(loaded: LoadedWebsite, asked: Set[str]) -> Iterator[Entrance]:
    """Yield the assets that no page asked for on the way."""
    state = initial_state(loaded).sha256
    for path in loaded.assets:
        if path not in asked:
            yield Entrance(path, None, state)


class _Walker:
    """Follows ways through a website and notes what does not work."""

    def __init__(
        self,
        task: InvestigationTask,
        components: tuple[PlacedComponent, ...],
        visits: SandboxVisits,
    ) -> None:
        self.findings: list[str] = []
        self.actions = 0
        self.assets: set[str] = set()
        self._task = task
        self._visits = visits
        self._unseen = {
            folded(c.realization): c.component_id for c in components if c.medium is Medium.TEXT
        }

    async def visit(
        self,
        env: EnvHandle,
        walk: Callable[[PageView, Visit], Awaitable[None]],
        start_path: str | None = None,
    ) -> bytes | None:
        """Open a fresh episode, walk it, and return its first screenshot."""
        visit = self._visits.open(self._task)
        try:
            opened = visit if start_path is None else visit.but(start_path=start_path)
            view, png = await env.open(opened)
            await walk(view, visit)
            served = self._visits.served(visit)
            self.assets |= {one.path for one in served if one.effect is ViewEffect.ASSET}
            return png
        except EnvironmentFailureError as error:
            self.findings.append(f"{error.failure.failure_class}: {error.failure.detail}")
            return None
        finally:
            self._visits.close(visit)

    async def walk(self, env: EnvHandle, view: PageView, steps: Sequence[WalkStep]) -> None:
        """Take every step, looking down each page, and say what was never seen."""
        view = await self._look_down(env, view)
        for step in steps:
            after = await self._taken(env, view, step)
            if after is None:
                return
            view = await self._look_down(env, after)
        self.findings += [
            f"{component} was never in view" for component in sorted(self._unseen.values())
        ]

    async def tour(self, env: EnvHandle, view: PageView, visit: Visit, tour: Tour) -> None:
        """Take every step and say which one came to something else than it should."""
        asked = len(self._visits.served(visit))
        for stop in tour.stops:
            for step in stop.steps:
                fills = step.action is ActionKind.FILL
                after = await (self._filled if fills else self._taken)(env, view, step)
                if after is None:
                    return
                view = after
                self._note(view)
            served = self._visits.served(visit)
            requests = {(one.method, one.path) for one in served[asked:]}
            asked = len(served)
            problem = _problem(stop, view, requests, self._visits.state_sha256(visit))
            if problem:
                last = stop.steps[-1]
                self.findings.append(f"{last.action} {last.control!r} {problem}")
                return

    async def enter(self, env: EnvHandle, entrance: Entrance) -> None:
        """Begin an episode elsewhere than usual and say what is there that should not be."""

        async def look(view: PageView, visit: Visit) -> None:
            self._note(view)
            problem = None
            served = {one.path: one.effect for one in self._visits.served(visit)}
            if served.get(entrance.path, ViewEffect.NO_EFFECT) is ViewEffect.NO_EFFECT:
                problem = "was not served"
            elif self._visits.state_sha256(visit) != entrance.state_sha256:
                problem = "left the website in another state"
            elif entrance.title is not None and folded(view.title) != entrance.title:
                problem = f"showed {view.title!r}, not {entrance.title!r}"
            if problem:
                self.findings.append(f"{entrance.path} {problem}")

        await self.visit(env, look, entrance.path)

    async def _taken(self, env: EnvHandle, view: PageView, step: WalkStep) -> PageView | None:
        action = _action(step, view)
        if action is None:
            self.findings.append(f"no control named {step.control!r} to {step.action}")
            return None
        after = await self._do(env, action)
        if after.outcome is None or after.outcome.status not in _WORKING:
            told = "nothing" if after.outcome is None else after.outcome.status.value
            self.findings.append(f"{step.action} {step.control!r}: {told}")
        return after

    async def _filled(self, env: EnvHandle, view: PageView, step: WalkStep) -> PageView | None:
        """Fill a field until it holds the step's value, wherever its cycle stood before."""
        held: set[str | None] = set()
        while True:
            after = await self._taken(env, view, step)
            now = None if after is None or after.outcome is None else after.outcome.fixture
            if after is None or now == step.fixture:
                return after
            if now in held or now is None:
                self.findings.append(f"fill {step.control!r} never gave {step.fixture!r}")
                return None
            held.add(now)
            view = after

    async def _look_down(self, env: EnvHandle, view: PageView) -> PageView:
        for _ in range(_MAX_SCROLLS):
            self._note(view)
            before = view.scroll
            at_end = before.top + before.viewport_height >= before.page_height - 1
            if at_end or not self._unseen:
                return view
            view = await self._do(env, Action(action=ActionKind.SCROLL_DOWN))
            if view.scroll.top == before.top:
                return view
        return view

    async def _do(self, env: EnvHandle, action: Action) -> PageView:
        self.actions += 1
        view, _ = await env.act(action)
        return view

    def _note(self, view: PageView) -> None:
        text = folded(view.text)
        self._unseen = {words: name for words, name in self._unseen.items() if words not in text}
        self.findings += [
            f"an attempt to reach out: {entry.kind}"
            for entry in view.network
            # A file of the website's own is refused like any other: none is ever saved.
            if entry.layer is not Layer.DOWNLOAD or "//site/" not in entry.url
        ]


def _problem(
    stop: Stop, view: PageView, requests: Set[tuple[str, str]], state_sha256: Sha256
) -> str | None:
    if not requests >= stop.requests:
        return f"did not ask for {' '.join(min(stop.requests - requests))}"
    if folded(view.title) != stop.title:
        return f"led to {view.title!r}, not to {stop.title!r}"
    if state_sha256 != stop.state_sha256:
        return "left the website in another state"
    if stop.downloads and not any(event.kind is EventKind.DOWNLOAD for event in view.events):
        return "offered no file"
    if stop.unfolds and (view.outcome is None or view.outcome.status is not OutcomeStatus.DONE):
        return "changed nothing"
    return None


def _action(step: WalkStep, view: PageView) -> Action | None:
    if step.control is None:
        return Action(action=step.action)
    wanted = folded(step.control)
    for element in sorted(view.elements, key=lambda found: not found.in_viewport):
        if folded(element.name) == wanted:
            return Action(action=step.action, element=element.element_id, option=step.option)
    return None
