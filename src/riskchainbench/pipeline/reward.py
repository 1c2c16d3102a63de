"""The scorer process of the doors for training: reads episodes, writes what they were worth.

Started by `doors.gymnasium.Scorer`; one JSON object a line in each direction.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.bundle.layout import SPLITS
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import RiskChainError
from riskchainbench.core.investigation import Trajectory
from riskchainbench.core.store import read_json
from riskchainbench.scoring.case import UnitScorer
from riskchainbench.websites.splits import Splits


def train_split(bundle: Bundle) -> tuple[str, ...]:
    """Return the cases of the bundle's train split; none if it was not split."""
    if SPLITS not in bundle.manifest.files:
        return ()
    return read_json(bundle.checked(SPLITS), Splits).train.cases


def answer(bundle: Bundle, question: dict[str, Any]) -> dict[str, Any]:
    """Answer one line: which cases are for training, or what an episode was worth."""
    if "train" in question:
        return {"cases": list(train_split(bundle))}
    trajectory = Trajectory.model_validate(question["trajectory"])
    record = ConclusionRecord.model_validate(question["record"])
    found = UnitScorer(bundle).case(trajectory, record, record.case_id)
    return {
        "reward": float(found.exact),
        "decision_correct": bool(found.decision_correct),
        "first_failure": found.first_failure.value,
    }


def main() -> None:
    """Answer line after line until the input ends."""
    try:
        bundle = open_bundle(Path(sys.argv[1]))
        for line in sys.stdin:
            sys.stdout.write(json.dumps(answer(bundle, json.loads(line))) + "\n")
            sys.stdout.flush()
    except RiskChainError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
