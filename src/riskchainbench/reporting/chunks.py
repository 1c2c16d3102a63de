"""Data for a page opened from disk: JSON wrapped as small scripts, loaded when needed.

A page under ``file://`` may not fetch its neighbors, but may load them as scripts. Each
chunk hands one JSON text to the page; no character of it can end the script or the string.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from riskchainbench.core.hashing import canonical_json, sha256_text

_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def script(key: str, value: Any) -> str:
    """Return a script that hands `value` to the page under `key`.

    The JSON travels as a string for `JSON.parse`, so that a member called ``__proto__`` is
    plain data as well.
    """
    return f"RCB.put({_literal(key)},{_literal(canonical_json(value))});\n"


def _literal(text: str) -> str:
    literal = json.dumps(text, ensure_ascii=False)
    for char, escape in _ESCAPES.items():
        literal = literal.replace(char, escape)
    return literal


def chunk_name(*names: str) -> str:
    """Return the file name of the chunk for `names`; it tells nothing of them."""
    return sha256_text("\0".join(names))[:24]


def write_script(path: Path, key: str, value: Any) -> None:
    """Write the script of `value` to `path`."""
    write_file(path, script(key, value))


def write_file(path: Path, words: str) -> None:
    """Write a text file of a report.

    Not flushed to the disk one by one: a report can be made again, and its folder takes its
    name only when it is whole.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(words.encode("utf-8", "backslashreplace"))
