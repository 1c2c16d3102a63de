"""Where the websites of a run are served: opens a fresh episode for each visit."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from riskchainbench.browser.settings import FixtureValue, Visit
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import InvestigationTask
from riskchainbench.sandbox.app import Sandbox, Served
from riskchainbench.websites.records import LoadedWebsite


class Visits(Protocol):
    """Opens and closes episodes of websites."""

    def open(self, task: InvestigationTask) -> Visit:
        """Open a fresh episode of the task's website."""

    def close(self, visit: Visit) -> None:
        """End an episode."""


class SandboxVisits:
    """Episodes of a sandbox that is served on `port`.

    Args:
        sandbox: serves the websites.
        port: where, on loopback.
        websites: the websites by case id, for the values their fields are filled with.
        rng: draws host names.
    """

    def __init__(
        self, sandbox: Sandbox, port: int, websites: Mapping[str, LoadedWebsite], rng: Random
    ) -> None:
        self._sandbox = sandbox
        self._port = port
        self._websites = websites
        self._rng = rng

    def open(self, task: InvestigationTask) -> Visit:
        """Open a fresh episode of the task's website."""
        episode = self._sandbox.open(task.case_id, self._rng)
        fields = self._websites[task.case_id].website.fields
        fixtures = {
            entry.field: tuple(
                FixtureValue(name=value.name, value=value.value) for value in entry.fixtures
            )
            for entry in fields
        }
        return Visit(
            host=episode.host,
            port=self._port,
            start_path=task.start_path,
            width=task.viewport.width,
            height=task.viewport.height,
            fixtures=fixtures,
        )

    def state_sha256(self, visit: Visit) -> Sha256:
        """Return the identity of the state that an episode's website is in."""
        return self._sandbox.state_sha256(visit.host)

    def served(self, visit: Visit) -> tuple[Served, ...]:
        """Return what an episode was asked for so far and what that came to."""
        return self._sandbox.log(visit.host)

    def close(self, visit: Visit) -> None:
        """End an episode."""
        self._sandbox.close(visit.host)
