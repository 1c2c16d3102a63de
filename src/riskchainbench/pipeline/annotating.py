"""The workbench with everything that it needs around it: websites, a browser, a clock."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory

from riskchainbench.annotation.accounts import fresh_token
from riskchainbench.annotation.evidence_audit import EvidenceAudit, build_audit, ratings
from riskchainbench.annotation.label_audit import draw_sample, sample_size
from riskchainbench.annotation.opening import create_project, open_project
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.settings import (
    ANNOTATOR,
    COORDINATOR,
    PROJECT,
    Clock,
    ProjectSettings,
)
from riskchainbench.annotation.simulate import (
    PREFIX,
    Rates,
    Reference,
    leave_to_coordinator,
    simulate,
    simulate_ratings,
)
from riskchainbench.annotation.training import training_sites
from riskchainbench.annotation.web.app import WorkbenchApp
from riskchainbench.annotation.web.bench import Place, Workbench
from riskchainbench.annotation.web.frames import Frames
from riskchainbench.annotation.web.photographer import (
    BrowserPhotographer,
    NoPhotographer,
    Photographer,
)
from riskchainbench.bundle import Bundle, open_bundle, open_gold
from riskchainbench.core.decisions import NO_TYPE, UNKNOWN_TYPE, Decision
from riskchainbench.core.errors import InputError, RiskChainError, UsageError
from riskchainbench.core.seeds import derive, fresh_seed, stream
from riskchainbench.investigation.browsing import browser_settings
from riskchainbench.sandbox.server import SandboxServer

DEMO_PEOPLE = {"ann": ANNOTATOR, "bob": ANNOTATOR, "cleo": COORDINATOR}
DEMO_PASSWORD = "demonstration"
TURN = 0.0005
"""Seconds that a thread may compute before another one gets its turn."""


@dataclass(frozen=True)
class Wanted:
    """What a new project is begun with; an existing one keeps its own."""

    repeat_rate: float = 0.08
    lease_seconds: float = 3600.0
    training: int = 3
    database: str | None = None
    simulated: bool = False
    seed: int | None = None
    audit_width: float | None = None


def open_or_begin(bundle: Bundle, folder: Path, wanted: Wanted, clock: Clock) -> Project:
    """Open the project in `folder`, or begin one there over all websites of the bundle.

    Raises:
        DriftError: the project there labels other websites or under another codebook.
        IntegrityError: its ledger was changed.
    """
    if (folder / PROJECT).exists():
        return open_project(folder, bundle.codebook, bundle.tasks_sha256, clock)
    seed = fresh_seed() if wanted.seed is None else wanted.seed
    settings = ProjectSettings(
        tasks_sha256=bundle.tasks_sha256,
        codebook_sha256=bundle.codebook.sha256,
        codebook_version=bundle.codebook.version,
        cases=_cases(bundle, wanted, seed),
        seed=str(seed),
        lease_seconds=wanted.lease_seconds,
        repeat_rate=wanted.repeat_rate,
        training=wanted.training,
        simulated=wanted.simulated,
        database=wanted.database,
    )
    return create_project(folder, settings, bundle.codebook, clock)


def _cases(bundle: Bundle, wanted: Wanted, seed: int) -> tuple[str, ...]:
    if wanted.audit_width is None:
        return tuple(bundle.investigation_tasks)
    size = sample_size(len(bundle.investigation_tasks), wanted.audit_width)
    return draw_sample(open_gold(bundle).labeled(), size, derive(seed, "label-audit"))


def first_coordinator(project: Project, say: Callable[[str], None]) -> None:
    """Open the first account where there is none yet, and say its password once."""
    if project.store.people():
        return
    password = fresh_token()[:20]
    project.add_person(COORDINATOR, COORDINATOR, password)
    say(f"first account: {COORDINATOR}, password {password} (said once; add people in the page)")


def fill(
    project: Project,
    bundle: Bundle,
    rates: Rates,
    *,
    people: int = 4,
    stop_after: int | None = None,
) -> int:
    """Let simulated annotators fill the project, aiming at the bundle's gold."""
    return simulate(project, reference(bundle), rates, people=people, stop_after=stop_after)


def reference(bundle: Bundle) -> Reference:
    """Return what simulated annotators aim at: the bundle's labels.

    Captured websites without a label get a drawn one, which is nobody's judgment of them.
    """
    gold = open_gold(bundle)
    return {
        case_id: (
            (gold.labels[case_id].decision, gold.labels[case_id].violation_type)
            if case_id in gold.labels
            else _drawn(bundle, stream(int(gold.seed.seed), "simulated labels", case_id))
        )
        for case_id in sorted(bundle.investigation_tasks)
    }


