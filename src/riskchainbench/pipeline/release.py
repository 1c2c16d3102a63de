"""Published releases: each names all that its bundle is made from, and what must come out.

A release has a seed that everybody knows, so its gold is no secret; a private benchmark is
built without ``--seed``.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Literal

from riskchainbench import __version__
from riskchainbench.bundle.layout import BundleManifest
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.pipeline.build import build
from riskchainbench.pipeline.data_identity import data_sha256


class Release(Record):
    """One release; its hashes are empty until it is published.

    `data_sha256` is that of the codebook, message sources, scenarios, texts and looks that it
    is generated from; the other two are those of the bundle that comes out.
    """

    preset: str
    selection: str
    recipes: str
    seed: int
    generator: str
    data_sha256: Sha256 | Literal[""] = ""
    tasks_sha256: Sha256 | Literal[""] = ""
    gold_sha256: Sha256 | Literal[""] = ""


def releases() -> dict[str, Release]:
    """Return the releases that this version knows, by name."""
    file = resources.files("riskchainbench.pipeline") / "data" / "releases.toml"
    known = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Release.model_validate(value) for name, value in known.items()}


def build_release(out: Path, name: str, processes: int = 1) -> BundleManifest:
    """Build the release `name` into `out`; `processes` prove its pool.

    Raises:
        InputError: there is no such release, or another version of the generator made it, or
            one with other data.
        IntegrityError: what came out is not what was published.
    """
    known = releases()
    if name not in known:
        raise InputError(f"no release {name!r}; choose one of {', '.join(known)}")
    return make_release(out, name, known[name], processes)


def make_release(out: Path, name: str, release: Release, processes: int = 1) -> BundleManifest:
    """Build what `release` describes into `out`, under the name `name`.

    Raises:
        InputError: another version of the generator made it, or one with other data.
        IntegrityError: what came out is not what was published.
    """
    if release.generator != __version__:
        raise InputError(
            f"release {name}: made by version {release.generator}, this is {__version__}; "
            "install that version"
        )
    if release.data_sha256 and release.data_sha256 != data_sha256():
        raise InputError(
            f"release {name}: made from data {release.data_sha256[:12]}, those installed here are "
            f"{data_sha256()[:12]}; install version {release.generator} as it was published"
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
