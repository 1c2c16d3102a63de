"""The command line of the sealed Chromium: one layer of isolation, and fixed rendering.

The layers beside it stand in `guards` (requests), `relay` (connections) and `namespace`.
"""

from __future__ import annotations

WILDCARD = "*.test"
"""Names of episodes; the relay behind them lets only the present episode's through."""

_DISABLED_FEATURES = (
    # Playwright's own list: a later --disable-features replaces an earlier one.
    "ImprovedCookieControls",
    "LazyFrameLoading",
    "GlobalMediaControls",
    "DestroyProfileOnBrowserClose",
    "MediaRouter",
    "DialMediaRouteProvider",
    "AcceptCHFrame",
    "AutoExpandDetailsElement",
    "CertificateTransparencyComponentUpdater",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "Translate",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "PaintHolding",
    # Scroll bars belong in a screenshot.
    "OverlayScrollbars",
    "ExtendedOverlayScrollbars",
    # Ways out that no request passes by.
    "Prerender2",
    "SpeculationRulesPrefetch",
    "SpeculationRulesPrefetchProxy",
    "WebTransport",
    "Reporting",
    "NetworkErrorLogging",
    "OptimizationHints",
    "AsyncDns",
    # One process for a page and all its frames, so that one pass reads them.
    "IsolateSandboxedIframes",
    "IsolateOrigins",
    "site-per-process",
)

SEALING = (
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-proxy-server",
)

RENDERING = (
    "--disable-blink-features=AutomationControlled",
    "--disable-site-isolation-trials",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--force-color-profile=srgb",
    "--disable-gpu",
    # A repaint of a part of a tile blends its edges, a repaint of the whole does not.
    "--disable-partial-raster",
    "--mute-audio",
)

REMOVED_DEFAULTS = (
    "--hide-scrollbars",
    "--enable-automation",
    "--disable-popup-blocking",
    "--disable-hang-monitor",
)
"""Playwright's defaults that a website could see or that would hide what it shows."""


def resolver_rules(port: int) -> str:
    """Return the rules under which names of episodes lead to the relay and no other resolves."""
    return f"MAP {WILDCARD} 127.0.0.1:{port}, MAP * ~NOTFOUND"


def chromium_arguments(port: int, *, resolver: bool = True, sealing: bool = True) -> list[str]:
    """Return the arguments Chromium is launched with.

    Args:
        port: where the relay listens.
        resolver: whether names are confined; off only to show what it guards against.
        sealing: whether the other network flags are set; off only for the same reason.
    """
    arguments = list(RENDERING)
    disabled = ",".join(_DISABLED_FEATURES)
    if sealing:
        arguments += [*SEALING, f"--disable-features={disabled}"]
    rules = resolver_rules(port) if resolver else f"MAP {WILDCARD} 127.0.0.1:{port}"
    return [*arguments, f"--host-resolver-rules={rules}"]
