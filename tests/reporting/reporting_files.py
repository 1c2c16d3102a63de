"""Reading a written report, and writing one from hostile text."""

from __future__ import annotations

import json
import re
from pathlib import Path

from reporting_world import World

from riskchainbench.core.investigation import (
    Observation,
    Trajectory,
)
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report
from riskchainbench.scoring.run import RunData


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def value_in(body: str) -> object:
    """What the page is handed: the second argument of RCB.put, parsed twice."""
    found = re.fullmatch(r'RCB\.put\(("(?:[^"\\]|\\.)*"),("(?:[^"\\]|\\.)*")\);\n', body, re.DOTALL)
    assert found is not None
    return json.loads(json.loads(found[2]))


PAYLOAD = '</script><script>boom()</script><img src=x onerror=boom()>"\u2028\u2029&lt;\\'


def hostile_report(world: World, out: Path) -> Path:
    """A report whose page titles, texts, names, reasons and rationales are payloads."""

    def spoil(seen: Observation) -> Observation:
        return seen.but(
            title=PAYLOAD,
            text=PAYLOAD,
            elements=tuple(each.but(name=PAYLOAD, value=PAYLOAD) for each in seen.elements),
        )

    run = world.runs[0]
    case_id = next(iter(world.investigation_tasks))
    clean = run.data.trajectory(case_id)
    assert clean is not None
    steps = tuple(
        step.but(
            observation=spoil(step.observation),
            action=step.action.but(reason=PAYLOAD) if step.action else None,
        )
        for step in clean.steps
    )
    conclusion = run.data.conclusions[case_id]
    data = RunData(
        system=run.data.system,
        predictions=run.data.predictions,
        conclusions={
            case_id: conclusion.but(conclusion=conclusion.conclusion.but(rationale=PAYLOAD))
        },
        trajectory={case_id: Trajectory(steps=steps, end=clean.end)}.get,
    )
    first = world.scores.systems[0]
    names = {"row_id": PAYLOAD, "name": run.data.system}
    scores = world.scores.but(systems=(first.but(**names), *world.scores.systems[1:]))
    runs = [ReportRun(data, run.images)]
    return write_report(world, world, runs, scores, out, languages=("en",)).parent
