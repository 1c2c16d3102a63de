"""A person as a system: the same requests, the same contracts, the same run folder."""

from __future__ import annotations

import asyncio
import re

import httpx2
import pytest

from riskchainbench.annotation.person_system import PersonDesk, PersonSystem
from riskchainbench.core.errors import InputError
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.core.stage import RunManifest, open_run
from riskchainbench.pipeline.human import human_system
from riskchainbench.restoration.run import restore


def _client(desk: PersonDesk) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=desk),
        base_url="http://localhost",
        headers={"sec-fetch-site": "same-origin"},
    )


async def _next(client, base: str) -> tuple[str, str]:
    for _ in range(200):
        page = (await client.get(base)).text
        found = re.search(rf'action="({base}/\d+)"', page)
        if found:
            return found[1], page
        await asyncio.sleep(0.01)
    raise AssertionError("no question came")


async def test_a_person_restores_messages_into_a_run_folder(six_bundle, tmp_path):
    desk = PersonDesk()
    system = PersonSystem("ann", desk)
    tasks: dict[str, RestorationTask] = dict(list(six_bundle.restoration_tasks.items())[:2])
    open_run(
        tmp_path,
        RunManifest(
            system=system.name,
            system_settings=dict(system.settings),
            tasks_sha256=six_bundle.tasks_sha256,
            version="0",
        ),
    )

    async def person() -> None:
        async with _client(desk) as client:
            for _ in tasks:
                place, page = await _next(client, f"/{desk.secret}")
                ids = re.findall(r'name="(m\.[^"]+)"', page)
                form = {**dict.fromkeys(ids, "plain words"), "intent": "OPEN_SITE"}
                await client.post(place, data={**form, "candidates": "aa.bb.test\ncc.dd.test"})

    manifest, _ = await asyncio.wait_for(
        asyncio.gather(
            restore(tasks, six_bundle.tasks_sha256, tmp_path, system, language="en", repairs=2),
            person(),
        ),
        20,
    )
    assert manifest.open_units == ()
    text = (tmp_path / "restoration/predictions.jsonl").read_text(encoding="utf-8")
    assert text.count('"value":"aa.bb.test"') == 2
    assert text.count('"failure":null') == 2


async def test_the_persons_page_is_secret_and_takes_its_own_forms_only():
    desk = PersonDesk()
    async with _client(desk) as client:
        assert (await client.get("/")).status_code == 404
        assert (await client.get(f"/{desk.secret}")).status_code == 200
        foreign = {"sec-fetch-site": "cross-site"}
        answer = await client.post(f"/{desk.secret}/1", data={}, headers=foreign)
        assert answer.status_code == 403


def test_a_human_system_needs_a_name():
    with pytest.raises(InputError, match="human:ann"):
        human_system("human")
