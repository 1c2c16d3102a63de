"""Keeps the counts of Chinese words that JioNLP ships, for the rules restorer's lexicon.

JioNLP 1.5.31 (Apache-2.0) counted them in a large corpus of web text; `word_distribution.zip`
stands in its folder `dictionary`. The result stands in the restorer's data folder and need not be
made again: python tools/count_words.py jionlp/dictionary/word_distribution.zip
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
from opencc import OpenCC

from riskchainbench.models.restorer.lexicon import MAX_WORD, WEB_COUNTS, is_han

LEAST = 200


def counted(path: Path) -> Counter[str]:
    """Return the counts of the words of at most MAX_WORD Han characters, simplified."""
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("word_distribution.json").decode("utf-8").splitlines()
    plain = OpenCC("t2s").convert
    found: Counter[str] = Counter()
    for line in lines:
        word, count = json.loads(line)
        if len(word) <= MAX_WORD and is_han(word):
            found[plain(word)] += count
    return Counter({word: count for word, count in found.items() if count >= LEAST})


def main() -> None:
    """Write the counts, most frequent first."""
    ranked = sorted(counted(Path(sys.argv[1])).items(), key=lambda pair: (-pair[1], pair[0]))
    np.savez_compressed(
        WEB_COUNTS,
        words=np.frombuffer("\n".join(word for word, _ in ranked).encode(), dtype=np.uint8),
        counts=np.array([count for _, count in ranked], dtype=np.uint32),
    )
    print(len(ranked), "words", WEB_COUNTS.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
