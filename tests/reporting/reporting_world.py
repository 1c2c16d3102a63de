"""A small invented benchmark with runs, scores and screenshots, for reports of any shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from reporting_cases import HEIGHT, TYPE, WIDTH, N, U, V, make_conclusion, make_trajectory

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.bundle.layout import SeedRecord
from riskchainbench.core.codebook import Codebook, Role, default_codebook
from riskchainbench.core.conclusion import (
    ConclusionRecord,
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
    InvestigationTask,
    ScaffoldClass,
    Trajectory,
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

GOLD = (V, N, U)
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
