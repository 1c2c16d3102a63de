"""A process and everything it ever started: how much memory it holds, and how to end it all."""

from __future__ import annotations

import contextlib
import time

import psutil

from riskchainbench.browser.worker import MARK

_ROUNDS = 20


class ProcessTree:
    """The tree under `pid`; members are remembered, so that orphans are found again.

    Args:
        pid: the root.
        mark: the value of the environment variable that every member inherits.
    """

    def __init__(self, pid: int, mark: str) -> None:
        self._mark = mark
        self._seen: dict[int, psutil.Process] = {}
        with contextlib.suppress(psutil.NoSuchProcess):
            self._root = psutil.Process(pid)
            self._seen[pid] = self._root

    def members(self) -> list[psutil.Process]:
        """Return all members that are alive now."""
        for parent in list(self._seen.values()):
            with contextlib.suppress(psutil.NoSuchProcess):
                for child in parent.children(recursive=True):
                    self._seen.setdefault(child.pid, child)
        alive = {pid: found for pid, found in self._seen.items() if _alive(found)}
        self._seen = alive
        return list(alive.values())

    def memory(self) -> int:
        """Return the bytes that the tree holds for itself, shared pages left out."""
        total = 0
        for member in self.members():
            with contextlib.suppress(psutil.Error):
                info = member.memory_info()
                total += info.rss - getattr(info, "shared", 0)
        return total

    def kill(self) -> None:
        """Kill every member, orphans included; return when none is left or after two seconds."""
        for _ in range(_ROUNDS):
            members = self.members()
            if not members:
                members = self.orphans()
            if not members:
                return
            for member in members:
                with contextlib.suppress(psutil.Error):
                    member.kill()
            psutil.wait_procs(members, timeout=0.1)
            time.sleep(0.01)

    def orphans(self) -> list[psutil.Process]:
        """Return every living process of the machine that bears the tree's mark."""
        found: list[psutil.Process] = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(MARK) == self._mark and _alive(process):
                    found.append(process)
        return found


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
