"""Building a benchmark: sources, variants, websites and their proofs, then the freeze."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from riskchainbench.bundle import freeze_bundle, open_bundle, open_gold
from riskchainbench.bundle.layout import MANIFEST, SELECTION, BundleManifest
from riskchainbench.capture.joining import is_imported, unlabeled_websites
from riskchainbench.checks.proofs import require_proved
from riskchainbench.core.codebook import Codebook, default_codebook
from riskchainbench.core.errors import DriftError, InputError, UsageError
from riskchainbench.core.seeds import derive, fresh_seed
from riskchainbench.core.store import read_json
from riskchainbench.messages.audit import audit
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.ladder import LADDER_RECIPES
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.sources import build_sources
from riskchainbench.pipeline.certifying import certificate_of, require_audited
from riskchainbench.pipeline.pools import Examined, PoolRecipe, examined, generated
from riskchainbench.pipeline.select import chosen_of
from riskchainbench.pipeline.workers import Workers
from riskchainbench.websites.pool import read_pool, write_pool
from riskchainbench.websites.quotas import Quotas, quotas_of
from riskchainbench.websites.selection import Certificate


@dataclass(frozen=True)
class Preset:
    """How large a pool is, in contrast sets of three websites and pairs, and what is taken of it.

    `languages` are those of the websites, all that are written if None. Without a selection
    the whole pool is taken.
    """

    name: str
    sets: int
    pairs: int = 0
    languages: tuple[str, ...] | None = None
    selection: str = ""


RECIPES = {
    "paper": PAPER_RECIPES,
    "ladder": (*PAPER_RECIPES, *LADDER_RECIPES),
    "extended": (*PAPER_RECIPES, *EXTENDED_RECIPES),
    "all": (*PAPER_RECIPES, *LADDER_RECIPES, *EXTENDED_RECIPES),
}
PRESETS = {
    preset.name: preset
    for preset in (
        Preset("demo", 8, languages=("zh-CN", "en")),
        Preset("full", 800, pairs=50, selection="balanced"),
    )
}


def build(
    out: Path,
    preset: str,
    seed: int | None = None,
    codebook: Codebook | None = None,
    recipes: str = "paper",
    *,
    selection: str | None = None,
    pool: Path | None = None,
    quotas: Path | None = None,
    keep_pool: Path | None = None,
    release: str = "",
    processes: int = 1,
) -> BundleManifest:
    """Build a benchmark into `out`, or do nothing where it stands there already.

    Args:
        out: the bundle's folder.
        preset: one of `PRESETS`.
        seed: equal seeds give equal bytes; drawn from 128 random bits if None.
        codebook: the policy to build under; the default one if None.
        recipes: one of `RECIPES`: the six, with the severity ladder, the further ways of
            disguise, or both beside them.
        selection: the packaged quotas to select by; those of the preset if None.
        pool: a pool folder whose websites are taken in place of a new pool; those of imported
            captures have no labels.
        quotas: a TOML file of quotas in place of a packaged selection.
        keep_pool: a new folder to write the whole pool to.
        release: the published release that this is.
        processes: how many prove a large pool at once; the outcome is the same.

    Raises:
        InputError: there is no such preset or set of recipes, a quota cannot hold, or an audit
            or a proof failed.
        UsageError: a packaged selection and quotas are both given.
        DriftError: `out` holds a bundle of another seed, preset, codebook, selection or set of
            recipes, or its pool was not kept.
    """
    if preset not in PRESETS:
        raise UsageError(f"no preset {preset!r}; choose one of {', '.join(PRESETS)}")
    if recipes not in RECIPES:
        raise UsageError(f"no recipes {recipes!r}; choose one of {', '.join(RECIPES)}")
    if quotas is None and selection is None:
        selection = PRESETS[preset].selection
    wanted = quotas_of(selection, quotas)
    name = wanted.name if wanted else ""
    if (out / MANIFEST).exists():
        asked = {"preset": preset, "recipes": recipes, "selection": name}
        found_quotas = wanted if quotas is not None else None
        return _found(out, asked, seed, codebook, found_quotas, keep_pool)
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: holds other files; name a new folder")
    if out.exists():
        out.rmdir()
    seed = fresh_seed() if seed is None else seed
    codebook = codebook or default_codebook()
    with Workers(processes) as workers:
        found = _pool(PRESETS[preset], seed, codebook, pool, workers)
        require_proved(found.findings)
        audit_seed = derive(seed, "audits")
        certificate = certificate_of(found, audit_seed, workers, generated=pool is None)
    if keep_pool is not None:
        write_pool(keep_pool, found.websites, codebook)
    if pool is None:
        require_audited(certificate)
    chosen = chosen_of(found.websites, wanted, derive(seed, "selection"), certificate)
    sources = build_sources(derive(seed, "sources"), len(chosen.websites))
    sessions = build_sessions(derive(seed, "variants"), sources, RECIPES[recipes])
    audit(sessions)
    return freeze_bundle(
        out,
        sessions,
        chosen.websites,
        codebook,
        seed=seed,
        preset=preset,
        recipes=recipes,
        selection=name,
        release=release,
        more=chosen.gold_files,
        pairing=chosen.paired,
    )


def recipe_of(preset: str, seed: int, codebook: Codebook) -> PoolRecipe:
    """Return what the pool of a preset follows from."""
    found = PRESETS[preset]
    return PoolRecipe(derive(seed, "websites"), codebook, found.sets, found.pairs, found.languages)


def _pool(
    preset: Preset, seed: int, codebook: Codebook, folder: Path | None, workers: Workers
) -> Examined:
    if folder is not None:
        imported = is_imported(folder)
        pool = unlabeled_websites(folder) if imported else read_pool(folder, codebook)
        return examined(pool, codebook, workers)
    return generated(recipe_of(preset.name, seed, codebook), workers)


def _found(
    out: Path,
    asked: Mapping[str, str],
    seed: int | None,
    codebook: Codebook | None,
    quotas: Quotas | None,
    keep_pool: Path | None,
) -> BundleManifest:
    """Return the manifest of the bundle at `out` if it is the one asked for."""
    bundle = open_bundle(out)
    for name, value in asked.items():
        held = getattr(bundle.manifest, name)
        if held != value:
            raise DriftError(
                f"{out}: holds a bundle of {name} {held or 'none'}, not {value or 'none'}; "
                "name a new folder"
            )
    if seed is not None and open_gold(bundle).seed.seed != str(seed):
        raise DriftError(f"{out}: holds a bundle of another seed; name a new folder")
    if codebook is not None and bundle.codebook != codebook:
        raise DriftError(f"{out}: holds a bundle of another codebook; name a new folder")
    if quotas is not None and read_json(bundle.checked(SELECTION), Certificate).quotas != quotas:
        raise DriftError(
            f"{out}: was selected by other quotas of the name {quotas.name}; name a new folder"
        )
    if keep_pool is not None and not keep_pool.exists():
        raise DriftError(f"{out}: stands already, and its pool was not kept; name a new folder")
    return bundle.manifest
