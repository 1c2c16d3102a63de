"""Times scoring: ten systems on 600 websites and 3,600 messages, 2,000 draws.

    python benchmarks/scoring.py

Prints the whole score, the resampling alone against a plain-Python loop over the same six
metrics (a sample of draws, extrapolated), and 3,600 edit distances.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "scoring"))

from scoring_world import N, U, V, benchmark, concluded, restored, run, trajectory

from riskchainbench.scoring.distance import Reference
from riskchainbench.scoring.frame import DECISIONS, Frame, make_frame
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.score import score
from riskchainbench.statistics.bootstrap import draw_matrix, percentile_intervals

SITES, VARIANTS, SYSTEMS, DRAWS, LOOP_DRAWS = 600, 6, 10, 2000, 20
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 2000)]


def timed(label: str, work: Callable[[], object], repeats: int = 3) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time(), time.perf_counter()
        work()
        cpu, wall = time.process_time() - start[0], time.perf_counter() - start[1]
        best = min(best, wall)
        print(f"{label}: {wall:.3f} s wall, {cpu:.3f} s cpu", flush=True)
    return best


def noisy(text: str, rng: random.Random) -> str:
    chars = [rng.choice(HAN) if rng.random() < 0.05 else char for char in text]
    return "".join(char for char in chars if rng.random() > 0.02)


def make_runs(gold, rng: random.Random) -> list[RunData]:
    pages = [trajectory(*(f"page {k} words of nothing" for k in range(6))) for _ in range(20)]
    runs = []
    for number in range(SYSTEMS):
        cases = sorted(gold.labels)
        decisions = [rng.choice([V, V, N, U, None]) for _ in cases]
        made = run(gold, decisions, gates=[True] * SITES, system=f"model-{number}")
        predictions = {
            key: restored(
                sample,
                text=sample.messages["m1"]
                if rng.random() < 0.3
                else noisy(sample.messages["m1"], rng),
                entry=sample.entry if rng.random() < 0.7 else "wrong0.xx.test",
                confidence=rng.random(),
            )
            for key, sample in gold.samples.items()
        }
        conclusions = {
            case: concluded(case, decision, confidence=rng.random())
            for case, decision in zip(cases, decisions, strict=True)
        }
        runs.append(
            RunData(
                system=made.system,
                predictions=predictions,
                predictions_sha256=made.predictions_sha256,
                investigated_after=made.investigated_after,
                conclusions=conclusions,
                trajectory=lambda case: pages[int(case[1:]) % 20],
            )
        )
    return runs


def per_site(frame: Frame, rng: random.Random) -> list[list[tuple[int, int]]]:
    """Return, by system and site, the numbers of the gold and of the predicted decision."""
    gold = [DECISIONS.index(label.decision) for label in frame.labels]
    return [[(truth, rng.choice([0, 0, 1, 2, 3])) for truth in gold] for _ in range(SYSTEMS)]


def six_metrics(pairs: list[tuple[int, int]]) -> list[float]:
    """Accuracy, macro-F1, three recalls and coverage, as one draw has them in plain Python."""
    right = sum(a == b for a, b in pairs)
    hits, guesses, truths = [0] * 4, [0] * 4, [0] * 4
    for truth, guess in pairs:
        truths[truth] += 1
        guesses[guess] += 1
        hits[truth] += truth == guess
    f1 = [2 * hits[k] / (guesses[k] + truths[k]) for k in range(3) if truths[k]]
    recalls = [hits[k] / truths[k] if truths[k] else float("nan") for k in range(3)]
    return [right / len(pairs), sum(f1) / len(f1), *recalls, 1 - guesses[3] / len(pairs)]


def loop(data: list[list[tuple[int, int]]], sets: list[list[int]], draws: int) -> None:
    rng = random.Random(1)
    for _ in range(draws):
        chosen = [site for _ in sets for site in rng.choice(sets)]
        for pairs in data:
            six_metrics([pairs[site] for site in chosen])


def vectorized(data: list[list[tuple[int, int]]], set_of_case: np.ndarray) -> None:
    clusters = int(set_of_case.max()) + 1
    draws = draw_matrix(1, clusters, DRAWS)
    columns = []
    for pairs in data:
        truth, guess = np.array(pairs).T
        for k in range(3):
            columns += [(truth == k) & (guess == k), guess == k, truth == k]
        columns.append(guess == 3)
    table = np.zeros((clusters, len(columns)), dtype=np.int64)
    np.add.at(table, set_of_case, np.array(columns, dtype=np.int64).T)
    sums = draws.sums(table).reshape(SYSTEMS, 10, DRAWS).astype(np.float64)
    hits, guesses, truths = sums[:, 0:9:3], sums[:, 1:9:3], sums[:, 2:9:3]
    sites = truths.sum(axis=1)
    with np.errstate(invalid="ignore"):
        f1 = np.nanmean(np.where(truths > 0, 2 * hits / (guesses + truths), np.nan), axis=1)
        recalls = hits / truths
    values = [hits.sum(axis=1) / sites, f1, *recalls.swapaxes(0, 1), 1 - sums[:, 9] / sites]
    percentile_intervals(np.concatenate(values))


def main() -> None:
    rng = random.Random(7)
    texts = ["".join(rng.choices(HAN, k=rng.randint(60, 300))) for _ in range(SITES)]
    golds = [V] * 394 + [N] * 181 + [U] * 25
    rng.shuffle(golds)
    bundle, gold = benchmark(golds, variants=VARIANTS, texts=texts)
    runs = make_runs(gold, rng)
    timed("score, ten systems, all metrics, 2,000 draws", lambda: score(bundle, gold, runs))

    frame = make_frame(bundle, gold)
    data = per_site(frame, rng)
    sets = [np.flatnonzero(frame.set_of_case == k).tolist() for k in range(len(frame.sets))]
    fast = timed("six metrics, vectorized", lambda: vectorized(data, frame.set_of_case))
    slow = timed(
        f"six metrics, loop of {LOOP_DRAWS} draws", lambda: loop(data, sets, LOOP_DRAWS), 1
    )
    print(f"ratio: {slow / LOOP_DRAWS * DRAWS / fast:.0f}")

    references = [Reference(sample.messages) for sample in gold.samples.values()]
    found = [{"m1": noisy(sample.messages["m1"], rng)} for sample in gold.samples.values()]
    timed(
        "3,600 messages, characters and tokens",
        lambda: [r.distance(text) for r, text in zip(references, found, strict=True)],
    )


if __name__ == "__main__":
    main()
