"""One scorer process for all sessions of a server."""

from __future__ import annotations

import threading
from pathlib import Path

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.investigation import Trajectory
from riskchainbench.doors.gymnasium import Reward, Scorer


class SharedScorer:
    """A `Scorer` that several threads may ask; it starts with the first question."""

    def __init__(self, bundle: Path) -> None:
        self._bundle = bundle
        self._lock = threading.Lock()
        self._scorer: Scorer | None = None

    def reward(self, trajectory: Trajectory, record: ConclusionRecord) -> Reward:
        """Return the reward of one finished episode.

        Raises:
            InputError: the bundle has no gold.
        """
        with self._lock:
            if self._scorer is None:
                self._scorer = Scorer(self._bundle)
            return self._scorer.reward(trajectory, record)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._scorer is not None:
                self._scorer.close()
                self._scorer = None
