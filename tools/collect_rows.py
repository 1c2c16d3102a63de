"""Keeps which two and three characters are usual in a row, for the rules restorer.

SimplePinyin 0.1.1 (MIT) ships, for some syllables in a row, the characters that they most often
stand for in a large body of spoken and written Chinese. Kept are those characters alone. The file
stands in the restorer's data folder and need not be made again; unpack the package and name its
table: python tools/collect_rows.py simplepinyin/input_dict_nt_max.pickle
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from riskchainbench.models.restorer.lexicon import is_han
from riskchainbench.models.restorer.rows import FILE, LENGTHS

BYTES = 5


class _PlainUnpickler(pickle.Unpickler):
    """Reads numbers, strings, tuples and dicts, and refuses to import anything."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain data")


def collected(path: Path) -> set[str]:
    """Return the usual rows of Han characters."""
    with path.open("rb") as file:
        table: dict[tuple[str, ...], tuple[Any, ...]] = _PlainUnpickler(file).load()
    return {row for row, _ in table.values() if len(row) in LENGTHS and is_han(row)}


def steps(rows: list[str], place: dict[str, int]) -> npt.NDArray[np.uint8]:
    """Return the way from each row to the next, rows being numbers with a digit a character.

    The steps lie byte by byte, which packs tightly: one line for each of their BYTES low bytes.
    """
    keys: list[int] = []
    for row in rows:
        key = 0
        for char in row:
            key = key * len(place) + place[char]
        keys.append(key)
    way = np.diff(np.array(sorted(keys), dtype=np.int64), prepend=np.int64(0))
    return way.view(np.uint8).reshape(-1, way.itemsize)[:, :BYTES].T.copy()


def main() -> None:
    """Write the rows of each length."""
    rows = collected(Path(sys.argv[1]))
    chars = sorted({char for row in rows for char in row})
    place = {char: number for number, char in enumerate(chars)}
    two, three = (steps([row for row in rows if len(row) == length], place) for length in LENGTHS)
    alphabet = np.frombuffer("".join(chars).encode(), dtype=np.uint8)
    np.savez_compressed(FILE, chars=alphabet, rows2=two, rows3=three)
    print(len(chars), "characters", len(rows), "rows", FILE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
