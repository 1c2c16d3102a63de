"""Scores as columns: all that scores.json holds, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from reporting_world import World

from riskchainbench.core.errors import InputError
from riskchainbench.core.store import write_json
from riskchainbench.reporting.frames import frames, read_frames, to_pandas
from riskchainbench.scoring.records import Scores


@pytest.fixture
def scores(world: World) -> Scores:
    assert world.scores is not None
    return world.scores


def test_every_frame_has_columns_of_one_length(scores: Scores) -> None:
    found = frames(scores)
    assert {len({len(column) for column in frame.values()}) for frame in found.values()} == {1}


def test_metrics_stand_with_value_counts_and_interval(scores: Scores) -> None:
    found = frames(scores)["metrics"]
    row = scores.systems[0]
    metric = row.metric("web_only.accuracy")
    assert metric is not None
    assert metric.count is not None
    at = next(
        index
        for index, pair in enumerate(zip(found["row_id"], found["metric_id"], strict=True))
        if pair == (row.row_id, "web_only.accuracy")
    )
    assert found["value"][at] == metric.value
    assert (found["numerator"][at], found["denominator"][at]) == (
        metric.count.numerator,
        metric.count.denominator,
    )
    assert found["low"][at] == metric.intervals[0].low
    assert len(found["value"]) == sum(len(each.metrics) for each in scores.systems)


def test_what_the_report_draws_stands_in_frames(scores: Scores) -> None:
    found = frames(scores)
    view = found["confusions"]
    assert sum(view["count"]) == len(scores.systems) * 2 * scores.header.websites
    assert set(view["predicted"]) > {"VIOLATION", "NO_DECISION"}
    points = sum(len(curve.points) for row in scores.systems for curve in row.curves)
    assert len(found["curves"]["x"]) == points > 0
    assert set(found["tied_groups"]["row_id"]) == {row.row_id for row in scores.systems}
    assert set(found["power"]["metric_id"]) == {d.metric_id for d in scores.detectable if d.power}


def test_frames_read_from_a_file_are_those_of_the_scores(scores: Scores, tmp_path: Path) -> None:
    write_json(tmp_path / "scores.json", scores)
    assert read_frames(tmp_path / "scores.json") == frames(scores)
    with pytest.raises(InputError, match="no such file"):
        read_frames(tmp_path / "none.json")


def test_public_scores_have_no_cases(scores: Scores) -> None:
    assert len(frames(scores)["cases"]["row_id"]) == sum(len(row.cases) for row in scores.systems)
    assert frames(scores.without_units())["cases"] == {"row_id": []}


def test_without_pandas_a_reader_is_told(scores: Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="pandas"):
        to_pandas(frames(scores)["metrics"])


def test_with_pandas_every_frame_is_a_data_frame_of_the_same_values(scores: Scores) -> None:
    pandas = pytest.importorskip("pandas", reason="the extra notebook is not installed")
    for name, frame in frames(scores).items():
        data = to_pandas(frame)
        assert isinstance(data, pandas.DataFrame)
        assert list(data.columns) == list(frame), name
        assert len(data) == len(next(iter(frame.values()))), name
    metrics = to_pandas(frames(scores)["metrics"])
    row = scores.systems[0]
    metric = row.metric("web_only.accuracy")
    assert metric is not None
    found = metrics.query("row_id == @row.row_id and metric_id == 'web_only.accuracy'")
    assert found["value"].item() == metric.value
