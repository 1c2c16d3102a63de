"""The published file format, in and out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from riskchainbench.cli.app import app
from riskchainbench.core.errors import InputError
from riskchainbench.pipeline.options import Options
from riskchainbench.pipeline.restore_file import restore_file

LINE = {
    "schema_version": "obfuscated-reconstruction-task/v0.1",
    "sample_id": "task1-v03-qq-0001--v002",
    "platform": "qq",
    "surface": "GROUP_CHAT",
    "client_context": {"client_type": "app", "locale": "zh-CN"},
    "input_view": "TOKEN_TEXT",
    "messages": [{"message_id": "m1", "role": "sender", "content": "打开κa7b，x2.test看看"}],
    "prompt_id": "p",
    "prompt_sha256": "0",
    "task_sha256": "0",
}


def write(path: Path, *lines: object) -> Path:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def run(source: Path, out: Path, system: str = "rules") -> list[dict[str, object]]:
    restore_file(source, out, system, Options(), lambda done, total: None)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_predictions_have_the_published_shape(tmp_path: Path) -> None:
    other = {**LINE, "sample_id": "task1-v03-qq-0000--v002"}
    lines = run(write(tmp_path / "in.jsonl", LINE, other), tmp_path / "out.jsonl")
    assert [line["sample_id"] for line in lines] == [LINE["sample_id"], other["sample_id"]]
    assert set(lines[0]) == {
        "schema_version",
        "sample_id",
        "model_id",
        "run_id",
        "input_view",
        "reconstructed_messages",
        "intent",
        "platform",
        "entry_candidates",
        "abstain",
        "uncertainties",
    }
    assert lines[0]["schema_version"] == "obfuscated-reconstruction-prediction/v0.1"
    candidates = lines[0]["entry_candidates"]
    assert isinstance(candidates, list)
    assert candidates[0]["value"] == "ka7b.x2.test"


def test_running_again_gives_the_same_file(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", LINE)
    assert run(source, tmp_path / "out.jsonl") == run(source, tmp_path / "out.jsonl")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([LINE, LINE], "line 2: sample_id: .* stands twice"),
        ([{**LINE, "messages": []}], "line 1: messages"),
        ([{**LINE, "schema_version": "task/9"}], "line 1: schema_version"),
        ([{**LINE, "surface": "LETTER"}], "line 1: surface"),
        ([], "holds no task"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, lines: list[object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        run(write(tmp_path / "in.jsonl", *lines), tmp_path / "out.jsonl")


LONG = 100_000
HARD = [
    "",
    " \n",
    "\ud800坏\udfff",
    "[[[[微笑]]]]",
    "/wx /wx/doge",
    "第一行\r\n第二行",
    "[微[笑哭]笑]好",
]


@pytest.mark.parametrize("platform", ["qq", "bilibili", "nowhere"])
def test_the_verb_answers_hard_lines_in_the_published_format(tmp_path: Path, platform: str) -> None:
    contents = [*HARD, "a" * LONG]
    lines = [
        {
            **LINE,
            "sample_id": f"s{number}",
            "platform": platform,
            "messages": [{"message_id": "m", "role": "sender", "content": content}],
        }
        for number, content in enumerate(contents)
    ]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
    done = CliRunner().invoke(app, ["restore-file", str(source), str(out), "--system", "rules"])
    assert done.exit_code == 0, done.output
    answers = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [answer["sample_id"] for answer in answers] == [line["sample_id"] for line in lines]
    for answer in answers:
        assert [message["message_id"] for message in answer["reconstructed_messages"]] == ["m"]
        assert answer["abstain"] is True
        assert answer["platform"] == platform
    texts = [answer["reconstructed_messages"][0]["text"] for answer in answers]
    assert texts[2] == "\ufffd坏\ufffd"
    assert texts[5] == "第一行\n第二行"
    assert texts[-1] == contents[-1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "line 1"),
        ("[1, 2]\n", "line 1"),
        (json.dumps({**LINE, "messages": [{"message_id": "m"}]}) + "\n", "line 1: messages"),
        (json.dumps({key: LINE[key] for key in LINE if key != "platform"}) + "\n", "platform"),
    ],
)
def test_the_verb_refuses_a_broken_file_and_writes_nothing(
    tmp_path: Path, text: str, told: str
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(app, ["restore-file", str(source), str(out), "--system", "rules"])
    assert done.exit_code != 0
    assert told in (str(done.exception) if isinstance(done.exception, InputError) else done.output)
    assert not out.exists()


def test_the_oracle_cannot_know_other_peoples_answers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="oracle"):
        run(write(tmp_path / "in.jsonl", LINE), tmp_path / "out.jsonl", "oracle")
