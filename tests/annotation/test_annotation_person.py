"""A person as a system: the same requests, the same contracts, the same run folder."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from types import MappingProxyType, SimpleNamespace

import httpx2
import pytest
from markupsafe import escape

from riskchainbench.annotation.person_system import PersonDesk, PersonSystem, answer_from
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.core.stage import RunManifest, open_run
from riskchainbench.core.system import (
    ConclusionRequest,
    ImagePart,
    PromptMessage,
    Reply,
    TextPart,
)
from riskchainbench.models.ask import repaired
from riskchainbench.pipeline.estimate import estimate
from riskchainbench.pipeline.human import human_system
from riskchainbench.pipeline.matrix import read_matrix
from riskchainbench.pipeline.options import Options
from riskchainbench.pipeline.stages import Stages
from riskchainbench.restoration.prompts import build_request
from riskchainbench.restoration.run import restore

FAILED = Failure(
    failure_class=FailureClass.SCHEMA_MISMATCH, stage=Stage.RESTORATION, detail="no intent"
)


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


def test_words_controls_and_areas_are_cited_as_a_model_cites_them():
    rows = [
        ("0", "quote", "open on  Sundays"),
        ("1", "element", "e12 Sign in"),
        ("2", "box", "1, 2.5, 30, 40"),
    ]
    rows += [("2", "box", "no numbers"), ("", "quote", "no step"), ("1", "quote", " ")]
    form = {"decision": "VIOLATION", "violation_type": "X", "rationale": "r", "confidence": "5"}
    for row, (step, kind, what) in enumerate(rows):
        form |= {f"step{row}": step, f"kind{row}": kind, f"what{row}": what}
    found = answer_from(SimpleNamespace(), form)
    assert found["confidence"] == 1
    assert [each["step"] for each in found["evidence"]] == [0, 1, 2, 2]
    assert [each["locator"] for each in found["evidence"]] == [
        {"kind": "quote", "text": "open on  Sundays"},
        {"kind": "element", "element_id": "e12"},
        {"kind": "box", "x": 1, "y": 2.5, "width": 30, "height": 40},
        {"kind": "quote", "text": "no numbers"},
    ]


async def test_a_person_is_shown_the_prompt_and_what_was_wrong(six_bundle):
    """The instruction, pictures of the prompt only, and in a repair turn the note and the form."""
    desk = PersonDesk()
    task = next(iter(six_bundle.restoration_tasks.values()))
    request = build_request(task, "en")
    again = repaired(request, "{}", FAILED, "en")
    seen, other = "a" * 64, "b" * 64
    parts = (TextPart("look"), ImagePart(seen))
    pictured = replace(
        request, prompt=(*request.prompt[:1], PromptMessage("user", parts)), images=lambda _: b"png"
    )
    async with _client(desk) as client:
        base = f"/{desk.secret}"
        asked = asyncio.create_task(desk.ask(request))
        place, page = await _next(client, base)
        instruction = request.prompt[0].parts[0].text
        assert escape(instruction.splitlines()[0]) in page
        assert "alert" not in page
        await client.post(place, data={"candidates": "kept.by.test", "intent": "OPEN_SITE"})
        assert "kept.by.test" in await asked
        asked = asyncio.create_task(desk.ask(again))
        place, page = await _next(client, base)
        assert "no intent" in page
        assert "kept.by.test" in page
        await client.post(place, data={"candidates": ""})
        await asked
        asked = asyncio.create_task(desk.ask(pictured))
        place, page = await _next(client, base)
        assert f"{place}/images/{seen}" in page
        assert (await client.get(f"{place}/images/{seen}")).content == b"png"
        assert (await client.get(f"{place}/images/{other}")).status_code == 404
        asked.cancel()


async def test_a_person_is_told_how_long_is_left_for_a_conclusion(six_bundle):
    desk = PersonDesk()
    system = PersonSystem("ann", desk)
    request = ConclusionRequest(
        prompt=(PromptMessage("system", (TextPart("conclude"),)),),
        fingerprint="0" * 64,
        codebook=six_bundle.codebook,
        scaffold=(),
        steps=(),
        viewport=(1280, 720),
        images=lambda _: b"",
    )
    async with _client(desk) as client:
        lefts = []
        for _ in range(2):
            asked = asyncio.create_task(system.reply("w1", request))
            place, page = await _next(client, f"/{desk.secret}")
            lefts.append(int(re.search(r'data-left="(\d+)"', page)[1]))
            await client.post(place, data={"decision": "NON_VIOLATION"})
            await asked
            system._concluding["w1"] -= 30
    assert lefts[0] in (179, 180)
    assert lefts[1] in (149, 150)


def test_a_person_is_asked_one_thing_at_a_time(six_bundle, tmp_path, monkeypatch):
    open_now, most = 0, 0

    class Person:
        name, settings = "human:ann", MappingProxyType({"people": 1})

        async def reply(self, unit_id, request):
            nonlocal open_now, most
            open_now += 1
            most = max(most, open_now)
            await asyncio.sleep(0.01)
            open_now -= 1
            return Reply(text="{}")

    monkeypatch.setattr("riskchainbench.pipeline.systems.human_system", lambda _: Person())
    asked = {}

    async def investigated(*_, workers, **__):
        asked["workers"] = workers
        return SimpleNamespace()

    async def concluded(*_, concurrency, **__):
        asked["concurrency"] = concurrency
        return SimpleNamespace()

    monkeypatch.setattr("riskchainbench.pipeline.stages.investigate_bundle", investigated)
    monkeypatch.setattr("riskchainbench.pipeline.stages.conclude", concluded)
    stages = Stages(six_bundle.folder, tmp_path / "run", "human:ann", Options(workers=4))
    stages.restore(lambda *_: None)
    stages.investigate(lambda *_: None)
    stages.conclude(lambda *_: None)
    assert (most, asked) == (1, {"workers": 1, "concurrency": 1})


def test_people_stand_in_matrices_and_estimates(demo_folder, tmp_path):
    file = tmp_path / "systems.toml"
    file.write_text(
        '[[system]]\nname = "human:ann"\n[[system]]\nname = "rules"\n', encoding="utf-8"
    )
    assert [each.place for each in read_matrix(file).system] == ["human--ann", "rules"]
    file.write_text('[[system]]\nname = "human:"\n', encoding="utf-8")
    with pytest.raises(InputError, match="name the person"):
        read_matrix(file)
    found = estimate(demo_folder, "human:ann", "rules", Options(), 1)
    assert [(each.stage, each.calls) for each in found.usual] == [
        ("restoration", 144),
        ("investigation", 24 * 12),
        ("conclusion", 24),
    ]
    assert found.usual[0].hours > 1
    assert "0 tokens in" in found.lines()[1]
