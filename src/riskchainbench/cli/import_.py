"""`riskchain import` and `join-captures`: make websites of captured pages, and let them join."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, progress, say


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("import")(import_captures)
    app.command("join-captures")(join_captures)


def import_captures(
    captures: Annotated[
        list[Path],
        typer.Argument(
            metavar="CAPTURE...",
            help="WARC, WACZ, HAR, MHTML, saved pages, SingleFile pages, mirrored folders.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="POOL", help="The pool's folder.")],
    scripts: Annotated[
        str, typer.Option("--scripts", help="keep, freeze (render once) or drop.")
    ] = "drop",
    names: Annotated[
        Path | None, typer.Option("--names", help="Names to mask as well, one a line.")
    ] = None,
    basis: Annotated[str, typer.Option("--basis", help="Why these captures may be used.")] = "",
    terms: Annotated[str, typer.Option("--terms", help="The terms they are used under.")] = "",
    delete_by: Annotated[
        str, typer.Option("--delete-by", help="Date of deletion, as 2027-01-31.")
    ] = "",
    mobile: Annotated[
        bool, typer.Option("--mobile", help="Show them in a phone's window.")
    ] = False,
    ocr: Annotated[
        bool,
        typer.Option("--ocr", help="Read pictures and paint over what names somebody (extra ocr)."),
    ] = False,
    likeness: Annotated[
        bool, typer.Option("--likeness", help="Render both and flag pages that look unlike.")
    ] = False,
    workers: Annotated[
        int, typer.Option("--workers", help="Captures compiled at once.", min=1, max=64)
    ] = 2,
    as_json: JsonOpt = False,
) -> None:
    """Compile each CAPTURE to a sealed website of POOL and say what came out."""
    from riskchainbench.pipeline.importing import import_captures as run
    from riskchainbench.pipeline.importing import settings_of

    policy, provenance = settings_of(
        scripts=scripts,
        names=names,
        basis=basis,
        terms=terms,
        delete_by=delete_by,
        mobile=mobile,
        ocr=ocr,
    )
    with progress("import") as update:
        result = run(
            captures, out, policy, provenance, workers=workers, tell=update, likeness=likeness
        )
    if as_json:
        print_json(result)
    else:
        for row in result.rows:
            if row.outcome == "failed":
                say(f"failed         {row.capture}: {row.trouble}: {row.detail}")
                continue
            size = f"{row.pages} pages, {row.bytes_kept / 1024:.0f} KiB"
            say(f"{row.outcome:<14} {row.capture}: {row.website} ({row.kind}; {size})")
            masked = ", ".join(f"{count} {kind}" for kind, count in row.masked.items())
            say(f"               masked: {masked or 'nothing'}")
            for warning in row.warnings:
                say(f"               {warning}")
        if result.failed < len(result.rows):
            say(f"suggested strata, to be corrected by hand: {result.table}")
        if not basis and any(row.outcome == "imported" for row in result.rows):
            say("no basis of capture was given (--basis); the records say so")
    if result.failed:
        raise typer.Exit(1)


def join_captures(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Of imported websites.")],
    labels: Annotated[
        Path, typer.Option("--labels", help="CSV: website, decision, violation_type.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="NEWPOOL", help="The new pool's folder.")],
    codebook: Annotated[
        Path | None, typer.Option("--codebook", help="A codebook of your own (TOML).")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Write imported websites that people labeled as a pool to select, freeze and score from."""
    from riskchainbench.pipeline.importing import join

    count = join(pool, labels, out, codebook)
    if as_json:
        print_json({"websites": count, "pool": str(out)})
        return
    say(f"{out}: {count} websites; strata from {pool / 'strata.csv'}")
