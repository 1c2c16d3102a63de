"""Both tasks run inside Inspect AI, found by name, with the stub as the model."""

from __future__ import annotations

from pathlib import Path

import pytest
from stub_fixtures import Stub, stub

inspect_ai = pytest.importorskip("inspect_ai", reason="the extra `models` is not installed")
pytest.importorskip("inspect_ai.model")

__all__ = ["stub"]


def run(name: str, bundle: Path, logs: Path, stub: Stub, limit: int):
    # Inspect keeps models by name, and every stub has a port of its own.
    model = inspect_ai.model.get_model(stub.name, memoize=False)
    (log,) = inspect_ai.eval(
        f"riskchainbench/{name}",
        task_args={"bundle": str(bundle), "language": "en"},
        model=model,
        max_retries=0,
        limit=limit,
        log_dir=str(logs),
        display="none",
    )
    assert log.status == "success", log.error
    return log


def metrics(log) -> dict[str, float]:
    return {score.name: score.metrics["mean"].value for score in log.results.scores}


def test_restoration_is_scored_by_the_projects_own_rules(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    log = run("restoration", demo_folder, tmp_path, stub, 12)
    assert set(metrics(log)) == {"entry", "messages", "intent", "full"}
    # The stub calls every intent OPEN_SITE and echoes what it was sent.
    assert 0 < metrics(log)["intent"] < 1
    assert stub.model.calls == 12
    assert log.samples[0].target == ""


@pytest.mark.browser
def test_an_investigation_is_concluded_and_scored(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    log = run("investigation", demo_folder, tmp_path, stub, 2)
    assert metrics(log)["concluded"] == 1
    assert log.samples[0].store["record"]["conclusion"]["violation_type"] == "UNKNOWN"
