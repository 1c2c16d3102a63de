"""`riskchain annotate`: people label the websites of a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JudgeOpt, named_values, say

MaybeBundleArg = Annotated[
    Path | None,
    typer.Argument(metavar="[BUNDLE]", help="A frozen benchmark's folder; --demo makes one."),
]
ProjectArg = Annotated[
    Path | None,
    typer.Argument(metavar="[PROJECT]", help="The project's folder; made where there is none."),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("annotate")(annotate)


def annotate(
    bundle: MaybeBundleArg = None,
    project: ProjectArg = None,
    port: Annotated[
        int, typer.Option("--port", help="On loopback; 0 takes a free one.", min=0, max=65535)
    ] = 8090,
    demo: Annotated[
        bool, typer.Option("--demo", help="Fill the project with simulated work to look around.")
    ] = False,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Let simulated annotators do it all, and stop.")
    ] = False,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            "--rate",
            metavar="NAME=SHARE",
            help="With --simulate: how often they miss; "
            "flip, unsure, other_type, sure, hard or repeat_slip.",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option("--database", help="postgresql+pg8000://… for a team; SQLite if left out."),
    ] = None,
    repeats: Annotated[
        float, typer.Option("--repeats", help="Share of hidden repeats.", min=0, max=1)
    ] = 0.08,
    lease: Annotated[
        float, typer.Option("--lease", help="Minutes before a website goes to others.", min=1)
    ] = 60,
    practice: Annotated[
        int, typer.Option("--practice", help="Websites to practice on first.", min=0, max=30)
    ] = 3,
    host: Annotated[
        str | None, typer.Option("--host", help="The workbench's name behind your own proxy.")
    ] = None,
    sites: Annotated[
        str | None,
        typer.Option("--sites", help="With --host: a wildcard domain of its own for websites."),
    ] = None,
    evidence: Annotated[
        list[Path] | None,
        typer.Option("--evidence", help="Let people rate the evidence of this run, too."),
    ] = None,
    evidence_size: Annotated[
        int | None, typer.Option("--evidence-size", help="How many conclusions; all.", min=1)
    ] = None,
    judge: JudgeOpt = "rules",
    audit_width: Annotated[
        float | None,
        typer.Option(
            "--label-audit",
            help="A new project over a sample: half width of the error's interval, as 0.03.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of assignment; random if left out.", min=0)
    ] = None,
) -> None:
    """Open the workbench in which people label BUNDLE's websites."""
    from riskchainbench.annotation.simulate import rates_from
    from riskchainbench.annotation.web.bench import Place
    from riskchainbench.core.errors import InputError
    from riskchainbench.pipeline.annotating import Wanted, places
    from riskchainbench.pipeline.annotating import annotate as serve

    if rate and not simulate:
        raise InputError("--rate goes with --simulate")
    if (host is None) != (sites is None):
        raise InputError("--host and --sites go together")
    place = None if host is None or sites is None else Place(host, sites, "https")
    wanted = Wanted(
        repeat_rate=repeats,
        lease_seconds=lease * 60,
        training=0 if simulate else practice,
        database=database,
        simulated=demo or simulate,
        seed=seed,
        audit_width=audit_width,
    )
    with places(bundle, project, demo=demo, say=say) as (of, into):
        serve(
            of,
            into,
            wanted,
            say=say,
            port=port,
            place=place,
            demo=demo,
            rates=rates_from(named_values("--rate", rate)) if simulate else None,
            runs=evidence or (),
            audit_size=evidence_size,
            judge=judge,
        )
