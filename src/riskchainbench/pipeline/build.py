"""Building a benchmark: sources, variants, websites and their proofs, then the freeze."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from riskchainbench.bundle import freeze_bundle, open_bundle, open_gold
from riskchainbench.bundle.layout import MANIFEST, BundleManifest
from riskchainbench.checks.proofs import prove_pool
from riskchainbench.core.codebook import Codebook, default_codebook
from riskchainbench.core.errors import DriftError, InputError
from riskchainbench.core.seeds import derive, fresh_seed
from riskchainbench.messages.audit import audit
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.ladder import LADDER_RECIPES
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.sources import build_sources
from riskchainbench.websites.synthesis import build_pool


@dataclass(frozen=True)
class Preset:
    """How large a benchmark is: contrast sets of three websites, one session a website.

    `languages` are those of the websites, all that are written if None.
    """

    name: str
    sets: int
    languages: tuple[str, ...] | None = None

    @property
    def websites(self) -> int:
        """The number of websites, and of source sessions."""
        return 3 * self.sets


RECIPES = {
    "paper": PAPER_RECIPES,
    "ladder": (*PAPER_RECIPES, *LADDER_RECIPES),
    "extended": (*PAPER_RECIPES, *EXTENDED_RECIPES),
    "all": (*PAPER_RECIPES, *LADDER_RECIPES, *EXTENDED_RECIPES),
}
PRESETS = {
    preset.name: preset
    for preset in (Preset("demo", 8, languages=("zh-CN", "en")), Preset("full", 200))
}


def build(
    out: Path,
    preset: str,
    seed: int | None = None,
    codebook: Codebook | None = None,
    recipes: str = "paper",
) -> BundleManifest:
    """Build a benchmark into `out`, or do nothing where it stands there already.

    Args:
        out: the bundle's folder.
        preset: one of `PRESETS`.
        seed: equal seeds give equal bytes; drawn from 128 random bits if None.
        codebook: the policy to build under; the default one if None.
        recipes: one of `RECIPES`: the six, with the severity ladder, the further ways of
            disguise, or both beside them.

    Raises:
        InputError: there is no such preset or set of recipes, or an audit or a proof failed.
        DriftError: `out` holds a bundle of another seed, preset or set of recipes.
    """
    if preset not in PRESETS:
        raise InputError(f"no preset {preset!r}; choose one of {', '.join(PRESETS)}")
    if recipes not in RECIPES:
        raise InputError(f"no recipes {recipes!r}; choose one of {', '.join(RECIPES)}")
    if (out / MANIFEST).exists():
        return _found(out, preset, recipes, seed)
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: holds other files; name a new folder")
    if out.exists():
        out.rmdir()
    seed = fresh_seed() if seed is None else seed
    codebook = codebook or default_codebook()
    size = PRESETS[preset]
    sources = build_sources(derive(seed, "sources"), size.websites)
    sessions = build_sessions(derive(seed, "variants"), sources, RECIPES[recipes])
    audit(sessions)
    pool = build_pool(derive(seed, "websites"), codebook, size.sets, languages=size.languages)
    prove_pool(pool, codebook)
    return freeze_bundle(out, sessions, pool, codebook, seed=seed, preset=preset, recipes=recipes)


def _found(out: Path, preset: str, recipes: str, seed: int | None) -> BundleManifest:
    """Return the manifest of the bundle at `out` if it is the one asked for."""
    bundle = open_bundle(out)
    if bundle.manifest.preset != preset:
        raise DriftError(
            f"{out}: holds a bundle of preset {bundle.manifest.preset}, not {preset}; "
            "name a new folder"
        )
    if bundle.manifest.recipes != recipes:
        raise DriftError(
            f"{out}: holds a bundle of recipes {bundle.manifest.recipes}, not {recipes}; "
            "name a new folder"
        )
    if seed is not None and open_gold(bundle).seed.seed != str(seed):
        raise DriftError(f"{out}: holds a bundle of another seed; name a new folder")
    return bundle.manifest
