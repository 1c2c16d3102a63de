"""Episodes on a local Ray; left out where Ray is not installed."""

from __future__ import annotations

import sys

import pytest
import typer

from riskchainbench.bundle import Bundle
from riskchainbench.cli.shared import parse_workers
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import FailureClass, SystemFailureError
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.investigation.browsing import ClusterWorkers, browser_settings
from riskchainbench.investigation.cluster import RayPool, TicketVisits


def test_without_ray_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, demo_bundle: Bundle
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"riskchainbench\[ray\]"):
        RayPool(demo_bundle.folder, browser_settings(), 1)


@pytest.mark.parametrize(("text", "count", "kind"), [("3", 3, int), ("ray:5", 5, ClusterWorkers)])
def test_workers_are_here_or_on_a_cluster(text: str, count: int, kind: type[int]) -> None:
    workers = parse_workers(text)
    assert workers == count
    assert type(workers) is kind


@pytest.mark.parametrize("text", ["0", "-1", "ray", "ray:0", "many", "dask:2", "65", "ray:1025"])
def test_other_workers_are_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_workers(text)


@pytest.mark.browser
@pytest.mark.slow
async def test_an_actor_serves_looks_and_is_replaced_when_lost(demo_bundle: Bundle) -> None:
    ray = pytest.importorskip("ray")
    task = demo_bundle.investigation_tasks[min(demo_bundle.investigation_tasks)]
    visit = TicketVisits().open(task)
    pool = RayPool(demo_bundle.folder, browser_settings(), 1)
    try:
        async with pool.lease() as env:
            first, png = await env.open(visit)
            assert png is not None
            assert first.text
            after, _ = await env.act(Action(action=ActionKind.RELOAD))
            assert after.page_state == first.page_state

        async def lost() -> None:
            async with pool.lease() as env:
                await env.open(visit)
                ray.kill(pool._actors[0], no_restart=False)
                await env.act(Action(action=ActionKind.RELOAD))

        with pytest.raises(SystemFailureError) as caught:
            await lost()
        assert caught.value.failure.failure_class is FailureClass.HARNESS_ERROR
        async with pool.lease() as env:
            assert (await env.open(visit))[0].page_state == first.page_state
    finally:
        await pool.close()
    assert not ray.is_initialized()
