"""Launches the sealed Chromium: as an unprivileged user, in a network namespace where possible.

Started by root, the browser runs as `nobody` with Chromium's own sandbox on. A small starter
script does the change of user and namespace, since Playwright launches one file.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Playwright
from playwright.sync_api import Error as PlaywrightError

from riskchainbench.browser.flags import REMOVED_DEFAULTS, chromium_arguments
from riskchainbench.browser.namespace import NetworkNamespace, namespaces_available
from riskchainbench.browser.relay import Relay
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.record import Record

NOBODY = 65534
LAUNCH_LIMIT = 30.0


class Confinement(Record):
    """How the browser is confined beside its flags, as `doctor` tells it."""

    user: str
    chromium_sandbox: bool
    network_namespace: bool


def confinement(settings: BrowserSettings) -> Confinement:
    """Return what this machine allows of what the settings ask for."""
    root = os.geteuid() == 0
    drops = root and settings.unprivileged and shutil.which("setpriv") is not None
    return Confinement(
        user="nobody" if drops else ("root" if root else "invoking user"),
        chromium_sandbox=drops or not root,
        network_namespace=settings.namespace and namespaces_available(),
    )


@dataclass
class LaunchedBrowser:
    """A running browser with the relay and the namespace that belong to it."""

    browser: Browser
    relay: Relay
    confinement: Confinement
    folder: Path
    namespace: NetworkNamespace | None = None

    def close(self) -> None:
        """End the browser and what belongs to it."""
        with contextlib.suppress(PlaywrightError):
            self.browser.close()
        self.relay.close()
        if self.namespace is not None:
            self.namespace.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def launch(
    playwright: Playwright, settings: BrowserSettings, refused: Callable[[str], None]
) -> LaunchedBrowser:
    """Launch Chromium behind a relay.

    Args:
        playwright: the driver.
        settings: of the environment.
        refused: called with the host of every connection that the relay turned away.

    Raises:
        playwright.sync_api.Error: the browser does not start.
        OSError: the relay cannot listen.
    """
    confined = confinement(settings)
    folder = Path(tempfile.mkdtemp(prefix="riskchain-browser-"))
    folder.chmod(0o755)
    namespace = NetworkNamespace() if confined.network_namespace else None
    listener = namespace.listen() if namespace else _listen()
    relay = Relay(
        listener,
        refused,
        response_cap=settings.response_cap,
        check_host=settings.relay_checks_host,
    )
    arguments = chromium_arguments(
        relay.port, resolver=settings.resolver_rules, sealing=settings.sealing_flags
    )
    starter = _starter(folder, settings.binary, confined, namespace)
    try:
        browser = _started(playwright, starter, arguments, sandbox=confined.chromium_sandbox)
    except PlaywrightError:
        if not confined.chromium_sandbox:
            raise
        # Containers often forbid what Chromium's sandbox is made of; the other seals hold.
        confined = confined.but(chromium_sandbox=False)
        browser = _started(playwright, starter, arguments, sandbox=False)
    return LaunchedBrowser(browser, relay, confined, folder, namespace)


def _started(
    playwright: Playwright, starter: Path, arguments: list[str], *, sandbox: bool
) -> Browser:
    return playwright.chromium.launch(
        executable_path=starter,
        args=arguments,
        ignore_default_args=list(REMOVED_DEFAULTS),
        chromium_sandbox=sandbox,
        headless=True,
        timeout=LAUNCH_LIMIT * 1000,
    )


def _listen() -> socket.socket:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


def _starter(
    folder: Path, binary: Path, confined: Confinement, namespace: NetworkNamespace | None
) -> Path:
    command: list[str] = []
    lines = ["#!/bin/sh"]
    if namespace is not None:
        command += ["nsenter", f"--net={namespace.path}", "--"]
    if confined.user == "nobody":
        home = folder / "home"
        home.mkdir()
        os.chown(home, NOBODY, NOBODY)
        lines += [
            'for argument in "$@"; do case "$argument" in',
            f'--user-data-dir=*) chown -R {NOBODY}:{NOBODY} "${{argument#*=}}";;',
            "esac; done",
            f"export HOME={shlex.quote(str(home))} TMPDIR={shlex.quote(str(home))}",
        ]
        command += [
            "setpriv",
            f"--reuid={NOBODY}",
            f"--regid={NOBODY}",
            "--clear-groups",
            "--no-new-privs",
            "--",
        ]
    command.append(str(binary))
    lines.append(f'exec {shlex.join(command)} "$@"')
    path = folder / "chromium"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o755)
    return path
