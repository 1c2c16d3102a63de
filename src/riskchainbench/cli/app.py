"""The command `riskchain`: collects the verbs and turns errors into one line and an exit code.

0 is done, 1 failed, 2 misuse; a traceback is shown with ``--debug`` only.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from riskchainbench import __version__
from riskchainbench.cli import (
    annotate,
    build,
    check,
    compare,
    conclude,
    demo,
    doctor,
    evaluate,
    export,
    forget,
    gallery,
    import_,
    investigate,
    judge,
    judge_check,
    labels,
    leaderboard,
    openenv,
    probe,
    record,
    report,
    restore,
    restore_file,
    score,
    select,
    serve,
    status,
    trace,
    verify,
    verify_run,
)

_DEBUG = "--debug"


class _StoppedError(Exception):
    """A command was stopped from outside; typer would end it without a word."""


class _Verbs(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        """Run the verb, and hand on what stopped it."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, BrokenPipeError) as error:
            raise _StoppedError from error


app = typer.Typer(
    name="riskchain",
    cls=_Verbs,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Restore obfuscated platform messages, investigate the websites they lead to, "
    "and score both, linked by the entry gate.",
)

for _verb in (
    demo,
    doctor,
    build,
    record,
    import_,
    forget,
    compare,
    select,
    verify,
    check,
    gallery,
    serve,
    trace,
    probe,
    evaluate,
    restore,
    restore_file,
    investigate,
    conclude,
    judge,
    judge_check,
    status,
    score,
    annotate,
    labels,
    report,
    verify_run,
    leaderboard,
    export,
    openenv,
):
    _verb.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"riskchain {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option(_DEBUG, help="Show tracebacks.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = _DEBUG in given
    try:
        app([argument for argument in given if argument != _DEBUG], prog_name="riskchain")
    except _StoppedError as stopped:
        if isinstance(stopped.__cause__, KeyboardInterrupt):
            _fail("interrupted; give the same command to go on", 130)
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        if debug:
            raise
        _fail(_one_line(error), _exit_code(error))


def _exit_code(error: Exception) -> int:
    from riskchainbench.core.errors import UsageError

    return 2 if isinstance(error, UsageError) else 1


def _one_line(error: Exception) -> str:
    from riskchainbench.core.errors import RiskChainError
    from riskchainbench.core.store import StorageError

    text = " ".join(str(error).split())
    if isinstance(error, StorageError):
        kept = "what is finished is kept, and the same command goes on"
        return f"{text} ({error.failure_class}; {kept})"
    if isinstance(error, RiskChainError):
        return text
    if isinstance(error, OSError):
        return f"{error.filename or 'file system'}: {error.strerror or text}"
    return f"unexpected {type(error).__name__}: {text} (run again with {_DEBUG} and report it)"


def _fail(text: str, code: int) -> None:
    sys.stderr.write(f"riskchain: {text}\n")
    sys.exit(code)
