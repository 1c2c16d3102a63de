"""Finds the Chromium that drives every website. Launches nothing and installs nothing."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record

VARIABLE = "RISKCHAIN_CHROMIUM"

_VERSION = re.compile(r"\d+(?:\.\d+){3}")
"""Every Chromium tells four numbers; other programs mostly two or three."""

# Real binaries stand before wrapper scripts: a wrapper adds flags of its distribution.
_CANDIDATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "chromium-headless-shell",
        (
            "/usr/lib/chromium/chromium-headless-shell",
            "/usr/lib/chromium/headless_shell",
            "/usr/bin/chromium-headless-shell",
        ),
    ),
    (
        "chromium",
        (
            "/usr/lib/chromium/chromium",
            "/usr/lib/chromium-browser/chromium-browser",
            "/usr/bin/chromium",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
        ),
    ),
    (
        "chrome",
        (
            "/opt/google/chrome/chrome",
            "/usr/bin/google-chrome",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ),
    ),
)

_PLAYWRIGHT_PATTERNS = (
    "chromium_headless_shell-*/*/headless_shell",
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
)

REMEDY = (
    "run `make setup`, or `apt-get install chromium-headless-shell`, "
    f"or set {VARIABLE} to a Chromium"
)


class BrowserBinary(Record):
    """A browser that can be launched; `version` is what it says of itself."""

    path: Path
    kind: str
    version: str


def find_browser(environment: Mapping[str, str] | None = None) -> BrowserBinary:
    """Return the first usable browser of the search order.

    The order is `RISKCHAIN_CHROMIUM`, chromium-headless-shell, chromium, Google Chrome,
    Playwright's own.

    Args:
        environment: the variables to look in; the process's own by default.

    Raises:
        InputError: none was found, or the one that was named does not run; the message holds
            the command that mends it.
    """
    environment = os.environ if environment is None else environment
    named = environment.get(VARIABLE)
    if named:
        return _probed(Path(named), "named")
    for kind, path in _installed(environment):
        try:
            return _probed(path, kind)
        except InputError:
            continue
    raise InputError(f"no Chromium found; {REMEDY}")


def _installed(environment: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    for kind, paths in _CANDIDATES:
        for name in paths:
            if Path(name).is_file():
                yield kind, Path(name)
    default = Path(environment.get("HOME", "/")) / ".cache" / "ms-playwright"
    root = Path(environment.get("PLAYWRIGHT_BROWSERS_PATH", str(default)))
    for pattern in _PLAYWRIGHT_PATTERNS:
        for path in sorted(root.glob(pattern), reverse=True):
            yield "playwright", path


def _probed(path: Path, kind: str) -> BrowserBinary:
    try:
        done = subprocess.run(
            [str(path), "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{path}: does not run as a browser ({error}); {REMEDY}") from error
    found = _VERSION.search(done.stdout)
    if found is None:
        raise InputError(f"{path}: tells no version, so it is no Chromium; {REMEDY}")
    return BrowserBinary(path=path, kind=kind, version=found.group())
