"""What the verbs share: options that mean the same everywhere, output and progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from riskchainbench.core.record import Record

MAX_WORKERS = {"": 64, "ray": 1024}
BundleArg = Annotated[Path, typer.Argument(metavar="BUNDLE", help="A frozen benchmark's folder.")]
RunArg = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of one system's run.")]
SystemOpt = Annotated[
    str, typer.Option("--system", help="The system to evaluate: a built-in one, or PROVIDER/MODEL.")
]
SystemSeedOpt = Annotated[
    int, typer.Option("--system-seed", help="Seed of the random system.", min=0)
]
JudgeOpt = Annotated[
    str, typer.Option("--judge", help="The judge: rules needs no key; or PROVIDER/MODEL.")
]
LanguageOpt = Annotated[
    str, typer.Option("--prompt-language", help="Language of the prompts: zh-CN or en.")
]
StrictOpt = Annotated[bool, typer.Option("--strict", help="Allow no repair turns.")]


def named_values(option: str, given: Sequence[str] | None) -> dict[str, str]:
    """Return what an option that is written as NAME=VALUE was given.

    Raises:
        InputError: it was written otherwise.
    """
    from riskchainbench.core.errors import InputError

    values: dict[str, str] = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"{option} {pair}: write it as NAME=VALUE")
        values[name] = value
    return values


def parse_workers(text: str | int) -> int:
    """Return how many browsers work at once, and whether on a Ray cluster (``ray:16``).

    Raises:
        typer.BadParameter: it is no such number.
    """
    where, _, number = str(text).rpartition(":")
    if not number.isdecimal() or not 1 <= int(number) <= MAX_WORKERS.get(where, 0):
        raise typer.BadParameter("give 1 to 64, or ray:1 to ray:1024 for a Ray cluster")
    if not where:
        return int(number)
    from riskchainbench.investigation.browsing import ClusterWorkers

    return ClusterWorkers(number)


WorkersOpt = Annotated[
    int,
    typer.Option(
        "--workers",
        help="Browsers that work at once; ray:N puts them on a Ray cluster.",
        parser=parse_workers,
        metavar="N",
    ),
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
ProcessesOpt = Annotated[
    int | None,
    typer.Option(
        "--processes",
        help="Processes that prove a large pool at once; two at most if left out.",
        min=1,
    ),
]
SeedOpt = Annotated[
    int | None,
    typer.Option(
        "--seed", help="Equal seeds give equal bytes; drawn at random if left out.", min=0
    ),
]


def processes(given: int | None) -> int:
    """Return how many processes may work at once: as given, else one a core and two at most."""
    return given or min(2, os.cpu_count() or 1)


def print_json(value: Record | dict[str, Any] | list[Any]) -> None:
    """Print one result on standard output as JSON."""
    plain = value if isinstance(value, dict | list) else value.model_dump(mode="json")
    sys.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def say(text: str) -> None:
    """Print one line for a person on standard output."""
    sys.stdout.write(text + "\n")


def warn(text: str) -> None:
    """Print one line for a person on standard error, beside the result."""
    sys.stderr.write(f"riskchain: {text}\n")


@contextmanager
def announced(
    title: str, note: Callable[[], str] | None = None
) -> Iterator[Callable[[int, int], None]]:
    """Show a bar, or only its title where standard error is no terminal."""
    if not sys.stderr.isatty():
        sys.stderr.write(f"{title} ...\n")
    with progress(title, note) as update:
        yield update


@contextmanager
def progress(
    title: str, note: Callable[[], str] | None = None
) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error, where that is a terminal, while long work goes on.

    `note` gives a phrase to show beside it, asked for again at every refresh.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text

    class Note(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002
            return Text("" if note is None else note())

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        Note(),
        console=console,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(title, total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield update
