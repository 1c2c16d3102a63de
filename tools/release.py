"""Builds a release, verifies it, and prints what to put into ``releases.toml``.

Usage: python tools/release.py NAME OUT [--write]

OUT is the new bundle's folder. Nothing is published: with ``--write`` the hashes are put into
the file of this checkout. Do this last, since any change of code or data changes them.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import riskchainbench.pipeline
from riskchainbench.pipeline.data_identity import data_sha256
from riskchainbench.pipeline.release import make_release, releases
from riskchainbench.pipeline.verify import verify

FILE = Path(riskchainbench.pipeline.__file__).parent / "data" / "releases.toml"
HASHES = ("data_sha256", "tasks_sha256", "gold_sha256")


def written(text: str, name: str, hashes: dict[str, str]) -> str:
    """Return the file with the hashes of the release `name` in place of those it holds."""
    head = f'["{name}"]\n'
    start = text.index(head)
    end = text.find("\n[", start)
    end = len(text) if end < 0 else end + 1
    table = re.sub(rf"(?m)^(?:{'|'.join(HASHES)}) = .*\n", "", text[start:end])
    lines = "".join(f'{key} = "{value}"\n' for key, value in hashes.items())
    blank = "\n" if text[end:] else ""
    return text[:start] + table.rstrip("\n") + "\n" + lines + blank + text[end:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="the release, such as rcb-2026.1")
    parser.add_argument("out", type=Path, help="the new bundle's folder")
    parser.add_argument("--write", action="store_true", help="put the hashes into the file")
    asked = parser.parse_args()
    text = FILE.read_text(encoding="utf-8")
    if asked.name not in releases():
        parser.error(f"no release {asked.name} in {FILE}; add its seed and preset first")
    # The hashes that the file holds may be those of an earlier state: they are not asked for.
    described = releases()[asked.name].but(**dict.fromkeys(HASHES, ""))
    manifest = make_release(asked.out, asked.name, described, processes=2)
    verify(asked.out, processes=2)
    hashes = {
        "data_sha256": data_sha256(),
        "tasks_sha256": manifest.tasks_sha256,
        "gold_sha256": manifest.gold_sha256,
    }
    text = written(text, asked.name, hashes)
    if asked.write:
        FILE.write_text(text, encoding="utf-8")
    print(
        f"{asked.out}: built and verified; {FILE.name} {'now holds' if asked.write else 'needs'}:"
    )
    print(text)


if __name__ == "__main__":
    main()
