"""Run episodes in parallel with a policy that acts at random; it trains nothing.

    python examples/random_policy.py BUNDLE [--episodes 100] [--workers 2] [--evaluation]

Without --evaluation the bundle needs a train split.
"""

from __future__ import annotations

import argparse
import json
import queue
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import gymnasium

from riskchainbench.core.errors import RiskChainError
from riskchainbench.doors.gymnasium import Scorer, register_bundle

STEPS = 6


def report(rng: Random) -> str:
    """Return a guess in the form of a report."""
    decision, violation_type = rng.choice(
        [("NON_VIOLATION", "NONE"), ("INSUFFICIENT_EVIDENCE", "UNKNOWN")]
    )
    evidence = [{"step": 0, "locator": {"kind": "box", "x": 0, "y": 0, "width": 99, "height": 99}}]
    said = {"decision": decision, "violation_type": violation_type, "rationale": "a guess"}
    return json.dumps({**said, "evidence": evidence, "confidence": 0.1})


def episode(name: str, rng: Random, scorers: queue.Queue[Scorer]) -> float:
    """Run one episode and return its reward."""
    env = gymnasium.make(name)
    try:
        observed, _ = env.reset()
        for _ in range(STEPS):
            bids = sorted(observed["extra_element_properties"])
            action = (
                f"click({rng.choice(bids)!r})" if bids and rng.random() < 0.7 else "scroll(0, 1)"
            )
            observed, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                break
        else:
            env.step(f"send_msg_to_user({report(rng)!r})")
        finished = env.unwrapped.finished(report(rng))
    finally:
        env.close()
    scorer = scorers.get()
    try:
        return scorer.reward(finished.trajectory, finished.record).reward
    finally:
        scorers.put(scorer)


def main() -> None:
    """Run the episodes and print the mean reward."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--evaluation", action="store_true")
    given = parser.parse_args()
    try:
        names = register_bundle(given.bundle, evaluation=given.evaluation)
    except RiskChainError as error:
        parser.error(str(error))
    scorers: queue.Queue[Scorer] = queue.Queue()
    with Scorer(given.bundle) as scorer, ThreadPoolExecutor(given.workers) as threads:
        scorers.put(scorer)
        runs = [
            threads.submit(episode, names[number % len(names)], Random(number), scorers)
            for number in range(given.episodes)
        ]
        rewards = [run.result() for run in runs]
    print(f"{len(rewards)} episodes, mean reward {sum(rewards) / len(rewards):.3f}")


if __name__ == "__main__":
    main()
