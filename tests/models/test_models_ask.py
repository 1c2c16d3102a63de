"""Asking: replies are logged before use, replayed while questions agree, repaired within bounds."""

from __future__ import annotations

import asyncio
from pathlib import Path

from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.store import Log
from riskchainbench.core.system import Reply, Request, prompt_sha256, text_message
from riskchainbench.models.ask import Answer, ReplyLog, ask


def question(text: str) -> Request:
    prompt = (text_message("user", text),)
    return Request(prompt=prompt, fingerprint=prompt_sha256(prompt))


def number(reply: Reply) -> int | Failure:
    if reply.text.isdigit():
        return int(reply.text)
    return Failure(
        failure_class=FailureClass.NO_JSON, stage=Stage.RESTORATION, detail="not a number"
    )


class Scripted:
    """Answers with the given texts in order and keeps what it was asked."""

    def __init__(self, *texts: str, wait: float = 0.0) -> None:
        self.texts = list(texts)
        self.asked: list[Request] = []
        self.wait = wait

    async def __call__(self, request: Request) -> Reply:
        self.asked.append(request)
        await asyncio.sleep(self.wait)
        return Reply(text=self.texts.pop(0), input_tokens=3, output_tokens=1)


async def asked(
    path: Path, call: Scripted, text: str = "how many?", repairs: int = 2
) -> Answer[int]:
    replies = ReplyLog(Log(path)).unit("u1")
    return await ask(call, question(text), number, replies, repairs=repairs, language="en")


async def test_a_valid_reply_needs_one_call(tmp_path: Path) -> None:
    call = Scripted("4")
    answer = await asked(tmp_path / "log", call)
    assert (answer.value, answer.usage.calls, answer.usage.repairs) == (4, 1, 0)


async def test_an_invalid_reply_is_told_what_was_wrong(tmp_path: Path) -> None:
    call = Scripted("four", "4")
    answer = await asked(tmp_path / "log", call)
    assert (answer.value, answer.usage.calls, answer.usage.repairs) == (4, 2, 1)
    assert answer.usage.input_tokens == 6
    note = call.asked[1].prompt[-1].parts[0]
    assert "not a number" in str(note)


async def test_repairs_are_bounded(tmp_path: Path) -> None:
    call = Scripted("a", "b", "c", "4")
    answer = await asked(tmp_path / "log", call)
    assert answer.value is None
    assert answer.failure is not None
    assert answer.failure.failure_class is FailureClass.NO_JSON
    assert len(call.asked) == 3


async def test_strict_asks_once(tmp_path: Path) -> None:
    call = Scripted("a", "4")
    assert (await asked(tmp_path / "log", call, repairs=0)).value is None
    assert len(call.asked) == 1


async def test_a_logged_reply_is_not_asked_for_again(tmp_path: Path) -> None:
    await asked(tmp_path / "log", Scripted("four", "4"))
    silent = Scripted()
    answer = await asked(tmp_path / "log", silent)
    assert answer.value == 4
    assert silent.asked == []


async def test_another_question_drops_the_rest_of_the_log(tmp_path: Path) -> None:
    await asked(tmp_path / "log", Scripted("four", "4"))
    assert (await asked(tmp_path / "log", Scripted("5"), text="how many now?")).value == 5
    silent = Scripted()
    assert (await asked(tmp_path / "log", silent, text="how many now?")).value == 5
    assert silent.asked == []


async def test_units_are_kept_apart(tmp_path: Path) -> None:
    log = ReplyLog(Log(tmp_path / "log"))
    for unit, text in (("u1", "1"), ("u2", "2")):
        answer = await ask(
            Scripted(text), question("?"), number, log.unit(unit), repairs=0, language="en"
        )
        assert answer.value == int(text)


async def test_the_clock_ends_the_asking(tmp_path: Path) -> None:
    replies = ReplyLog(Log(tmp_path / "log")).unit("u1")
    answer = await ask(
        Scripted("4", wait=5),
        question("?"),
        number,
        replies,
        repairs=0,
        language="en",
        remaining=lambda: 0.05,
    )
    assert answer.timed_out
