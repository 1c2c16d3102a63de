"""A small invented benchmark with runs, scores and screenshots, for reports of any shape."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from PIL import Image, ImageDraw

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.bundle.layout import SeedRecord
from riskchainbench.core.codebook import Codebook, Role, default_codebook
from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ConclusionRecord,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.gold import (
    LabelSource,
    Medium,
    PlacedComponent,
    Placement,
    SampleGold,
    Stratum,
    WebsiteLabel,
)
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Box,
    Element,
    ElementKind,
    Ending,
    EventKind,
    InvestigationTask,
    Observation,
    Outcome,
    OutcomeStatus,
    PageEvent,
    ScaffoldClass,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
    Viewport,
)
from riskchainbench.core.restoration import (
    EntryCandidate,
    Intent,
    Message,
    Prediction,
    Restoration,
    RestorationTask,
    RestoredMessage,
    Surface,
)
from riskchainbench.core.store import Images
from riskchainbench.messages.records import Edit, Trace, TraceStage
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.scoring.records import Scores
from riskchainbench.scoring.run import JudgeRun, Judgment, RunData
from riskchainbench.scoring.score import Options, score

WIDTH, HEIGHT = 1280, 720
V, N, U = Decision.VIOLATION, Decision.NON_VIOLATION, Decision.INSUFFICIENT_EVIDENCE
GOLD = (V, N, U)
TYPE = "GAMBLING_BETTING_PROMOTION"
SYSTEMS = ("careful", "hasty", "always-violation", "oracle")


@dataclass
class World:
    """The fixture: everything that `write_report` takes."""

    tasks_sha256: str
    codebook: Codebook
    investigation_tasks: dict[str, InvestigationTask]
    restoration_tasks: dict[str, RestorationTask]
    labels: dict[str, WebsiteLabel] = field(default_factory=dict)
    components: dict[str, tuple[PlacedComponent, ...]] = field(default_factory=dict)
    strata: dict[str, Stratum] = field(default_factory=dict)
    samples: dict[str, SampleGold] = field(default_factory=dict)
    traces: dict[str, Trace] = field(default_factory=dict)
    runs: list[ReportRun] = field(default_factory=list)
    scores: Scores | None = None


@cache
def page_picture(title: str, lines: tuple[str, ...], dark: bool) -> bytes:
    picture = Image.new("RGB", (WIDTH, HEIGHT), "#22313f" if dark else "#fbf7ef")
    pen = ImageDraw.Draw(picture)
    ink = "#ecf0f1" if dark else "#2c3e50"
    pen.rectangle((0, 0, WIDTH, 74), fill="#b03a2e" if dark else "#1f618d")
    pen.text((40, 22), title, fill="white", font_size=28)
    for at, line in enumerate(lines):
        pen.text((60, 120 + 60 * at), line, fill=ink, font_size=24)
    pen.rectangle((60, 420, 300, 476), fill="#27ae60")
    pen.text((90, 434), "Enter the hall", fill="white", font_size=22)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


ELEMENTS = (
    Element(
        element_id="e1",
        kind=ElementKind.LINK,
        role="link",
        name="Enter the hall",
        box=Box(x=60, y=420, width=240, height=56),
    ),
    Element(
        element_id="e2",
        kind=ElementKind.FIELD,
        role="textbox",
        name="Stake",
        value="50",
        box=Box(x=360, y=420, width=200, height=56),
    ),
    Element(
        element_id="e3",
        kind=ElementKind.CHOICE,
        role="combobox",
        name="Table",
        options=("red", "black"),
        in_viewport=False,
    ),
)


def make_step(
    at: int, last: int, title: str, text: str, shot: str | None, element: str | None
) -> Step:
    action = (
        Action(action=ActionKind.STOP, reason="Enough was seen to decide.")
        if at == last
        else Action(
            action=ActionKind.CLICK if element else ActionKind.SCROLL_DOWN,
            element=element,
            reason="The hall may show what is offered, and at which stakes.",
        )
    )
    return Step(
        observation=Observation(
            step=at,
            screenshot=shot,
            title=title,
            text=text,
            elements=ELEMENTS,
            scroll=Scroll(top=0, page_height=1400, viewport_height=HEIGHT),
            outcome=Outcome(status=OutcomeStatus.DONE, detail="a page opened") if at else None,
            events=(PageEvent(kind=EventKind.DIALOG, text="Are you 18?"),) if at == 1 else (),
            remaining_actions=30 - at,
            page_state=sha256_text(f"{title}{at}"),
        ),
        action=action,
        timing=Timing(observed_at=4.0 * at, decided_at=4.0 * at + 3),
    )


def make_trajectory(images: Images, case_id: str, steps: int) -> Trajectory:
    made = []
    for at in range(steps):
        title = "Lucky Pier" if at == 0 else f"Hall {at}"
        text = "Welcome to the pier\nBets from 5 to 500 are paid out daily\nSupport day and night"
        picture = page_picture(title, tuple(text.splitlines()), dark=at > 0)
        made.append(
            make_step(
                at, steps - 1, title, text, images.put(picture), "e1" if at % 2 == 0 else None
            )
        )
    return Trajectory(steps=tuple(made), end=TrajectoryEnd(ending=Ending.STOP, seconds=4.0 * steps))


def make_conclusion(case_id: str, decision: Decision, step: int) -> ConclusionRecord:
    kinds = {V: TYPE, N: "NONE", U: "UNKNOWN"}
    return ConclusionRecord(
        case_id=case_id,
        trajectory_sha256=sha256_text(case_id),
        conclusion=Conclusion(
            decision=decision,
            violation_type=kinds[decision],
            rationale="The hall takes bets and says that winnings are paid out daily, "
            "on its own behalf and without any licence notice.",
            evidence=(
                EvidenceReference(
                    step=step, locator=QuoteLocator(text="Bets from 5 to  500 are paid out")
                ),
                EvidenceReference(step=0, locator=ElementLocator(element_id="e1")),
                EvidenceReference(
                    step=step, locator=BoxLocator(x=50, y=100, width=620, height=140)
                ),
            ),
            confidence=0.86,
        ),
    )


SOURCE = "今晚八点开局，打开 kaw08x.me.test 领取名额"
VARIANT = "今晚八点開局，扌丁开 kαw08x，me.test 领取名额[微笑]"


def make_messages(world: World, at: int, case_id: str) -> None:
    for number, variant in enumerate(("v000", "v001")):
        sample_id = f"s{at:03d}{number}"
        given = VARIANT if number == 0 else SOURCE.replace("打开", "达开")
        world.restoration_tasks[sample_id] = RestorationTask(
            sample_id=sample_id,
            platform="wechat",
            surface=Surface.GROUP_CHAT,
            messages=(Message(message_id="m1", content=given),),
        )
        world.samples[sample_id] = SampleGold(
            sample_id=sample_id,
            case_id=case_id,
            variant=variant,
            session=f"session{at}",
            messages={"m1": SOURCE},
            intent=Intent.OPEN_SITE,
            entry="kaw08x.me.test",
            platform="wechat",
            recipe="composite" if number == 0 else "phonetic",
            operators=("decomposition",),
            severity="high",
            entry_position="middle",
            length="short",
            theme="games",
            template=f"t{at}",
        )
        edits = (
            Edit(
                rule="打",
                message_id="m1",
                before_span=(7, 8),
                after_span=(7, 9),
                before="打",
                after="扌丁",
            ),
        )
        world.traces[sample_id] = Trace(
            sample_id=sample_id,
            stages=(
                TraceStage(
                    operator="decomposition",
                    edits=edits,
                    before_sha256=sha256_text(SOURCE),
                    after_sha256=sha256_text(given),
                ),
            ),
        )


def make_prediction(sample: SampleGold, right: bool) -> Prediction:
    text = SOURCE if right else SOURCE.replace("打开", "扛开").replace("kaw", "kow")
    entry = sample.entry if right else "kow08x.me.test"
    return Prediction(
        sample_id=sample.sample_id,
        restoration=Restoration(
            messages=(RestoredMessage(message_id="m1", text=text),),
            intent=Intent.OPEN_SITE,
            candidates=(EntryCandidate(rank=1, value=entry, confidence=0.9),),
        ),
    )


def decided(system: str, at: int) -> Decision | None:
    """What each system concludes: careful is right but once, hasty fails a third."""
    gold = GOLD[at % 3]
    if system == "oracle":
        return gold
    if system == "always-violation":
        return V
    if system == "careful":
        return N if at == 5 else gold
    return None if at % 3 == 2 else V


def make_run(world: World, folder: Path, system: str) -> RunData:
    images = Images(folder / "images")
    trajectories: dict[str, Trajectory] = {}
    conclusions: dict[str, ConclusionRecord] = {}
    for at, case_id in enumerate(world.investigation_tasks):
        decision = decided(system, at)
        steps = 1 if system == "always-violation" else 2 + at % 4
        trajectories[case_id] = make_trajectory(images, case_id, steps)
        conclusions[case_id] = (
            make_conclusion(case_id, decision, steps - 1)
            if decision
            else ConclusionRecord(
                case_id=case_id,
                trajectory_sha256=sha256_text(case_id),
                conclusion=None,
                failure=Failure(
                    failure_class=FailureClass.NO_JSON,
                    stage=Stage.CONCLUSION,
                    detail="I would say it looks fine.",
                ),
            )
        )
    right = {"oracle": True, "careful": True}.get(system, False)
    predictions = {key: make_prediction(each, right) for key, each in world.samples.items()}
    judgments = {
        case_id: Judgment(
            scores={"faithfulness": 4, "sufficiency": 3, "completeness": 3, "consistency": 5}
        )
        for case_id in world.investigation_tasks
    }
    return RunData(
        system=system,
        predictions=predictions,
        predictions_sha256=sha256_text(system),
        investigated_after=sha256_text(system),
        conclusions=conclusions,
        trajectory=trajectories.get,
        judges=(JudgeRun(judge="rules", judgments=judgments, deterministic=True),),
    )


def make_components(case_id: str, gold: Decision) -> tuple[PlacedComponent, ...]:
    """Two facts of a violation, one of a benign service, or none."""
    facts = {
        V: (
            ("GAMBLING_BET_OFFER", Role.VIOLATION, "Welcome to the pier"),
            ("GAMBLING_STAKE_OR_PAYOUT", Role.VIOLATION, "Bets from 5 to 500 are paid out daily"),
        ),
        N: (("BENIGN_SERVICE", Role.BENIGN, "Support day and night"),),
        U: (),
    }
    return tuple(
        PlacedComponent(
            case_id=case_id,
            component_id=component_id,
            role=role,
            page="hall",
            placement=Placement.NAVIGATION,
            medium=Medium.TEXT,
            realization=words,
        )
        for component_id, role, words in facts[gold]
    )


def score_world(world: World) -> Scores:
    """Score the world as any bundle; 200 draws are enough to have intervals."""
    gold = Gold(
        gold_sha256=sha256_text("gold"),
        label_source=LabelSource.DESIGNED,
        labels=world.labels,
        strata=world.strata,
        components=world.components,
        samples=world.samples,
        traces=world.traces,
        resolver={},
        seed=SeedRecord.model_construct(),
    )
    runs = [run.data for run in world.runs]
    return score(cast(Bundle, world), gold, runs, Options(draws=200))


def make_world(folder: Path, websites: int = 12) -> World:
    task_ids = [f"case{sha256_text(str(at))[:6]}" for at in range(websites)]
    world = World(
        tasks_sha256=sha256_text("tasks"),
        codebook=default_codebook(),
        investigation_tasks={
            case_id: InvestigationTask(
                case_id=case_id,
                scaffold=(ScaffoldClass.FOLLOW_LINK,),
                viewport=Viewport(width=WIDTH, height=HEIGHT),
            )
            for case_id in task_ids
        },
        restoration_tasks={},
    )
    kinds = {V: TYPE, N: "NONE", U: "UNKNOWN"}
    for at, case_id in enumerate(task_ids):
        gold = GOLD[at % 3]
        world.labels[case_id] = WebsiteLabel(
            case_id=case_id, decision=gold, violation_type=kinds[gold], codebook_version="1.0"
        )
        world.strata[case_id] = Stratum(
            case_id=case_id,
            contrast_set=f"set{at // 3}",
            scenario="pier",
            brand_family="lucky",
            form="landing page" if at % 2 else "forum thread",
            topic="leisure",
            language="en" if at % 2 else "zh-CN",
            front_end="plain",
            stateful=False,
            depth=2,
            difficulty=1,
            oracle_steps=2,
        )
        make_messages(world, at, case_id)
        world.components[case_id] = make_components(case_id, gold)
    for system in SYSTEMS:
        data = make_run(world, folder / system, system)
        world.runs.append(ReportRun(data, folder / system / "images"))
    world.scores = score_world(world)
    return world
