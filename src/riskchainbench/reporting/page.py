"""What every page of the room shares: its folder, assets, words and number formats."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from riskchainbench.core.errors import InputError
from riskchainbench.core.frozen import refuse_inside_frozen
from riskchainbench.reporting import tables
from riskchainbench.reporting.chunks import write_file
from riskchainbench.reporting.strings import HTML_LANGUAGE, source_key, text
from riskchainbench.reporting.tables import Cell, Column, Row, RowKind, Table, Unit

MARK = "riskchain-report.txt"
"""Stands in every report's folder, so that a report may replace a report and nothing else."""

PAGE_ASSETS = ("report.css", "core.js", "page.js")


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Give a folder to write in, which becomes `out` when all went well; or nothing changes.

    Raises:
        InputError: `out` holds something that is no report, or lies in a bundle or run.
    """
    refuse_inside_frozen(out)
    if out.exists() and not _replaceable(out):
        raise InputError(f"{out}: holds something that is no report; name another folder")
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=out.parent, prefix=".report-"))
    try:
        yield work
        write_file(work / MARK, "A report of RiskChainBench; open index.html.\n")
        work.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        work.replace(out)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _replaceable(out: Path) -> bool:
    return out.is_dir() and ((out / MARK).exists() or not any(out.iterdir()))


def write_assets(out: Path, names: Sequence[str]) -> None:
    """Write the named style sheets and scripts into ``assets``."""
    data = resources.files("riskchainbench.reporting") / "data"
    for name in names:
        write_file(out / "assets" / name, (data / name).read_text(encoding="utf-8"))


def rendered(template: str, **values: Any) -> str:
    """Return a page made from a template; every value is escaped unless it is markup."""
    environment = Environment(
        loader=PackageLoader("riskchainbench.reporting", "data/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(
        html_language=HTML_LANGUAGE, words=text, fmt=Format(), **values
    )


def named_translator(language: str, names: Mapping[str, Mapping[str, str]]) -> Callable[[str], str]:
    """Return a function that gives a text in `language`, by `names` where they hold its key."""

    def words(key: str) -> str:
        return names.get(key, {}).get(language) or text(language, key)

    return words


def in_all(languages: Sequence[str], names: Mapping[str, Mapping[str, str]]) -> Any:
    """Return a function that gives a text in every language; the page shows one of them."""

    def words(key: str, **values: object) -> Markup:
        return Markup("").join(
            Markup('<span data-language="{}" lang="{}">{}</span>').format(
                language,
                HTML_LANGUAGE[language],
                names.get(key, {}).get(language) or text(language, key, **values),
            )
            for language in languages
        )

    return words


def attribute_in(first: str) -> Any:
    """Return a function that gives an attribute which the page translates when it opens."""

    def attribute(name: str, key: str) -> Markup:
        return Markup('{}="{}" data-i18n="{}={}"').format(Markup(name), text(first, key), name, key)

    return attribute


class Format:
    """What the template asks of the table model."""

    shown = staticmethod(tables.shown)
    counts = staticmethod(tables.counts)
    interval = staticmethod(tables.interval)
    other_intervals = staticmethod(tables.other_intervals)
    source_key = staticmethod(source_key)

    def breakable(self, name: str) -> Markup:
        """Return a name that a narrow column breaks after a slash rather than in a word."""
        return Markup("/<wbr>").join(name.split("/"))

    published = staticmethod(tables.published_rows)

    def whisker(self, cell: Cell, column: Column) -> str:
        """Return the style of a cell's small interval drawing, or nothing."""
        held = cell.value is not None and cell.low is not None and cell.high is not None
        if not held or column.unit is not Unit.PERCENT:
            return ""
        low, value, high = (min(1.0, max(0.0, x or 0.0)) for x in (cell.low, cell.value, cell.high))
        return f"--l:{low:.4f};--v:{value:.4f};--h:{high:.4f}"

    def sorted(self, table: Table, at: int) -> str:
        """Return the value of ``aria-sort`` for a column."""
        if table.sort_column != at:
            return "none"
        lower = table.columns[at].better is tables.Better.LOWER
        return "ascending" if lower else "descending"

    def groups(self, table: Table) -> list[Mapping[str, Any]]:
        """Return the systems' rows and, after them, the baselines' and the oracle's.

        Where no system was run, the baselines stand in the systems' place.
        """
        first = RowKind.SYSTEM
        if not any(row.kind is first for row in table.rows):
            first = RowKind.BASELINE
        systems = [row for row in table.rows if row.kind is first]
        others = [row for row in table.rows if row.kind is not first]
        found: list[tuple[str, list[Row]]] = [("systems", systems), ("reference-rows", others)]
        return [{"kind": kind, "rows": rows} for kind, rows in found if rows]
