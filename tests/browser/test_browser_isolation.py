"""Nothing gets out of the browser; each layer turned off shows what it guards against."""

from __future__ import annotations

import pytest

from riskchainbench.browser.canary import IsolationReport, isolation_test
from riskchainbench.browser.launch import confinement
from riskchainbench.browser.settings import BrowserSettings

pytestmark = pytest.mark.browser

OFF = {
    "namespace": False,
    "resolver_rules": False,
    "sealing_flags": False,
    "routing": False,
    "relay_checks_host": False,
}
WEBRTC = {"WebRTC STUN", "WebRTC direct"}
PAST_ROUTING = {"websocket", "shared worker", "redirected img", "redirected fetch", "prerender"}


def ways_out(report: IsolationReport) -> set[str]:
    assert report.complete
    return {reached.vector for reached in report.reached}


async def test_the_quick_test_of_a_run_passes_with_all_layers(settings: BrowserSettings) -> None:
    report = await isolation_test(settings, quick=True)
    assert report.sealed
    assert len(report.vectors) > 40
    assert report.attempts > 30


async def test_the_quick_test_of_a_run_fails_without_layers(settings: BrowserSettings) -> None:
    reached = ways_out(await isolation_test(settings.but(**OFF), quick=True))
    assert reached >= {"fetch", "img", "form post", "popup"} | PAST_ROUTING


@pytest.mark.slow
async def test_all_layers_together_let_nothing_out(settings: BrowserSettings) -> None:
    report = await isolation_test(settings)
    assert report.sealed
    assert report.attempts > 80


@pytest.mark.slow
async def test_without_any_layer_the_canaries_are_reached(settings: BrowserSettings) -> None:
    reached = ways_out(await isolation_test(settings.but(**OFF)))
    assert reached >= {"fetch", "img", "form post", "popup", "top leave"} | PAST_ROUTING
    assert reached & WEBRTC


@pytest.mark.slow
async def test_routing_alone_misses_what_passes_it_by(settings: BrowserSettings) -> None:
    reached = ways_out(await isolation_test(settings.but(**{**OFF, "routing": True})))
    assert reached >= PAST_ROUTING
    assert not reached & {"fetch", "img", "form post", "popup", "top leave"}


@pytest.mark.slow
async def test_resolver_rules_alone_miss_webrtc(settings: BrowserSettings) -> None:
    reached = ways_out(await isolation_test(settings.but(**{**OFF, "resolver_rules": True})))
    assert reached
    assert reached <= WEBRTC


@pytest.mark.slow
async def test_sealing_flags_alone_stop_webrtc_over_udp(settings: BrowserSettings) -> None:
    reached = ways_out(await isolation_test(settings.but(**{**OFF, "sealing_flags": True})))
    assert not reached & WEBRTC
    assert "websocket" in reached


@pytest.mark.slow
async def test_the_flags_suffice_where_there_is_no_namespace(settings: BrowserSettings) -> None:
    assert (await isolation_test(settings.but(namespace=False))).sealed


@pytest.mark.slow
async def test_the_namespace_alone_suffices(settings: BrowserSettings) -> None:
    if not confinement(settings).network_namespace:
        pytest.skip("this machine gives no network namespace")
    assert ways_out(await isolation_test(settings.but(**{**OFF, "namespace": True}))) == set()
