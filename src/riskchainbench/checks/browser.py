"""The browser check: every website walked in the sealed browser, in two episodes.

It shows what no browserless proof can: that the evidence comes into view on the shortest way to
it, and then, in a fresh episode, that the first picture is the same, that every link leads to
its page when it is clicked, and that nothing reaches out.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from threadpoolctl import threadpool_limits

from riskchainbench.browser.pool import EnvHandle, EnvironmentFailureError, Pool
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.audits import audited_cases
from riskchainbench.checks.duplicates import perceptual_hash
from riskchainbench.checks.page_text import page_title
from riskchainbench.checks.pictures import PictureAudit, audit_pictures, thumbnail
from riskchainbench.checks.walk import Graph, click_tour, oracle_walk, reachable
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure
from riskchainbench.core.gold import Medium, PlacedComponent, WalkStep
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.investigation import Action, ActionKind, InvestigationTask, OutcomeStatus
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import derive
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import json_bytes, jsonl_bytes
from riskchainbench.core.text import folded
from riskchainbench.core.units import run_all, tried
from riskchainbench.investigation.visits import Visits
from riskchainbench.websites.records import LoadedWebsite

STAGE = "browser-check"
CERTIFICATE = "websites.jsonl"
PICTURES = "pictures.json"
_MAX_SCROLLS = 12
_WORKING = frozenset({OutcomeStatus.DONE, OutcomeStatus.NO_EFFECT})

TourStep = tuple[WalkStep, str]
"""A click and the title of the page that it leads to."""


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
    visits: Visits,
    settings: BrowserSettings,
    *,
    workers: int,
    update: Callable[[int, int], None],
) -> BrowserCheck:
    """Walk the given websites and freeze the certificate of all that were walked so far.

    Websites that were walked before, in the same browser, are not walked again.

    Raises:
        DriftError: an earlier check was made with another browser; remove its folder.
        StorageError: the disk is full; what was walked is kept.
    """
    stage = StageFolder(certificate_folder(bundle))
    stage.begin(
        StageSettings(
            stage=STAGE,
            tasks_sha256=bundle.tasks_sha256,
            inputs={"gold": gold.gold_sha256},
            settings=settings.model_dump(mode="json"),
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
    bundle: Bundle, gold: Gold, case_id: str, pool: Pool, visits: Visits
) -> WalkedWebsite:
    components = tuple(c for c in gold.components[case_id] if c.asserted)
    loaded = bundle.website(case_id)
    walker = _Walker(bundle.investigation_tasks[case_id], components)
    try:
        graph = reachable(loaded)
        evidence, tour = oracle_walk(loaded, components, graph), tour_of(loaded, graph)
    except InputError as error:
        # A website that cannot be walked must not end the check of all others.
        walker.findings.append(str(error))
        evidence, tour = (), ()
    async with pool.lease() as env:
        first = await _visited(walker, env, visits, lambda view: walker.walk(env, view, evidence))
    async with pool.lease() as env:
        again = await _visited(walker, env, visits, lambda view: walker.tour(env, view, tour))
    if first != again:
        walker.findings.append("a fresh episode shows another first screenshot")
    return WalkedWebsite(
        case_id=case_id,
        actions=walker.actions,
        first_screenshot=None if first is None else sha256_bytes(first),
        thumbnail="" if first is None else b64encode(thumbnail(first)).decode("ascii"),
        perceptual_hash="" if first is None else perceptual_hash(first),
        findings=tuple(walker.findings),
    )


def tour_of(loaded: LoadedWebsite, graph: Graph) -> tuple[TourStep, ...]:
    """Return the clicks that show every page that clicks reach, each with the title to come."""
    return tuple(
        (step, page_title(graph.views[node].body)) for step, node in click_tour(loaded, graph)
    )


async def _visited(
    walker: _Walker,
    env: EnvHandle,
    visits: Visits,
    walk: Callable[[PageView], Awaitable[None]],
) -> bytes | None:
    """Open a fresh episode, walk it, and return its first screenshot."""
    visit: Visit = visits.open(walker.task)
    try:
        view, png = await env.open(visit)
        await walk(view)
        return png
    except EnvironmentFailureError as error:
        walker.findings.append(f"{error.failure.failure_class}: {error.failure.detail}")
        return None
    finally:
        visits.close(visit)


class _Walker:
    """Follows ways through a website and notes what does not work."""

    def __init__(
        self,
        task: InvestigationTask,
        components: tuple[PlacedComponent, ...],
    ) -> None:
        self.task = task
        self.findings: list[str] = []
        self.actions = 0
        self._unseen = {
            folded(c.realization): c.component_id for c in components if c.medium is Medium.TEXT
        }

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

    async def tour(self, env: EnvHandle, view: PageView, tour: Sequence[TourStep]) -> None:
        """Take every step and say which one led elsewhere than it should."""
        for step, title in tour:
            after = await self._taken(env, view, step)
            if after is None:
                return
            view = after
            self._note(view)
            if folded(view.title) != title:
                self.findings.append(
                    f"{step.action} {step.control!r} led to {view.title!r}, not to {title!r}"
                )
                return

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
        self.findings += [f"an attempt to reach out: {entry.kind}" for entry in view.network]


def _action(step: WalkStep, view: PageView) -> Action | None:
    if step.control is None:
        return Action(action=step.action)
    wanted = folded(step.control)
    for element in sorted(view.elements, key=lambda found: not found.in_viewport):
        if folded(element.name) == wanted:
            return Action(action=step.action, element=element.element_id, option=step.option)
    return None
