"""A case's frozen files: ``trajectory.jsonl`` and ``network.jsonl`` below the stage's folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from riskchainbench.browser.guards import NetworkEntry
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_file
from riskchainbench.core.investigation import Step, Trajectory, TrajectoryEnd
from riskchainbench.core.store import jsonl_bytes, read_jsonl, validate, write_atomic
from riskchainbench.investigation.chain import verify_chain

TRAJECTORY = "trajectory.jsonl"
NETWORK = "network.jsonl"
IMAGES = "images"
"""The run's folder of screenshots, by hash."""


def write_trajectory(folder: Path, trajectory: Trajectory, network: Sequence[NetworkEntry]) -> None:
    """Write both files of one case; a folder with a trajectory is finished.

    Raises:
        StorageError: the disk is full; the case counts as not done.
    """
    write_atomic(folder / NETWORK, jsonl_bytes(network))
    write_atomic(folder / TRAJECTORY, jsonl_bytes([*trajectory.steps, trajectory.end]))


def read_trajectory(folder: Path) -> Trajectory:
    """Read a case's trajectory and check its hash chain.

    Raises:
        InputError: it is missing or cut off.
        IntegrityError: a step was changed.
    """
    path = folder / TRAJECTORY
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    lines = text.split("\n")[:-1]
    if not lines or not text.endswith("\n"):
        raise InputError(f"{path}: line {len(lines)} is cut off; run riskchain investigate again")
    try:
        values = [json.loads(line) for line in lines]
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    trajectory = Trajectory(
        steps=tuple(
            validate(Step, value, f"{path}: line {number}")
            for number, value in enumerate(values[:-1], start=1)
        ),
        end=validate(TrajectoryEnd, values[-1], f"{path}: line {len(lines)}"),
    )
    verify_chain(trajectory, str(path))
    return trajectory


def trajectory_sha256(folder: Path) -> Sha256:
    """Return the identity of a case's frozen trajectory."""
    return sha256_file(folder / TRAJECTORY)


def read_network(folder: Path) -> list[NetworkEntry]:
    """Read what a case's page tried to reach outside."""
    return read_jsonl(folder / NETWORK, NetworkEntry)
