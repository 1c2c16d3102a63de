"""Runs both stages over two small websites in real browsers; a test kills it meanwhile.

python stage_runner.py RUN SECONDS_A_TURN WORKERS ORDER
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random

from investigation_world import CODEBOOK, RULES, STOP, TASKS_SHA256, Scripted

from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.pool import LocalPool
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.investigation import InvestigationTask, ScaffoldClass, Viewport
from riskchainbench.core.system import ActionRequest, AnyRequest, Reply
from riskchainbench.investigation.conclude import conclude
from riskchainbench.investigation.run import investigate
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.records import (
    Effect,
    FieldFixtures,
    FieldTest,
    Fixture,
    LoadedWebsite,
    Method,
    Page,
    Redirect,
    Show,
    Transition,
    Website,
)

TURNS = (
    '{"action": "fill", "element": "e1"}',
    '{"action": "submit", "element": "e1"}',
    '{"action": "scroll_down"}',
    '{"action": "reload"}',
)
PAGE = (
    "<!doctype html><title>{word}</title><h1>{word}</h1><p>Hello {{{{name}}}}</p>"
    '<form method="post" action="/n"><input name="name"><button>Send</button></form>'
)


def site(word: str) -> LoadedWebsite:
    website = Website(
        language="en",
        viewport=Viewport(width=1280, height=720),
        scaffold=(ScaffoldClass.SUBMIT_FORM,),
        state={"name": ""},
        pages=(Page(page_id="p1", file="p1.html", slots=("name",)),),
        fields=(
            FieldFixtures(field="name", fixtures=(Fixture(name="a first name", value="Ada"),)),
        ),
        transitions=(
            Transition(path="/", next=Show(page="p1")),
            Transition(
                method=Method.POST,
                path="/n",
                form={"name": FieldTest()},
                effects=(Effect(variable="name", from_field="name"),),
                next=Redirect(path="/"),
            ),
        ),
    )
    return LoadedWebsite(website, {"p1.html": PAGE.format(word=word).encode()})


SITES = {f"c{number}": site(f"Site {number}") for number in range(1, 5)}
TASKS = {
    case_id: InvestigationTask(
        case_id=case_id,
        scaffold=(ScaffoldClass.SUBMIT_FORM,),
        viewport=Viewport(width=1280, height=720),
    )
    for case_id in SITES
}


class Slow(Scripted):
    """Takes its time, and answers by the step alone, so that a new process goes on alike."""

    def __init__(self, seconds: float) -> None:
        super().__init__(*TURNS)
        self._seconds = seconds

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        await asyncio.sleep(self._seconds)
        if isinstance(request, ActionRequest):
            step = request.observation.step
            return Reply(text=TURNS[step] if step < len(TURNS) else STOP)
        return await super().reply(unit_id, request)


async def run_both(run: Path, system: Scripted, workers: int, order: list[str]) -> None:
    found = find_browser()
    settings = BrowserSettings(binary=found.path, version=found.version)
    sandbox = Sandbox(SITES)
    with SandboxServer(sandbox) as server:
        pool = LocalPool(settings, workers)
        visits = SandboxVisits(sandbox, server.port, SITES, Random(1))
        try:
            for case_id in order:
                await investigate(
                    TASKS,
                    TASKS_SHA256,
                    CODEBOOK,
                    run,
                    system,
                    pool,
                    visits,
                    settings,
                    RULES,
                    cases=[case_id],
                )
            await investigate(
                TASKS,
                TASKS_SHA256,
                CODEBOOK,
                run,
                system,
                pool,
                visits,
                settings,
                RULES,
                workers=workers,
            )
        finally:
            await pool.close()
    await conclude(TASKS, TASKS_SHA256, CODEBOOK, run, system, RULES)


if __name__ == "__main__":
    folder, seconds, count = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    asyncio.run(run_both(folder, Slow(seconds), count, sys.argv[4:]))
