"""`riskchain build`: make a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import (
    JsonOpt,
    ProcessesOpt,
    SeedOpt,
    print_json,
    processes,
    say,
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("build")(build)


def build(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new bundle's folder.")],
    preset: Annotated[str, typer.Option("--preset", help="demo or full.")] = "demo",
    seed: SeedOpt = None,
    codebook: Annotated[
        Path | None, typer.Option("--codebook", help="A codebook of your own (TOML).")
    ] = None,
    recipes: Annotated[
        str,
        typer.Option("--recipes", help="paper (the six), or with ladder, extended or all beside."),
    ] = "paper",
    selection: Annotated[
        str | None,
        typer.Option("--selection", help="balanced or paper-mix; the preset's if left out."),
    ] = None,
    pool: Annotated[
        Path | None, typer.Option("--pool", help="Take the websites from this pool folder.")
    ] = None,
    quotas: Annotated[
        Path | None, typer.Option("--quotas", help="Select by quotas of your own (TOML).")
    ] = None,
    keep_pool: Annotated[
        Path | None, typer.Option("--keep-pool", help="Also write the whole pool to this folder.")
    ] = None,
    release: Annotated[
        str | None, typer.Option("--release", help="A published release, by its name.")
    ] = None,
    whole: Annotated[
        Path | None, typer.Option("--of", help="Cut OUT from this bundle; needs --part.")
    ] = None,
    part: Annotated[
        str | None, typer.Option("--part", help="train, test or lite; needs --of.")
    ] = None,
    processes_: ProcessesOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Build a benchmark: messages, websites, labels and their proofs, frozen in OUT."""
    from riskchainbench.core.codebook import load_codebook
    from riskchainbench.core.errors import UsageError
    from riskchainbench.core.gold import LabelSource
    from riskchainbench.pipeline.build import build as build_bundle
    from riskchainbench.pipeline.certifying import certificate_lines
    from riskchainbench.pipeline.part import build_part
    from riskchainbench.pipeline.release import build_release

    if (whole is None) != (part is None):
        raise UsageError("--of and --part go together: name a bundle and a part of it")
    said = {
        "--part": part,
        "--release": release,
        "--seed": seed,
        "--codebook": codebook,
        "--selection": selection,
        "--pool": pool,
        "--quotas": quotas,
        "--keep-pool": keep_pool,
    }
    _require_alone("--part", said)
    _require_alone("--release", said)
    own = load_codebook(codebook) if codebook else None
    if whole is not None and part is not None:
        manifest = build_part(out, whole, part)
    elif release is not None:
        manifest = build_release(out, release, processes(processes_))
    else:
        manifest = build_bundle(
            out,
            preset,
            seed,
            own,
            recipes,
            selection=selection,
            pool=pool,
            quotas=quotas,
            keep_pool=keep_pool,
            processes=processes(processes_),
        )
    if as_json:
        print_json(manifest.model_dump(mode="json", exclude={"files"}))
        return
    say(f"{out}: {manifest.websites} websites, {manifest.messages} messages")
    say(f"labels: {manifest.label_source.value}; tasks {manifest.tasks_sha256[:12]}")
    if manifest.captured:
        say(f"{manifest.captured} captured websites: exempt from the proofs of a design")
    if manifest.label_source is LabelSource.NONE:
        say("cannot be scored before people labeled it (riskchain annotate, then labels freeze)")
    for figure in () if part else certificate_lines(out):
        say(f"  {figure}")


def _require_alone(option: str, said: Mapping[str, object]) -> None:
    """Check that nothing is said beside an option which settles all of it.

    Raises:
        UsageError: something is.
    """
    from riskchainbench.core.errors import UsageError

    beside = [name for name, value in said.items() if value is not None and name != option]
    if said[option] is not None and beside:
        raise UsageError(f"{option} settles {', '.join(beside)}; leave it out")
