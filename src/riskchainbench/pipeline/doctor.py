"""Looking at the machine: what the benchmark needs, what was found, and what mends the rest."""

from __future__ import annotations

import asyncio
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from riskchainbench.browser.canary import IsolationReport, isolation_test
from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.launch import Confinement, confinement
from riskchainbench.browser.pool import Worker
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.errors import InputError, RiskChainError, UsageError
from riskchainbench.core.failures import SystemFailureError
from riskchainbench.core.record import Record
from riskchainbench.investigation.browsing import browser_settings

State = Literal["ok", "warning", "missing"]

_FREE_BYTES_WANTED = 2 * 10**9
_FONT_CHECKS = (
    ("Chinese, Japanese and Korean", ":lang=zh-cn"),
    ("Thai", ":lang=th"),
    ("emoji", ":family=Noto Color Emoji"),
)
_WITHOUT_FONTS = "captured websites may show boxes, and --input image cannot draw messages"


class Item(Record):
    """One thing that was looked at."""

    name: str
    state: State
    found: str
    mend: str = ""


class Examination(Record):
    """All that was looked at; healthy if nothing is missing."""

    items: tuple[Item, ...]

    @property
    def healthy(self) -> bool:
        """Whether the benchmark can run here."""
        return all(item.state != "missing" for item in self.items)


def examine(only: str | None = None) -> Examination:
    """Look at the machine, or at one thing of it.

    Raises:
        InputError: `only` names nothing that is looked at.
    """
    if only is not None and only not in _LOOKS:
        raise UsageError(f"no check {only!r}; choose one of {', '.join(_LOOKS)}")
    looks = _LOOKS.items() if only is None else [(only, _LOOKS[only])]
    return Examination(items=tuple(item for _, look in looks for item in look()))


def examine_isolation() -> IsolationReport:
    """Try every way out of a website towards every kind of address.

    Raises:
        InputError: there is no browser.
        RiskChainError: the browser does not start.
    """
    settings = browser_settings()
    try:
        return asyncio.run(isolation_test(settings))
    except SystemFailureError as error:
        raise RiskChainError(f"the browser does not start: {error.failure.detail}") from error


def _python() -> list[Item]:
    version = platform.python_version()
    if (3, 11) <= sys.version_info[:2] <= (3, 12):
        return [Item(name="python", state="ok", found=version)]
    return [Item(name="python", state="missing", found=version, mend="install Python 3.12")]


def _browser() -> list[Item]:
    try:
        binary = find_browser()
    except InputError as error:
        return [Item(name="browser", state="missing", found=str(error), mend=_browser_remedy())]
    return [Item(name="browser", state="ok", found=f"{binary.path} ({binary.version})")]


def _browser_remedy() -> str:
    if sys.platform == "darwin":
        return ".venv/bin/playwright install chromium, or install Google Chrome"
    if "ID=ubuntu" in _os_release():
        return ".venv/bin/playwright install --with-deps chromium (Ubuntu's chromium is a stub)"
    return "sudo apt-get update && sudo apt-get install chromium-headless-shell"


def _os_release() -> str:
    path = Path("/etc/os-release")
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _fonts() -> list[Item]:
    """Look for fonts; synthetic websites bring their own and need none of the machine's."""
    if sys.platform == "darwin":
        found = "macOS brings its own; captured websites look otherwise than on Debian"
        return [Item(name="fonts", state="ok", found=found)]
    tool = shutil.which("fc-list")
    mend = "sudo apt-get install fontconfig fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"
    if tool is None:
        found = f"no fontconfig; {_WITHOUT_FONTS}"
        return [Item(name="fonts", state="warning", found=found, mend=mend)]
    items: list[Item] = []
    for title, pattern in _FONT_CHECKS:
        listed = subprocess.run(
            [tool, pattern, "family"], capture_output=True, text=True, check=False, timeout=30
        ).stdout.splitlines()
        if listed:
            items.append(Item(name="fonts", state="ok", found=f"{title}: {sorted(listed)[0]}"))
        else:
            found = f"none for {title}; {_WITHOUT_FONTS}"
            items.append(Item(name="fonts", state="warning", found=found, mend=mend))
    return items


def _disk() -> list[Item]:
    free = shutil.disk_usage(Path.cwd()).free
    found = f"{free / 10**9:.1f} GB free here"
    if free < _FREE_BYTES_WANTED:
        mend = "free some space: a full run of one system keeps about 2 GB of screenshots"
        return [Item(name="disk", state="warning", found=found, mend=mend)]
    return [Item(name="disk", state="ok", found=found)]


def _account() -> list[Item]:
    """Tell how the browser is confined, as a launch shows it."""
    try:
        settings = browser_settings()
    except InputError:
        return [Item(name="account", state="warning", found="not tried: there is no browser")]
    expected = confinement(settings)
    try:
        confined = asyncio.run(_launched(settings))
    except SystemFailureError as error:
        found = f"the browser does not start: {error.failure.detail}"
        return [Item(name="account", state="missing", found=found, mend=_browser_remedy())]
    return [account_item(expected, confined)]


async def _launched(settings: BrowserSettings) -> Confinement:
    worker = Worker(settings)
    try:
        await worker.start()
        assert worker.confinement is not None
        return worker.confinement
    finally:
        await worker.kill()


def account_item(expected: Confinement, confined: Confinement) -> Item:
    """Say how a browser is confined that was launched.

    Args:
        expected: what the account and the machine seemed to allow.
        confined: what the launch came to.
    """
    net = "a network namespace" if confined.network_namespace else "no network namespace"
    on = "on" if confined.chromium_sandbox else "off"
    found = f"the browser ran as {confined.user}, Chromium's own sandbox {on}, {net}"
    if confined.chromium_sandbox:
        return Item(name="account", state="ok", found=found)
    mend = "run as an ordinary user, or install util-linux for setpriv"
    if expected.chromium_sandbox:
        mend = "allow user namespaces to this container or account; the other seals hold"
    return Item(name="account", state="warning", found=found, mend=mend)


_LOOKS: dict[str, Callable[[], list[Item]]] = {
    "python": _python,
    "browser": _browser,
    "fonts": _fonts,
    "account": _account,
    "disk": _disk,
}
