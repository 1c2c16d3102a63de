"""Published releases: each names all that its bundle is made from, and what must come out.

A release has a seed that everybody knows, so its gold is no secret; a private benchmark is
built without ``--seed``.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

from riskchainbench import __version__
from riskchainbench.bundle.layout import BundleManifest
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.record import Record
from riskchainbench.pipeline.build import build


class Release(Record):
    """One release; its hashes are empty until it is published."""

    preset: str
    selection: str
    recipes: str
    seed: int
    generator: str
    tasks_sha256: str = ""
    gold_sha256: str = ""


def releases() -> dict[str, Release]:
    """Return the releases that this version knows, by name."""
    file = resources.files("riskchainbench.pipeline") / "data" / "releases.toml"
    known = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Release.model_validate(value) for name, value in known.items()}


def build_release(out: Path, name: str, processes: int = 1) -> BundleManifest:
    """Build the release `name` into `out`; `processes` prove its pool.

    Raises:
        InputError: there is no such release, or another version of the generator made it.
        IntegrityError: what came out is not what was published.
    """
    known = releases()
    if name not in known:
        raise InputError(f"no release {name!r}; choose one of {', '.join(known)}")
    release = known[name]
    if release.generator != __version__:
        raise InputError(
            f"release {name}: made by version {release.generator}, this is {__version__}; "
            "install that version"
        )
    manifest = build(
        out,
        release.preset,
        release.seed,
        recipes=release.recipes,
        selection=release.selection,
        release=name,
        processes=processes,
    )
    for field in ("tasks_sha256", "gold_sha256"):
        published = getattr(release, field)
        if published and published != getattr(manifest, field):
            raise IntegrityError(f"{out}: {field} is not that of release {name}")
    return manifest
