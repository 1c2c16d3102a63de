"""`riskchain labels`: freeze, measure, export and import the labels of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, JudgeOpt, print_json, say

ProjectArg = Annotated[Path, typer.Argument(metavar="PROJECT", help="A labeling project's folder.")]
OutOpt = Annotated[Path, typer.Option("--out", help="Where to write.")]
FormatOpt = Annotated[str, typer.Option("--format", help="csv or label-studio.")]


def register(app: typer.Typer) -> None:
    """Add the verb and its parts."""
    verbs = typer.Typer(
        no_args_is_help=True, help="Freeze, measure, export and import people's labels."
    )
    verbs.command("freeze")(freeze)
    verbs.command("agreement")(agreement)
    verbs.command("evidence")(evidence)
    verbs.command("audit")(audit)
    verbs.command("export")(export)
    verbs.command("import")(take)
    app.add_typer(verbs, name="labels")


def freeze(project: ProjectArg, bundle: BundleArg, out: OutOpt, as_json: JsonOpt = False) -> None:
    """Copy BUNDLE with PROJECT's labels; runs made for BUNDLE can be scored with the copy."""
    from riskchainbench.pipeline.labels import freeze as freeze_labels

    manifest = freeze_labels(project, bundle, out)
    if as_json:
        print_json(manifest.model_dump(mode="json", exclude={"files"}))
        return
    say(f"{out}: labels: {manifest.label_source.value}; gold {manifest.gold_sha256[:12]}")
    say(f"tasks {manifest.tasks_sha256[:12]}, as before")


def agreement(
    project: ProjectArg,
    bundle: BundleArg,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write all figures as JSON, or as .csv.")
    ] = None,
    confusion: Annotated[
        Path | None,
        typer.Option("--confusion", help="Write what two people said, type by type, as CSV."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Measure how far PROJECT's people agree. Agreement is no ceiling for a system."""
    from riskchainbench.pipeline.labels import agreement as measure

    report = measure(project, bundle, out, confusion)
    if as_json:
        print_json(report)
        return
    if report.simulated:
        say("simulated annotators, not people")
    say(f"{report.judgments} judgments of {report.websites} websites")
    say("  ".join(f"{name} {count}" for name, count in report.paths.items()))
    for name, measured in (("decision", report.decision), ("joint", report.joint)):
        alpha = measured.alpha
        figure = alpha.undefined if alpha.alpha is None else f"{alpha.alpha:.4f}"
        share = measured.agreeing
        say(f"first pass, {name}: {share.count} of {share.of} agree, alpha {figure}")


def evidence(
    project: ProjectArg,
    bundle: BundleArg,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The audited runs.")],
    judge: JudgeOpt = "rules",
    out: Annotated[Path | None, typer.Option("--out", help="Write all figures as JSON.")] = None,
    freeze: Annotated[
        bool,
        typer.Option("--freeze", help="Write people's scores into the runs for score and report."),
    ] = False,
    as_json: JsonOpt = False,
) -> None:
    """Compare people's scores of evidence with each other's and with a judge's."""
    from riskchainbench.pipeline.labels import evidence as measure

    report = measure(project, bundle, runs, judge, out, freeze=freeze)
    if as_json:
        print_json(report)
        return
    if report.simulated:
        say("simulated annotators, not people")
    say(f"{report.ratings} ratings of {report.items} conclusions; judge {report.judge}")
    for each in report.dimensions:
        people, against, bias = each.people_kappa, each.judge_kappa, each.judge_bias
        figures = ["-" if x is None else f"{x:.3f}" for x in (people, against, bias)]
        say(f"{each.dimension}: people {figures[0]}, judge {figures[1]}, bias {figures[2]}")


def audit(
    project: ProjectArg,
    bundle: BundleArg,
    out: Annotated[
        Path | None, typer.Option("--out", help="Copy BUNDLE with the figure in its manifest.")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Estimate the error of BUNDLE's designed labels from the sample that PROJECT labeled."""
    from riskchainbench.pipeline.labels import audit as measure

    found = measure(project, bundle, out)
    if as_json:
        print_json(found)
        return
    say(found.claim())


def export(project: ProjectArg, bundle: BundleArg, out: OutOpt, form: FormatOpt = "csv") -> None:
    """Write every judgment with its person and its hash in the ledger."""
    from riskchainbench.pipeline.labels import export as write

    write(project, bundle, out, form)
    say(f"{out}")


def take(
    project: ProjectArg,
    bundle: BundleArg,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What was exported elsewhere.")],
    form: FormatOpt = "csv",
) -> None:
    """Take judgments made elsewhere; all of FILE or nothing."""
    from riskchainbench.pipeline.labels import take as take_file

    say(f"{take_file(project, bundle, file, form)} judgments taken")
