"""Ablations: each leaves one thing out of what is asked, and nothing out of what is recorded."""

from __future__ import annotations

from pathlib import Path

import pytest
from investigation_world import CLICK, CODEBOOK, STOP, Clock, Scripted, episode, task, text_of

from riskchainbench.core.investigation import Ending
from riskchainbench.core.store import Images, Log
from riskchainbench.core.system import AnyRequest, ImagePart
from riskchainbench.investigation.ablations import Ablation, shown_codebook
from riskchainbench.investigation.conclude import conclude_case
from riskchainbench.investigation.episode import Rules
from riskchainbench.models.ask import ReplyLog

POLICY = "minimum evidence"


async def asked(folder: Path, *ablations: Ablation) -> list[AnyRequest]:
    """Return the requests of one investigation of two turns and of its conclusion."""
    system = Scripted(CLICK, STOP)
    rules = Rules(language="en", ablations=frozenset(ablations))
    done = await episode(folder, system, rules=rules)
    recorded = done.trajectory.steps[0].observation
    assert recorded.screenshot is not None
    assert recorded.text.startswith("Text of view 1")
    record = await conclude_case(
        task(),
        done.trajectory,
        "0" * 64,
        CODEBOOK,
        system,
        Images(folder / "images"),
        ReplyLog(Log(folder / "conclusions.jsonl")).unit("c1"),
        Clock(),
        rules,
    )
    assert record.conclusion is not None
    return system.requests


def images(request: AnyRequest) -> int:
    return sum(isinstance(part, ImagePart) for message in request.prompt for part in message.parts)


async def shown(folder: Path, *ablations: Ablation) -> dict[str, bool]:
    """Return what is shown in every request, the conclusion's included."""
    requests = await asked(folder, *ablations)
    told = [text_of(request) for request in requests]
    return {
        "codebook": all(POLICY in text for text in told),
        "screenshot": all(images(request) for request in requests),
        "text": all("Text of view 1" in text for text in told),
        "title": all("view 1\n" in text.replace("go 1", "") for text in told),
        "controls": "go 1" in told[0],
        "scaffold": all("FOLLOW_LINK" in text for text in told),
        "interaction": len(requests) == 3,
    }


async def test_without_an_ablation_everything_is_shown(tmp_path: Path) -> None:
    assert all((await shown(tmp_path)).values())


@pytest.mark.parametrize(
    ("ablation", "missing"),
    [
        (Ablation.CODEBOOK, {"codebook"}),
        (Ablation.SCREENSHOT, {"screenshot"}),
        (Ablation.TEXT, {"text", "title"}),
        (Ablation.SCAFFOLD, {"scaffold"}),
    ],
)
async def test_an_ablation_leaves_out_its_own_thing_only(
    tmp_path: Path, ablation: Ablation, missing: set[str]
) -> None:
    found = await shown(tmp_path, ablation)
    assert {name for name, there in found.items() if not there} == missing


async def test_without_interaction_the_first_observation_is_concluded_from(tmp_path: Path) -> None:
    system = Scripted(CLICK)
    rules = Rules(language="en", ablations=frozenset({Ablation.INTERACTION}))
    done = await episode(tmp_path, system, rules=rules)
    assert system.requests == []
    assert len(done.trajectory.steps) == 1
    assert done.trajectory.end.ending is Ending.HORIZON
    assert done.trajectory.concludable


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_without_a_codebook_its_types_are_still_named(language: str) -> None:
    bare = shown_codebook(CODEBOOK, {Ablation.CODEBOOK}).render(language)
    assert all(kind in bare for kind in CODEBOOK.type_ids)
    assert len(bare) < len(CODEBOOK.render(language)) / 2


def test_settings_name_ablations_only_where_there_are_some() -> None:
    assert Rules(language="en").recorded == {}
    both = Rules(language="en", ablations=frozenset({Ablation.TEXT, Ablation.CODEBOOK}))
    assert both.recorded == {"ablations": "no codebook, no text"}
