"""Reading replies: each kind of malformation lands in its class."""

from __future__ import annotations

import json

import pytest

from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Restoration
from riskchainbench.core.system import Finish, Reply
from riskchainbench.investigation import conclude
from riskchainbench.models.extract import MAX_REPLY_CHARACTERS, extract_object
from riskchainbench.restoration import run as restoration

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
        f"draft {OTHER} </think> {GOOD}",
        f"<thought>{OTHER}</thought>{GOOD}",
        f"<think>a <think>{OTHER}</think> {OTHER}</think> {GOOD}",
        f"<think>the tag <think> opens, {OTHER}</think> {GOOD}",
        f"{GOOD} <think>was {OTHER} better</think>",
        f"[THINK]{OTHER}[/THINK]{GOOD}",
        f"◁think▷{OTHER}◁/think▷{GOOD}",
        f"<seed:think>{OTHER}</seed:think>{GOOD}",
        (
            f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant"
            f"<|channel|>final<|message|>{GOOD}<|return|>"
        ),
        f"<|channel|>analysis {OTHER} <|channel|>final <|constrain|>json<|message|>{GOOD}",
        f"analysis{OTHER} is wrong.assistantfinal{GOOD}",
    ],
)
def test_a_valid_action_is_found(text: str) -> None:
    outcome = read(text)
    assert isinstance(outcome, Action)
    assert outcome.action is ActionKind.CLICK


@pytest.mark.parametrize("reason", ["a <think>b</think> c", "<think>", "no </think>", "[THINK]"])
@pytest.mark.parametrize("form", ["{}", "Here: {}", "<think>x</think>{}"])
def test_a_tag_inside_a_string_belongs_to_the_string(reason: str, form: str) -> None:
    told = json.dumps({"action": "stop", "reason": reason})
    outcome = read(form.format(told))
    assert isinstance(outcome, Action), outcome
    assert outcome.reason == reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", FailureClass.EMPTY_OUTPUT),
        (" \n ", FailureClass.EMPTY_OUTPUT),
        ("<think>only thought</think>", FailureClass.EMPTY_OUTPUT),
        (f"<think>never closed {GOOD}", FailureClass.EMPTY_OUTPUT),
        (f"<|channel|>analysis<|message|>{GOOD}", FailureClass.EMPTY_OUTPUT),
        ("Click the first link.", FailureClass.NO_JSON),
        ("我不会放弃，先点击第一个链接。", FailureClass.NO_JSON),
        ("这个页面不能访问。", FailureClass.NO_JSON),
        ("I’m sorry, but I can’t assist.", FailureClass.REFUSAL),
        ("I must decline.", FailureClass.REFUSAL),
        ("I'll have to decline this request.", FailureClass.REFUSAL),
        ("Je suis désolé, mais je ne peux pas vous aider.", FailureClass.REFUSAL),
        ("Je ne peux pas répondre à cette demande.", FailureClass.REFUSAL),
        ("Es tut mir leid, dabei kann ich nicht helfen.", FailureClass.REFUSAL),
        ("Ich kann Ihnen dabei leider nicht helfen.", FailureClass.REFUSAL),
        ("No puedo ayudar con eso.", FailureClass.REFUSAL),
        ("Lo lamento, debo rechazar la solicitud.", FailureClass.REFUSAL),
        ("我不会协助处理该请求。", FailureClass.REFUSAL),
        ("我不能为您提供这类内容。", FailureClass.REFUSAL),
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


RESTORATION = (
    '{"messages": [{"message_id": "m1", "text": "去 a.b.test"}], "intent": "OPEN_SITE", '
    '"candidates": [{"rank": 1, "value": "a.b.test", "confidence": 0.5}], "abstain": false, '
    '"uncertainties": []}'
)
CONCLUSION = (
    '{"decision": "INSUFFICIENT_EVIDENCE", "violation_type": "UNKNOWN", "rationale": "Seen.", '
    '"evidence": [{"step": 1, "locator": {"kind": "element", "element_id": "e1"}}], '
    '"confidence": 0.5}'
)
WAYS = (
    "trailing comma",
    "NaN",
    "unclosed",
    "bare key",
    "single-quoted key",
    "full-width quotes",
    "comment",
    "raw newline",
    "bad escape",
    "unescaped quote",
    "fence",
    "after a note",
)
CONTRACTS = [
    (RESTORATION, Restoration, restoration.REQUIRED_KEYS),
    (CONCLUSION, Conclusion, conclude.REQUIRED_KEYS),
]


def spoiled(text: str, way: str) -> str:
    """Return a valid reply made malformed in one place, its inner objects left as they are."""
    key = text[2 : text.index('"', 2)]
    last = text[:-1]
    return {
        "trailing comma": f"{last},}}",
        "NaN": f'{last}, "more": NaN}}',
        "unclosed": last,
        "bare key": text.replace(f'"{key}"', key, 1),
        "single-quoted key": text.replace(f'"{key}"', f"'{key}'", 1),
        "full-width quotes": text.replace(f'"{key}"', f"“{key}”", 1),
        "comment": f"{last} // done\n}}",
        "raw newline": f'{last}, "more": "a\nb"}}',
        "bad escape": f'{last}, "more": "a\\d"}}',
        "unescaped quote": f'{last}, "more": "a "b" c"}}',
        "fence": f"```json\n{last},}}\n```",
        "after a note": f'Notes: {{"n": 1}}\n{last},}}',
    }[way]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("text", "kind", "keys"), CONTRACTS)
def test_a_malformed_object_is_not_judged_by_its_parts(
    text: str, kind: type[Record], keys: tuple[str, ...], way: str
) -> None:
    whole = extract_object(Reply(text=text), kind, keys, Stage.RESTORATION)
    assert isinstance(whole, kind), whole
    outcome = extract_object(Reply(text=spoiled(text, way)), kind, keys, Stage.RESTORATION)
    assert isinstance(outcome, Failure)
    assert outcome.failure_class is FailureClass.MALFORMED_JSON, outcome.detail


def test_a_whole_object_that_breaks_the_contract_is_told_of_before_a_broken_form() -> None:
    outcome = read('The form is {"action": <one of nine>}. {"action": "hover"}')
    assert isinstance(outcome, Failure)
    assert outcome.failure_class is FailureClass.SCHEMA_MISMATCH


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
