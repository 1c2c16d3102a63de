"""The reward of finished episodes, from a process of its own that alone holds the labels."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import IO, Any

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import InputError
from riskchainbench.core.investigation import Trajectory
from riskchainbench.core.record import Record

# By name: this room stands below the one that may open the gold.
_PROCESS = "riskchainbench.pipeline.reward"


class Reward(Record):
    """What a report was worth: 1 if decision and type are right in a valid report, else 0."""

    reward: float
    decision_correct: bool
    first_failure: str


class Scorer:
    """A running scorer process of one bundle; close it when training ends.

    Args:
        bundle: the folder of a bundle with its gold.
    """

    def __init__(self, bundle: Path | str) -> None:
        self._bundle = Path(bundle)
        self._process = subprocess.Popen(
            [sys.executable, "-m", _PROCESS, str(self._bundle)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def reward(self, trajectory: Trajectory, record: ConclusionRecord) -> Reward:
        """Return the reward of one finished episode.

        Raises:
            InputError: the bundle has no gold.
        """
        asked = {
            "trajectory": trajectory.model_dump(mode="json"),
            "record": record.model_dump(mode="json"),
        }
        return Reward.model_validate(self._ask(asked))

    def train_cases(self) -> tuple[str, ...]:
        """Return the cases of the bundle's train split; none if it was not split.

        Raises:
            InputError: the bundle cannot be opened.
        """
        return tuple(self._ask({"train": True})["cases"])

    def close(self) -> None:
        """End the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        sending, answers = _open(self._process.stdin), _open(self._process.stdout)
        try:
            sending.write(json.dumps(question) + "\n")
            sending.flush()
        except BrokenPipeError:
            line = ""
        else:
            line = answers.readline()
        if not line:
            said = _open(self._process.stderr).read().strip().splitlines()
            raise InputError(said[-1] if said else f"{self._bundle}: the scorer process died")
        answer: dict[str, Any] = json.loads(line)
        return answer


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


@cache
def train_cases(bundle: Path) -> frozenset[str]:
    """Return the cases of the train split of the bundle in `bundle`, asked for once a process."""
    with Scorer(bundle) as scorer:
        return frozenset(scorer.train_cases())