def _drawn(bundle: Bundle, draw: Random) -> tuple[Decision, str]:
    decision = draw.choice(list(Decision))
    kinds = {Decision.NON_VIOLATION: NO_TYPE, Decision.INSUFFICIENT_EVIDENCE: UNKNOWN_TYPE}
    return decision, kinds.get(decision) or draw.choice(bundle.codebook.type_ids)


def fill_demo(project: Project, bundle: Bundle) -> None:
    """Fill a project for looking around in: most is judged, and each role has work left."""
    if any(person.name == "ann" for person in project.store.people()):
        return
    if not project.store.people():
        rates = Rates(flip=0.2, unsure=0.08, other_type=0.1, hard=0)
        # Three, so that even on few websites everybody does enough to meet hidden repeats.
        fill(project, bundle, rates, people=3, stop_after=2 * len(project.settings.cases))
        leave_to_coordinator(project)
    for name, role in DEMO_PEOPLE.items():
        project.add_person(name, role, DEMO_PASSWORD)
    project.remove_person(f"{PREFIX}1")


@contextmanager
def workbench(
    bundle: Bundle,
    project: Project,
    *,
    place: Place | None = None,
    port: int = 0,
    rng: Random | None = None,
    pictures: bool = True,
    audit: EvidenceAudit | None = None,
) -> Iterator[SandboxServer]:
    """Serve the workbench on loopback while the block runs."""
    place = place or Place()
    training = training_sites(
        int(project.settings.seed), project.codebook, project.settings.training
    )
    websites = {**bundle.websites(), **{site.case_id: site.website for site in training}}
    frames = Frames(
        websites, place.suffix, rng or SystemRandom(), project.clock, project.store.add_visit
    )
    photographer = _photographer() if pictures else NoPhotographer()
    bench = Workbench(project, frames, photographer, place, training, audit=audit)
    # A report takes half a second of computing; meanwhile each page would wait at every one of
    # its many short reads for the 5 ms that threads have by default.
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        with SandboxServer(WorkbenchApp(bench), port=port) as server:
            yield server
    finally:
        sys.setswitchinterval(usual)
        photographer.close()


def _photographer() -> Photographer:
    try:
        return BrowserPhotographer(browser_settings())
    except RiskChainError:
        return NoPhotographer()


@contextmanager
def places(
    bundle: Path | None, project: Path | None, *, demo: bool, say: Callable[[str], None]
) -> Iterator[tuple[Path, Path]]:
    """Return the two folders; a demonstration has its own for a while where none is named.

    Raises:
        UsageError: a folder is missing, and this is no demonstration.
    """
    if bundle is not None and project is not None:
        yield bundle, project
        return
    if not demo:
        raise UsageError("name BUNDLE and PROJECT; only --demo makes them itself")
    # Imported here, so that a workbench over a bundle does not load what makes one.
    from riskchainbench.pipeline.build import build

    with TemporaryDirectory(prefix="riskchain-demo-") as name:
        folder = Path(name)
        if bundle is None:
            say("making a small benchmark to look around in; it goes when this ends")
            bundle = folder / "bundle"
            build(bundle, "demo", fresh_seed())
        yield bundle, project or folder / "project"


def annotate(
    bundle_folder: Path,
    folder: Path,
    wanted: Wanted,
    *,
    say: Callable[[str], None],
    port: int,
    place: Place | None = None,
    demo: bool = False,
    rates: Rates | None = None,
    runs: Sequence[Path] = (),
    audit_size: int | None = None,
    judge: str = "rules",
) -> None:
    """Serve the workbench until interrupted; with `rates`, let simulated annotators do it all.

    Raises:
        InputError: no bundle, or a demonstration over a project for people.
        RiskChainError: the port is taken.
    """
    bundle = open_bundle(bundle_folder)
    project = open_or_begin(bundle, folder, wanted, time.time)
    try:
        seed = int(project.settings.seed)
        audit = build_audit(bundle, runs, seed, audit_size, judge) if runs else None
        if rates is not None:
            given = fill(project, bundle, rates)
            say(f"{folder}: {given} judgments by simulated annotators, not people")
            if audit is not None:
                rated = simulate_ratings(project, audit, share=1.0)
                say(f"{folder}: evidence of {rated} conclusions rated by them, too")
            return
        if demo and not project.settings.simulated:
            raise InputError(f"{folder}: a project for people; name another folder with --demo")
        if demo:
            fill_demo(project, bundle)
            say(f"sign in as {', '.join(DEMO_PEOPLE)}; password {DEMO_PASSWORD}")
        else:
            first_coordinator(project, say)
        if demo and audit is not None and not ratings(project):
            simulate_ratings(project, audit)
        with workbench(bundle, project, place=place, port=port, audit=audit) as server:
            shown = (
                f"http://localhost:{server.port}/" if place is None else f"https://{place.host}/"
            )
            say(f"{shown}  (Ctrl+C ends)")
            threading.Event().wait()
    finally:
        project.close()
