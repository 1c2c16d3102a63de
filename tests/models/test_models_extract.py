"""Reading replies: each kind of malformation lands in its class."""

from __future__ import annotations

import pytest

from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.core.restoration import Restoration
from riskchainbench.core.system import Finish, Reply
from riskchainbench.models.extract import MAX_REPLY_CHARACTERS, extract_object

GOOD = '{"action": "click", "element": "e1", "reason": "look"}'
OTHER = '{"action": "stop", "reason": "done"}'


def read(text: str, finish: Finish = Finish.STOP, single: bool = True) -> Action | Failure:
    reply = Reply(text=text, finish=finish)
    return extract_object(reply, Action, ("action",), Stage.INVESTIGATION, single=single)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \n{GOOD}\n",
        f"\ufeff{GOOD}",
        f"```json\n{GOOD}\n```",
        f"I will look.\n{GOOD}\nThat is all.",
        f"<think>maybe {OTHER}</think>{GOOD}",
        f"<THINKING>{OTHER}</THINKING>\n{GOOD}",
        f'The form is {{"action": <one of nine>}}. {GOOD}',
        f"{GOOD}\n{GOOD}",
        '{"action": "click", "element": "e1", "reason": "a ``` fence ``` inside"}',
        '{"note": 1} ' + GOOD,
        '{"action": "click", "element": "e1", "reason": "a { brace } inside"}',
    ],
)
def test_a_valid_action_is_found(text: str) -> None:
    outcome = read(text)
    assert isinstance(outcome, Action)
    assert outcome.action is ActionKind.CLICK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", FailureClass.EMPTY_OUTPUT),
        (" \n ", FailureClass.EMPTY_OUTPUT),
        ("<think>only thought</think>", FailureClass.EMPTY_OUTPUT),
        (f"<think>never closed {GOOD}", FailureClass.EMPTY_OUTPUT),
        ("Click the first link.", FailureClass.NO_JSON),
        ("抱歉，我无法协助处理这个请求。", FailureClass.REFUSAL),
        ("I'm sorry, but I can't help with that.", FailureClass.REFUSAL),
        ("I cannot assist.", FailureClass.REFUSAL),
        ("申し訳ありませんが、対応できません。", FailureClass.REFUSAL),
        ("Lo siento, no puedo ayudar.", FailureClass.REFUSAL),
        ("죄송합니다. 도와드릴 수 없습니다.", FailureClass.REFUSAL),
        ("Xin lỗi, tôi không thể giúp.", FailureClass.REFUSAL),
        ("{'action': 'click'}", FailureClass.MALFORMED_JSON),
        ('{"action": "click",}', FailureClass.MALFORMED_JSON),
        ("{“action”: “click”}", FailureClass.MALFORMED_JSON),
        ('{"action": "click"', FailureClass.MALFORMED_JSON),
        ('{"action": NaN}', FailureClass.MALFORMED_JSON),
        ('{"action": Infinity}', FailureClass.MALFORMED_JSON),
        ('{action: "click"}', FailureClass.MALFORMED_JSON),
        ('{"a":' * 5000, FailureClass.MALFORMED_JSON),
        ('{"action": "click", "action": "stop"}', FailureClass.DUPLICATE_KEYS),
        ('ok {"action": "click", "action": "stop"}', FailureClass.DUPLICATE_KEYS),
        ("[]", FailureClass.SCHEMA_MISMATCH),
        (f"[{GOOD}]", FailureClass.SCHEMA_MISMATCH),
        ("null", FailureClass.SCHEMA_MISMATCH),
        ('"click"', FailureClass.SCHEMA_MISMATCH),
        ("{}", FailureClass.SCHEMA_MISMATCH),
        ('{"Action": "click"}', FailureClass.SCHEMA_MISMATCH),
        ('{"action": "hover"}', FailureClass.SCHEMA_MISMATCH),
        ('{"action": null}', FailureClass.SCHEMA_MISMATCH),
        ('{"action": {"action": "click"}}', FailureClass.SCHEMA_MISMATCH),
        ('{"action": "click", "selector": "#a"}', FailureClass.SCHEMA_MISMATCH),
        ('{"action": "click", "element": 5}', FailureClass.SCHEMA_MISMATCH),
        (f"{GOOD} {OTHER}", FailureClass.SCHEMA_MISMATCH),
        ("x" * (MAX_REPLY_CHARACTERS + 1), FailureClass.OVERSIZED_OUTPUT),
        ('{"action": "click", "reason": "' + "x" * 5_000_000 + '"}', FailureClass.OVERSIZED_OUTPUT),
    ],
)
def test_a_malformation_has_its_class(text: str, expected: FailureClass) -> None:
    outcome = read(text)
    assert isinstance(outcome, Failure)
    assert outcome.failure_class is expected
    assert outcome.stage is Stage.INVESTIGATION


@pytest.mark.parametrize(
    ("text", "finish", "expected"),
    [
        ('{"action": "cli', Finish.LENGTH, FailureClass.TRUNCATED_OUTPUT),
        ("", Finish.LENGTH, FailureClass.TRUNCATED_OUTPUT),
        ("<think>long", Finish.LENGTH, FailureClass.TRUNCATED_OUTPUT),
        ("a long preamble", Finish.LENGTH, FailureClass.TRUNCATED_OUTPUT),
        ("", Finish.REFUSAL, FailureClass.REFUSAL),
    ],
)
def test_the_reason_a_reply_ended_counts(text: str, finish: Finish, expected: FailureClass) -> None:
    outcome = read(text, finish)
    assert isinstance(outcome, Failure)
    assert outcome.failure_class is expected


def test_a_lone_surrogate_is_let_through_the_gate() -> None:
    outcome = read('{"action": "stop", "reason": "a\ud800b"}')
    assert isinstance(outcome, Action)
    assert outcome.reason == "a\ufffdb"


def test_five_hundred_candidates_break_the_contract() -> None:
    candidates = ",".join(f'{{"rank": {n}, "value": "a{n}.b.test"}}' for n in range(1, 501))
    text = f'{{"messages": [], "intent": "OPEN_SITE", "candidates": [{candidates}]}}'
    outcome = extract_object(
        Reply(text=text), Restoration, ("messages", "intent"), Stage.RESTORATION
    )
    assert isinstance(outcome, Failure)
    assert outcome.failure_class is FailureClass.SCHEMA_MISMATCH


def test_abstaining_empties_the_candidates() -> None:
    text = (
        '{"messages": [], "intent": "UNKNOWN", "abstain": true, '
        '"candidates": [{"rank": 1, "value": "a.b.test"}]}'
    )
    outcome = extract_object(
        Reply(text=text), Restoration, ("messages", "intent"), Stage.RESTORATION
    )
    assert isinstance(outcome, Restoration)
    assert outcome.candidates == ()
