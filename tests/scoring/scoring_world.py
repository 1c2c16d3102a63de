"""A small benchmark and runs in memory, for tests and timings of scoring."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace

from riskchainbench.core.codebook import Role, default_codebook
from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ConclusionRecord,
    EvidenceReference,
)
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.gold import (
    Medium,
    PlacedComponent,
    Placement,
    SampleGold,
    Stratum,
    WebsiteLabel,
)
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Ending,
    Observation,
    Outcome,
    OutcomeStatus,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
)
from riskchainbench.core.restoration import (
    EntryCandidate,
    Intent,
    Prediction,
    Restoration,
    RestoredMessage,
)
from riskchainbench.scoring.run import RunData

V, N, U = Decision.VIOLATION, Decision.NON_VIOLATION, Decision.INSUFFICIENT_EVIDENCE
BOTTOM = None
CODEBOOK = default_codebook()
TYPES = CODEBOOK.type_ids
TASKS_SHA256 = "1" * 64
PREDICTIONS_SHA256 = "2" * 64


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def benchmark(golds, *, set_size=3, variants=1, texts=None):
    """Return bundle and gold; `golds` lists a decision, or (decision, type), by case."""
    labels, strata, components, samples = {}, {}, {}, {}
    for number, given in enumerate(golds):
        decision, kind = given if isinstance(given, tuple) else (given, None)
        case = f"c{number:04d}"
        labels[case] = WebsiteLabel(
            case_id=case,
            decision=decision,
            violation_type=kind or required_type(decision) or TYPES[0],
            codebook_version=CODEBOOK.version,
        )
        strata[case] = Stratum(
            case_id=case,
            contrast_set=f"s{number // set_size:04d}",
            scenario=f"scenario{number % 7}",
            brand_family=f"b{number // 8}",
            form=("landing", "portal", "shop", "article")[number // set_size % 4],
            topic=f"topic{number // set_size % 10}",
            language=("zh-CN", "en")[number // set_size % 2],
            front_end=f"front{number % 6}",
            stateful=number % 2 == 0,
            depth=1 + number // set_size % 5,
            difficulty=number % 4,
            oracle_steps=number % 4,
        )
        components[case] = placed(labels[case])
        for variant in range(variants):
            sample = f"m{number * variants + variant:05d}"
            text = (
                texts[number % len(texts)]
                if texts
                else f"请打开 k{number:04d}.me.test 领取{number}号"
            )
            samples[sample] = SampleGold(
                sample_id=sample,
                case_id=case,
                variant=f"v{variant:03d}",
                session=f"session{number}",
                messages={"m1": text},
                intent=Intent.OPEN_SITE,
                entry=f"k{number:04d}.me.test",
                platform=("wechat", "qq")[number % 2],
                recipe=f"recipe{variant}",
                operators=("homophone", "look_alike")[: 1 + variant % 2],
                severity=("low", "mid", "high")[variant % 3],
                entry_position="end",
                length="short",
                theme=f"theme{number % 3}",
                template=f"t{number % 50}",
            )
    bundle = SimpleNamespace(
        tasks_sha256=TASKS_SHA256,
        codebook=CODEBOOK,
        investigation_tasks=dict.fromkeys(labels),
    )
    gold = SimpleNamespace(
        gold_sha256="3" * 64,
        labels=labels,
        strata=strata,
        components=components,
        samples=samples,
        label_audit=None,
    )
    return bundle, gold


def placed(label):
    """Return one text component for each part that the label's decision rests on."""
    if label.decision is V:
        kind = next(kind for kind in CODEBOOK.types if kind.type_id == label.violation_type)
        parts = [(part, Role.VIOLATION) for part in kind.complete_sets[0]]
    elif label.decision is N:
        parts = [(sorted(CODEBOOK.with_role(Role.BENIGN))[0], Role.BENIGN)]
    else:
        parts = []
    return tuple(
        PlacedComponent(
            case_id=label.case_id,
            component_id=part,
            role=role,
            page="home",
            placement=Placement.FIRST_PAGE,
            medium=Medium.TEXT,
            realization=f"words of {part}",
        )
        for part, role in parts
    )


def observation(step, text="", **changes):
    values = {
        "step": step,
        "screenshot": "a" * 64,
        "title": "",
        "text": text,
        "elements": (),
        "scroll": Scroll(top=0, page_height=800, viewport_height=800),
        "outcome": Outcome(status=OutcomeStatus.DONE) if step else None,
        "remaining_actions": 30 - step,
        "page_state": sha(text),
    }
    return Observation(**{**values, **changes})


def trajectory(*texts, ending=Ending.STOP, failure=None, actions=None, **end):
    """Return a trajectory that saw `texts` and scrolled down between them, then stopped."""
    chosen = actions or [ActionKind.SCROLL_DOWN] * (len(texts) - 1) + [ActionKind.STOP]
    steps = tuple(
        Step(
            observation=observation(step, text),
            action=Action(action=chosen[step]) if step < len(chosen) else None,
            timing=Timing(observed_at=float(step)),
        )
        for step, text in enumerate(texts)
    )
    return Trajectory(
        steps=steps, end=TrajectoryEnd(ending=ending, failure=failure, seconds=10.0, **end)
    )


def failure(kind, stage=Stage.CONCLUSION):
    return Failure(failure_class=FailureClass(kind), stage=stage)


def concluded(case, decision, kind=None, confidence=0.5, evidence=None):
    """Return a frozen conclusion; `decision` None stands for a malformed one."""
    if decision is None:
        return ConclusionRecord(
            case_id=case,
            trajectory_sha256="0" * 64,
            conclusion=None,
            failure=failure("SCHEMA_MISMATCH"),
        )
    whole = EvidenceReference(step=0, locator=BoxLocator(x=0, y=0, width=1280, height=800))
    return ConclusionRecord(
        case_id=case,
        trajectory_sha256="0" * 64,
        conclusion=Conclusion(
            decision=decision,
            violation_type=kind or required_type(decision) or TYPES[0],
            rationale="",
            evidence=evidence or (whole,),
            confidence=confidence,
        ),
    )


def restored(sample, *, right=True, text=None, entry=None, ranked=None, confidence=None, **changes):
    """Return a prediction for a gold sample, right in all things unless told otherwise."""
    names = ranked or ([entry or sample.entry] if right or entry else ["wrong0.xx.test"])
    values = {
        "messages": tuple(
            RestoredMessage(message_id=key, text=text if text is not None else value)
            for key, value in sample.messages.items()
        ),
        "intent": sample.intent,
        "candidates": tuple(
            EntryCandidate(rank=rank, value=name, confidence=confidence)
            for rank, name in enumerate(names, 1)
        ),
    }
    return Prediction(sample_id=sample.sample_id, restoration=Restoration(**{**values, **changes}))


def run(gold, decisions=None, *, gates=None, system="model", **changes):
    """Return a run that decided `decisions` (by case, None is ⊥) and passed `gates` (all)."""
    cases = sorted(gold.labels)
    values = {"system": system}
    if decisions is not None:
        values["conclusions"] = {
            case: concluded(case, *(d if isinstance(d, tuple) else (d,)))
            for case, d in zip(cases, decisions, strict=True)
        }
        seen = trajectory("a page")
        values["trajectory"] = lambda _: seen
    if gates is not None:
        passed = dict(zip(cases, gates, strict=True))
        values["predictions"] = {
            key: restored(sample, right=passed[sample.case_id])
            for key, sample in gold.samples.items()
        }
        values["predictions_sha256"] = PREDICTIONS_SHA256
        values["investigated_after"] = PREDICTIONS_SHA256
    return RunData(**{**values, **changes})
