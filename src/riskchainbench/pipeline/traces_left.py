"""What a website leaves behind below a folder: copies, runs, reports, and lines that name it."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from riskchainbench.bundle.layout import WEBSITES
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_file
from riskchainbench.core.store import read_json, write_atomic, write_json
from riskchainbench.websites.files import RECORD_FILE
from riskchainbench.websites.pool import MANIFEST, PRIVATE, PoolManifest

_STRATA = "strata.jsonl"
_INVESTIGATION = "investigation"
_TRAJECTORY = "trajectory.jsonl"
_IMAGES = "images"
_SCORES = "scores.json"
_REPORT = "riskchain-report.txt"
_SCREENSHOT = re.compile(rb'"screenshot":\s*"([0-9a-f]{64})"')
_SET = re.compile(rb'"(case_id|contrast_set)":\s*"([^"]*)"')
_MAX_READ = 512 * 1024**2


@dataclass
class Sweep:
    """Removes one website from folders and keeps account of it.

    `names` are the ids that the website goes by: its own in the pool, and that of each bundle's
    case. `broken` holds what verifies no longer, `left` what still names the website.
    """

    names: set[str]
    removed: list[str] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    left: list[str] = field(default_factory=list)

    def run(self, roots: Iterable[Path], identity: Sha256 | None) -> None:
        """Sweep the folders `roots`; `identity` is the hash of the website's record if known."""
        folders = list(roots)
        for root in folders:
            self._name_cases(root)
            self._remove_copies(root, identity)
        for root in folders:
            self._remove_visits(root)
            self._remove_reports(root)
            self._remove_named(root)
        for root in folders:
            self._rewrite(root)

    # --- the website itself --------------------------------------------------------------------
    def _name_cases(self, root: Path) -> None:
        """Learn the case ids of the website from the strata of bundles."""
        for path in sorted(root.glob(f"**/{_STRATA}")):
            for line in path.read_bytes().splitlines():
                said = {key: value.decode() for key, value in _SET.findall(line)}
                if said.get(b"contrast_set") in self.names and b"case_id" in said:
                    self.names.add(said[b"case_id"])

    def _remove_copies(self, root: Path, identity: Sha256 | None) -> None:
        for record in sorted(root.glob(f"**/{WEBSITES}/*/{RECORD_FILE}")):
            copy, holder = record.parent, record.parent.parent.parent
            same = identity is not None and sha256_file(record) == identity
            if not same and copy.name not in self.names:
                continue
            self.names.add(copy.name)
            self._remove(copy)
            if not self._out_of_pool(holder, copy.name):
                self.broken.add(str(holder))

    def _out_of_pool(self, holder: Path, name: str) -> bool:
        """Take a website out of a pool's manifest; False where there is no pool."""
        path = holder / MANIFEST
        try:
            manifest = read_json(path, PoolManifest)
        except InputError:
            return (holder / PRIVATE / f"{name}.json").exists()
        private = holder / PRIVATE / f"{name}.json"
        if private.exists():
            self._remove(private)
        kept = {pool_id: hashes for pool_id, hashes in manifest.websites.items() if pool_id != name}
        write_json(path, manifest.but(websites=kept))
        self.rewritten.append(str(path))
        return True

    # --- what was made of it -------------------------------------------------------------------
    def _remove_visits(self, root: Path) -> None:
        """Remove trajectories and the screenshots that no other trajectory of the run shows."""
        for path in sorted(root.glob(f"**/{_INVESTIGATION}/*/{_TRAJECTORY}")):
            visit, run = path.parent, path.parent.parent.parent
            if visit.name not in self.names:
                continue
            shown = set(_SCREENSHOT.findall(path.read_bytes()))
            self._remove(visit)
            self.broken.add(str(run))
            others: set[bytes] = set()
            for other in sorted((run / _INVESTIGATION).glob(f"*/{_TRAJECTORY}")):
                others.update(_SCREENSHOT.findall(other.read_bytes()))
            for digest in sorted(shown - others):
                image = run / _IMAGES / f"{digest.decode()}.png"
                if image.exists():
                    self._remove(image)

    def _remove_reports(self, root: Path) -> None:
        """Remove reports and scores that tell of the website; both can be made again."""
        for mark in sorted(root.glob(f"**/{_REPORT}")):
            if any(self._named_in(path) for path in _files(mark.parent)):
                self._remove(mark.parent)
        for scores in sorted(root.glob(f"**/{_SCORES}")):
            if self._named_in(scores):
                self._remove(scores)

    def _remove_named(self, root: Path) -> None:
        for path in sorted(root.rglob("*"), key=lambda each: len(each.parts)):
            if path.exists() and {path.name, path.name.split(".")[0]} & self.names:
                self._remove(path)

    # --- lines that name it --------------------------------------------------------------------
    def _rewrite(self, root: Path) -> None:
        for path in _files(root):
            if not self._named_in(path):
                continue
            if path.suffix == ".jsonl":
                lines = path.read_bytes().splitlines(keepends=True)
                self._write(path, b"".join(line for line in lines if not self._told(line)))
            elif path.suffix == ".csv":
                self._write(path, self._rows(path))
            else:
                self.left.append(str(path))

    def _rows(self, path: Path) -> bytes:
        out = io.StringIO()
        rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig", errors="replace")))
        csv.writer(out, lineterminator="\n").writerows(r for r in rows if not self.names & {*r})
        return out.getvalue().encode("utf-8")

    def _write(self, path: Path, data: bytes) -> None:
        write_atomic(path, data)
        self.rewritten.append(str(path))

    def _named_in(self, path: Path) -> bool:
        return path.stat().st_size <= _MAX_READ and self._told(path.read_bytes())

    def _told(self, data: bytes) -> bool:
        return any(name.encode() in data for name in self.names)

    def _remove(self, path: Path) -> None:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        self.removed.append(str(path))


def _files(root: Path) -> Iterator[Path]:
    """Yield the regular files below a folder, sorted; links are not followed."""
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield path
