"""`riskchain trace`: how one message variant was made, and the walk back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from riskchainbench.core.restoration import Message
    from riskchainbench.messages.records import Edit
    from riskchainbench.pipeline.trace import TraceView


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("trace")(trace)


def trace(
    bundle: BundleArg,
    sample: Annotated[str, typer.Argument(metavar="SAMPLE", help="A sample id.")],
    as_json: JsonOpt = False,
) -> None:
    """Show a variant of BUNDLE, each edit that made it, and that they walk back to its source."""
    from riskchainbench.pipeline.trace import trace_sample

    view = trace_sample(bundle, sample)
    if as_json:
        print_json(view)
        return
    _show(view)


def _show(view: TraceView) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(f"{view.sample_id}  {view.platform}  {view.recipe}  entry {view.entry}")
    console.print(Text("source", style="bold"))
    _print_messages(console, view.states[0], ())
    for stage, state in zip(view.trace.stages, view.states[1:], strict=True):
        console.print(Text(f"{stage.operator}  ({len(stage.edits)} edits)", style="bold"))
        _print_messages(console, state, stage.edits)
        for edit in stage.edits:
            line = Text(f"    {edit.message_id} {edit.after_span[0]}: ", style="dim")
            line.append(repr(edit.before), style="green").append(" → ").append(
                repr(edit.after), style="red"
            )
            console.print(line.append(f"  {edit.rule}", style="dim"))
    console.print(Text("walked back: the source, byte for byte", style="bold green"))


def _print_messages(
    console: Console, messages: tuple[Message, ...], edits: tuple[Edit, ...]
) -> None:
    from rich.text import Text

    for message in messages:
        console.print(Text(f"  {message.message_id}  ").append_text(_marked(message, edits)))


def _marked(message: Message, edits: tuple[Edit, ...]) -> Text:
    from rich.text import Text

    text = Text(message.content)
    for edit in edits:
        if edit.message_id == message.message_id:
            text.stylize("red underline", *edit.after_span)
    return text
