"""Runs the rules over websites of a bundle and prints how well they judge them.

    python benchmarks/rules_websites.py BUNDLE RUN [--sites N] [--since COMMIT [--new]]

Prints macro-F1 beside that of the best constant, recall of each type and of each language,
over all websites that RUN has concluded. With ``--since`` the websites whose text (scenario
and language) was added after COMMIT are printed apart: words that the rules were written
without. ``--new`` runs those alone. A run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import riskchainbench.websites
from riskchainbench.bundle import Gold, open_bundle, open_gold
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import WebsiteLabel
from riskchainbench.core.store import read_json
from riskchainbench.pipeline.check import evenly_spaced
from riskchainbench.pipeline.options import Options
from riskchainbench.pipeline.stages import Stages

TEXTS = Path(riskchainbench.websites.__file__).parent / "data" / "texts"
Told = Mapping[str, tuple[str, str]]
"""Decision and type by case; empty where there is no valid conclusion."""


def added_since(commit: str) -> set[tuple[str, str]]:
    """Return language and scenario of every first take that was added after `commit`."""
    command = ["git", "diff", "--diff-filter=A", "--name-only", f"{commit}..HEAD", "--", "."]
    listed = subprocess.run(command, cwd=TEXTS, capture_output=True, text=True, check=True).stdout
    paths = [Path(line) for line in listed.splitlines()]
    return {(path.parent.name, path.stem) for path in paths if "." not in path.stem}


def run_rules(bundle: Path, run: Path, cases: Sequence[str], workers: int) -> None:
    """Investigate and conclude the given websites with the rules; what was done is kept."""
    stages = Stages(bundle, run, "rules", Options(cases=tuple(cases), workers=workers))

    def tell(done: int, total: int) -> None:
        print(f"\r{done} of {total}", end="", file=sys.stderr, flush=True)

    stages.investigate(tell)
    stages.conclude(tell)
    print(file=sys.stderr)


def told_by(run: Path, cases: Collection[str]) -> Told:
    """Return what the run concluded of each case that it has finished."""
    found: dict[str, tuple[str, str]] = {}
    for case_id in sorted(cases):
        path = run / "conclusion" / f"{case_id}.json"
        if path.exists():
            conclusion = read_json(path, ConclusionRecord).conclusion
            found[case_id] = (
                ("", "") if conclusion is None else (conclusion.decision, conclusion.violation_type)
            )
    return found


def macro_f1(gold: Sequence[str], told: Sequence[str]) -> float:
    """Return the mean over decisions of 2 tp / (predicted + gold)."""
    scores = []
    for decision in (each.value for each in Decision):
        hits = sum(one == other == decision for one, other in zip(gold, told, strict=True))
        either = gold.count(decision) + told.count(decision)
        scores.append(2 * hits / either if either else 0.0)
    return sum(scores) / len(scores)


def print_figures(title: str, cases: Sequence[str], told: Told, gold: Gold) -> None:
    """Print the figures over the given cases."""
    if not cases:
        print(f"{title}: no website")
        return
    labels = [gold.labels[case] for case in cases]
    right = [label.decision.value for label in labels]
    mine = [told[case][0] for case in cases]
    constants = {d.value: macro_f1(right, [d.value] * len(right)) for d in Decision}
    best = max(constants, key=lambda name: constants[name])
    hits = sum(one == other for one, other in zip(right, mine, strict=True))
    print(f"{title}: {len(cases)} websites")
    print(f"  macro-F1 {macro_f1(right, mine):.3f}; always {best} {constants[best]:.3f}")
    print(f"  accuracy {hits}/{len(cases)} = {hits / len(cases):.3f}; invalid {mine.count('')}")
    _print_recall("decision", [label.decision.value for label in labels], right, mine)
    _print_types(labels, [told[case] for case in cases])
    _print_recall("language", [gold.strata[case].language for case in cases], right, mine)


def _print_recall(
    name: str, groups: Sequence[str], right: Sequence[str], mine: Sequence[str]
) -> None:
    for group in sorted(set(groups)):
        of = [place for place, each in enumerate(groups) if each == group]
        hits = sum(right[place] == mine[place] for place in of)
        print(f"  {name} {group}: {hits}/{len(of)} = {hits / len(of):.2f}")


def _print_types(labels: Sequence[WebsiteLabel], told: Sequence[tuple[str, str]]) -> None:
    kinds = sorted({x.violation_type for x in labels if x.decision is Decision.VIOLATION})
    for kind in kinds:
        of = [
            each for label, each in zip(labels, told, strict=True) if label.violation_type == kind
        ]
        seen = sum(decision == Decision.VIOLATION for decision, _ in of)
        named = sum(own == kind for _, own in of)
        print(f"  type {kind}: {seen}/{len(of)} seen, {named}/{len(of)} named")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path, nargs="?")
    parser.add_argument("run", type=Path, nargs="?")
    parser.add_argument("--sites", type=int, help="only so many, evenly spaced; all if left out")
    parser.add_argument("--since", help="the commit at which the rules were frozen")
    parser.add_argument("--new", action="store_true", help="only texts added after --since")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    if asked.bundle is None or asked.run is None:
        print("left out: name a bundle and a folder for the run")
        return
    gold = open_gold(open_bundle(asked.bundle))
    added = added_since(asked.since) if asked.since else set()
    new = {case for case, s in gold.strata.items() if (s.language, s.scenario) in added}
    wanted = sorted(new if asked.new else gold.labels)
    run_rules(asked.bundle, asked.run, evenly_spaced(wanted, asked.sites), asked.workers)
    told = told_by(asked.run, gold.labels)
    print_figures("all", list(told), told, gold)
    if asked.since:
        print_figures(
            f"texts added after {asked.since}", [case for case in told if case in new], told, gold
        )


if __name__ == "__main__":
    main()
