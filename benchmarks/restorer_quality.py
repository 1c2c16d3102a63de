"""What the rules restorer reaches on fresh messages, by recipe and by step of the ladder.

Scores come from the same functions as a run's. `half a` and `half b` are builds that use only
that half of the generator's maps of Chinese characters: a restorer that had learned them by
heart would do better on one. Usage: python benchmarks/restorer_quality.py [SESSIONS] [SEED]
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from riskchainbench.core.entries import same_entry
from riskchainbench.core.restoration import Restoration, RestorationTask
from riskchainbench.core.seeds import derive
from riskchainbench.core.text import compared_text
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.ladder import LADDER_RECIPES
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.records import BuiltSession, BuiltVariant
from riskchainbench.messages.sources import build_sources
from riskchainbench.models.restorer import RulesRestorer
from riskchainbench.statistics.calibration import brier_score, expected_calibration_error


def scored(session: BuiltSession, variant: BuiltVariant, found: Restoration) -> dict[str, bool]:
    """Return what was right of one variant."""
    texts = {message.message_id: compared_text(message.text) for message in found.messages}
    accepted = session.accepted(variant)
    exact, spelled = True, True
    for message in session.expected(variant):
        wanted, text = compared_text(message.content), texts.get(message.message_id)
        exact &= text == wanted
        spelled &= text in {wanted, *map(compared_text, accepted.get(message.message_id, ()))}
    first = next((c.value for c in found.candidates if c.rank == 1), "")
    entry = same_entry(first, session.source.entry)
    intent = found.intent is session.source.intent
    return {
        "entry": entry,
        "message": exact,
        "intent": intent,
        "full": entry and exact and intent,
        "full, accepted": entry and spelled and intent,
    }


def show(title: str, sessions: Sequence[BuiltSession]) -> None:
    """Print one table."""
    restorer = RulesRestorer()
    rows: dict[str, list[dict[str, bool]]] = defaultdict(list)
    confidences: list[tuple[float, bool]] = []
    for session in sessions:
        for variant in session.variants:
            task = RestorationTask(
                sample_id="m0",
                platform=session.source.platform,
                surface=session.source.surface,
                messages=variant.messages,
            )
            found = restorer.restore(task)
            right = scored(session, variant, found)
            rows[variant.recipe].append(right)
            if found.candidates:
                first = min(found.candidates, key=lambda candidate: candidate.rank)
                confidences.append((first.confidence or 0.0, right["entry"]))
    rows["all"] = [right for found in list(rows.values()) for right in found]
    names = list(rows["all"][0])
    print(f"\n{title:24}" + "".join(f"{name:>16}" for name in names))
    for recipe, found in rows.items():
        shares = "".join(f"{np.mean([r[n] for r in found]):16.1%}" for n in names)
        print(f"{recipe:24}{shares}")
    stated = [confidence for confidence, _ in confidences]
    hits = [hit for _, hit in confidences]
    brier, ece = brier_score(stated, hits).value, expected_calibration_error(stated, hits).value
    print(f"rank-1 confidence: Brier {brier:.4f}, calibration error {ece:.4f}")


def main() -> None:
    """Print every table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261130
    sources = build_sources(derive(seed, "sources"), count)
    show("the six recipes", build_sessions(derive(seed, "v"), sources, PAPER_RECIPES))
    show("severity ladder", build_sessions(derive(seed, "v"), sources, LADDER_RECIPES))
    show("extended", build_sessions(derive(seed, "v"), sources[:96], EXTENDED_RECIPES))
    for half in ("a", "b"):
        built = build_sessions(derive(seed, "v"), sources, PAPER_RECIPES, half)
        show(f"the six, half {half}", built)


if __name__ == "__main__":
    main()
