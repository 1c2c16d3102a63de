"""Which tables a bundle becomes: its public half, and its gold half where that was asked for."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any, Protocol

from riskchainbench.bundle import Bundle
from riskchainbench.bundle.layout import WEBSITES, Visibility
from riskchainbench.core.gold import PlacedComponent, SampleGold, Stratum, WebsiteLabel
from riskchainbench.core.record import Record
from riskchainbench.doors.huggingface.table import Column, DataTable, Kind, record_rows
from riskchainbench.messages.records import Trace


class GoldHalf(Protocol):
    """The gold half of a bundle, as `bundle.Gold` gives it."""

    @property
    def labels(self) -> Any:
        """Labels by case id."""

    @property
    def strata(self) -> Any:
        """Strata by case id."""

    @property
    def components(self) -> Any:
        """Designed components by case id."""

    @property
    def samples(self) -> Any:
        """Reference restorations by sample id."""

    @property
    def traces(self) -> Any:
        """Traces by sample id."""


_MESSAGES = (
    Column("sample_id", Kind.TEXT, "Opaque id of the message variant."),
    Column("platform", Kind.TEXT, "The platform that the message imitates."),
    Column("surface", Kind.TEXT, "Where on the platform the message stands."),
    Column("messages", Kind.JSON, "The obfuscated messages: id, content and role of each."),
    Column("input_view", Kind.TEXT, "How a restorer is shown the messages."),
)
_WEBSITES = (
    Column("case_id", Kind.TEXT, "Opaque id of the website."),
    Column("scaffold", Kind.TEXTS, "The mechanical classes of interaction it calls for."),
    Column("start_path", Kind.TEXT, "The path that an investigation starts at."),
    Column("horizon", Kind.INTEGER, "How many actions an agent has."),
    Column("time_limit", Kind.NUMBER, "Seconds from the first observation to the stop."),
    Column("viewport", Kind.JSON, "Width and height of the window in CSS pixels."),
)
_FILES = (
    Column("case_id", Kind.TEXT, "The website that the file belongs to."),
    Column("path", Kind.TEXT, "The file's path below the website's folder."),
    Column("sha256", Kind.TEXT, "SHA-256 of the file's bytes."),
    Column("encoding", Kind.TEXT, "How the content is written: utf-8, or base64 if no text."),
    Column("content", Kind.TEXT, "The content of the file."),
)
_CODEBOOK = (
    Column("codebook_id", Kind.TEXT, "The name of the codebook."),
    Column("version", Kind.TEXT, "Its version."),
    Column("content", Kind.JSON, "Decisions, violation types, components and precedence."),
)
_LABELS = (
    Column("case_id", Kind.TEXT, "The website."),
    Column("decision", Kind.TEXT, "The gold decision."),
    Column("violation_type", Kind.TEXT, "The gold violation type; NONE or UNKNOWN if none."),
    Column("secondary_types", Kind.TEXTS, "Other types that apply."),
    Column("source", Kind.TEXT, "Where the label comes from."),
    Column("codebook_version", Kind.TEXT, "The codebook it was given under."),
)
_STRATA = (
    Column("case_id", Kind.TEXT, "The website."),
    Column("contrast_set", Kind.TEXT, "The contrast set that it is a member of."),
    Column("scenario", Kind.TEXT, "The scenario it was made from."),
    Column("brand_family", Kind.TEXT, "The family of its invented brand."),
    Column("form", Kind.TEXT, "Its presentation form."),
    Column("topic", Kind.TEXT, "Its topic."),
    Column("language", Kind.TEXT, "Its language."),
    Column("front_end", Kind.TEXT, "Its visual style."),
    Column("stateful", Kind.FLAG, "Whether it keeps state."),
    Column("depth", Kind.INTEGER, "How deep its evidence lies."),
    Column("difficulty", Kind.INTEGER, "Its rank of difficulty."),
    Column("oracle_steps", Kind.INTEGER, "The fewest steps to its evidence."),
)
_COMPONENTS = (
    Column("case_id", Kind.TEXT, "The website."),
    Column("component_id", Kind.TEXT, "The component of the codebook."),
    Column("role", Kind.TEXT, "What it speaks for."),
    Column("page", Kind.TEXT, "The page that shows it."),
    Column("placement", Kind.TEXT, "How an agent gets to see it."),
    Column("medium", Kind.TEXT, "Text, or pixels only."),
    Column("realization", Kind.TEXT, "The words shown or drawn."),
    Column("asserted", Kind.FLAG, "Whether it counts; decoys do not."),
)
_SOURCES = (
    Column("sample_id", Kind.TEXT, "The message variant."),
    Column("case_id", Kind.TEXT, "The website that it leads to."),
    Column("variant", Kind.TEXT, "Which variant of its session it is."),
    Column("session", Kind.TEXT, "The source session."),
    Column("messages", Kind.JSON, "The reference restoration by message id."),
    Column("accepted", Kind.JSON, "Other spellings that count as right, by message id."),
    Column("intent", Kind.TEXT, "What the message asks its reader to do."),
    Column("entry", Kind.TEXT, "The entry that opens the gate."),
    Column("platform", Kind.TEXT, "The platform."),
    Column("recipe", Kind.TEXT, "The recipe of its obfuscation."),
    Column("operators", Kind.TEXTS, "The operators that were used."),
    Column("severity", Kind.TEXT, "How much of it was changed."),
    Column("entry_position", Kind.TEXT, "Where in the message the entry stands."),
    Column("length", Kind.TEXT, "The length class."),
    Column("theme", Kind.TEXT, "The theme."),
    Column("template", Kind.TEXT, "The template of the source session."),
    Column("rearranged", Kind.FLAG, "Whether the recipe changes which messages there are."),
)
_TRACES = (
    Column("sample_id", Kind.TEXT, "The message variant."),
    Column("stages", Kind.JSON, "Every edit, reversible, in order."),
)


def data_tables(bundle: Bundle, gold: GoldHalf | None) -> tuple[DataTable, ...]:
    """Return the tables of `bundle`; those of gold only where `gold` is given.

    Raises:
        IntegrityError: a file of the bundle was changed.
    """
    tables = (
        _table(
            "messages", "Task 1: obfuscated messages.", _MESSAGES, bundle.restoration_tasks.values()
        ),
        _table(
            "websites",
            "Task 2: websites to investigate.",
            _WEBSITES,
            bundle.investigation_tasks.values(),
        ),
        DataTable("website_files", "The files of every website.", _FILES, _website_files(bundle)),
        DataTable(
            "codebook",
            "The codebook that the labels follow.",
            _CODEBOOK,
            [
                {
                    "codebook_id": bundle.codebook.codebook_id,
                    "version": bundle.codebook.version,
                    "content": bundle.codebook.to_json(),
                }
            ],
        ),
    )
    return tables if gold is None else (*tables, *_gold_tables(gold))


def _gold_tables(gold: GoldHalf) -> tuple[DataTable, ...]:
    labels: Iterable[WebsiteLabel] = gold.labels.values()
    strata: Iterable[Stratum] = gold.strata.values()
    components: Iterable[PlacedComponent] = (
        component for found in gold.components.values() for component in found
    )
    samples: Iterable[SampleGold] = gold.samples.values()
    traces: Iterable[Trace] = gold.traces.values()
    return (
        _table("labels", "GOLD: the annotation of each website.", _LABELS, labels, gold=True),
        _table("strata", "GOLD: how each website was chosen.", _STRATA, strata, gold=True),
        _table("components", "GOLD: the designed evidence.", _COMPONENTS, components, gold=True),
        _table("sources", "GOLD: reference restorations and pairs.", _SOURCES, samples, gold=True),
        _table("traces", "GOLD: how each message was obfuscated.", _TRACES, traces, gold=True),
    )


def _table(
    name: str,
    about: str,
    columns: tuple[Column, ...],
    records: Iterable[Record],
    *,
    gold: bool = False,
) -> DataTable:
    return DataTable(name, about, columns, record_rows(records, columns), gold)


def _website_files(bundle: Bundle) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name, entry in sorted(bundle.manifest.files.items()):
        if entry.visibility is not Visibility.WEBSITE:
            continue
        case_id, _, path = name.removeprefix(f"{WEBSITES}/").partition("/")
        encoding, content = _written(bundle.checked(name).read_bytes())
        rows.append(
            {
                "case_id": case_id,
                "path": path,
                "sha256": entry.sha256,
                "encoding": encoding,
                "content": content,
            }
        )
    return rows


def _written(data: bytes) -> tuple[str, str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "base64", base64.b64encode(data).decode("ascii")
    return ("base64", base64.b64encode(data).decode("ascii")) if "\0" in text else ("utf-8", text)
