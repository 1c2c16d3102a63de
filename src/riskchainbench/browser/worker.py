"""The child process: one environment that answers commands over a pipe.

It is meant to be killed: whatever a page does to it, the parent bounds it from outside.
Messages are JSON bytes; a view is followed by its screenshot's PNG bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

import psutil

MARK = "RISKCHAIN_WORKER"
"""The variable by which every process of a worker's tree is known, even an orphan."""


class _Server:
    def __init__(self, conn: Connection, settings_json: str) -> None:
        from riskchainbench.browser.environment import InvestigationEnv
        from riskchainbench.browser.settings import BrowserSettings

        self._conn = conn
        self._env = InvestigationEnv(
            BrowserSettings.model_validate_json(settings_json), self._fatal
        )

    def serve(self) -> None:
        while True:
            command = json.loads(self._conn.recv_bytes())
            if command["do"] == "quit":
                self._env.close()
                return
            self._answer(command)

    def _answer(self, command: dict[str, Any]) -> None:
        from playwright.sync_api import Error as PlaywrightError

        from riskchainbench.browser.tabs import PageCrashedError

        try:
            self._carry_out(command)
        except PageCrashedError as error:
            self._fail("PAGE_CRASHED", str(error) or "the page's process died")
        except PlaywrightError as error:
            self._fail("HARNESS_ERROR", _one_line(error))
        except OSError as error:
            self._fail("HARNESS_ERROR", _one_line(error))

    def _carry_out(self, command: dict[str, Any]) -> None:
        from playwright.sync_api import Error as PlaywrightError

        from riskchainbench.browser.settings import Visit

        if command["do"] == "warm":
            try:
                launched = self._env.warm_up()
            except (PlaywrightError, OSError) as error:
                self._fail("BROWSER_LAUNCH", _one_line(error))
                return
            confinement = launched.confinement.model_dump(mode="json")
            self._send({"ready": confinement, "version": launched.browser.version})
        elif command["do"] == "open":
            visit = Visit.model_validate(command["visit"])
            self._show(self._env.reset(options={"visit": visit})[0])
        elif command["do"] == "act":
            self._show(self._env.step(json.dumps(command["action"]))[0])
        elif command["do"] == "end":
            self._env.end_episode()
            self._send({"ended": True})

    def _show(self, observed: dict[str, Any]) -> None:
        png = observed["screenshot_png"]
        view = observed["view"].model_dump(mode="json")
        self._send({"view": view, "image": png is not None})
        if png is not None:
            self._conn.send_bytes(png)

    def _fail(self, failure_class: str, detail: str) -> None:
        self._send({"failure": failure_class, "detail": detail[:300]})

    def _fatal(self, failure_class: str, detail: str) -> None:
        """Report, then wait to be killed: the call that the page left hanging never returns."""
        self._fail(failure_class, detail)
        signal.pause()

    def _send(self, value: dict[str, Any]) -> None:
        self._conn.send_bytes(json.dumps(value, ensure_ascii=False).encode("utf-8"))


def _one_line(error: BaseException) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:300]


def main(conn: Connection, settings_json: str, mark: str, folder: str) -> None:
    """Serve one environment until told to quit or until the parent goes away.

    Args:
        conn: the pipe to the parent.
        settings_json: the environment's settings.
        mark: goes into the environment of every process of the tree.
        folder: for all temporary files; the parent removes it, or we do if the parent is gone.
    """
    os.environ[MARK] = mark
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    with contextlib.suppress(OSError):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 (lives as long as we do)
    watch = threading.Thread(target=_follow, args=(os.getppid(), folder), daemon=True)
    watch.start()
    parent = os.getppid()
    try:
        _Server(conn, settings_json).serve()
        os._exit(0)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except Exception:
        # Whatever breaks once the parent is gone has nobody left to be told.
        if os.getppid() == parent:
            raise
    _end(folder)


def _follow(parent: int, folder: str) -> None:
    """End with the parent, even while a page keeps the main thread waiting for ever."""
    while os.getppid() == parent:
        time.sleep(0.5)
    _end(folder)


def _end(folder: str) -> None:
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            child.kill()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)
