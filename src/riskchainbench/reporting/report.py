"""The HTML report: one folder that opens from disk, with no network and no server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from riskchainbench.core.errors import InputError
from riskchainbench.reporting import figures, tables
from riskchainbench.reporting.browser_data import ImageChoice, codebook_names, write_cases
from riskchainbench.reporting.chunks import write_file, write_script
from riskchainbench.reporting.content import Content, content_of
from riskchainbench.reporting.inputs import GoldHalf, PublicHalf, ReportRun
from riskchainbench.reporting.strings import HTML_LANGUAGE, LANGUAGES, all_strings, text, translator
from riskchainbench.reporting.tables import Cell, Column, Row, RowKind, Table, Unit
from riskchainbench.scoring.published import published
from riskchainbench.scoring.records import PublishedTable, Scores

MARK = "riskchain-report.txt"
"""Stands in every report's folder, so that a report may replace a report and nothing else."""

ASSETS = (
    "report.css",
    "viewer.css",
    "core.js",
    "page.js",
    "viewer.js",
    "messages.js",
    "cases.js",
)


def write_report(
    bundle: PublicHalf,
    gold: GoldHalf | None,
    runs: Sequence[ReportRun],
    scores: Scores,
    out: Path,
    *,
    public: bool = False,
    images: ImageChoice = "cited",
    languages: Sequence[str] = LANGUAGES,
    reference: Sequence[PublishedTable] | None = None,
) -> Path:
    """Write the report into `out` and return the path of its ``index.html``.

    With `public`, or without `gold`, the report holds no gold and no outcome of a single
    website or message. `images` chooses which screenshots are copied. `reference` are results
    published elsewhere, shown apart; by default those that ship with the project. The folder
    appears whole or not at all; a report that stands there is replaced.

    Raises:
        InputError: `out` holds something that is no report, or a language is unknown.
    """
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages:
        known = ", ".join(LANGUAGES)
        raise InputError(f"report language {', '.join(unknown) or '(none)'}: choose from {known}")
    if out.exists() and not _replaceable(out):
        raise InputError(f"{out}: holds something that is no report; name another folder")
    hidden = public or gold is None
    scores = scores.without_units() if hidden else scores
    reference = published().tables if reference is None else reference
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=out.parent, prefix=".report-"))
    try:
        _write(bundle, None if hidden else gold, runs, scores, work, images, languages, reference)
        work.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        work.replace(out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return out / "index.html"


def _replaceable(out: Path) -> bool:
    return out.is_dir() and ((out / MARK).exists() or not any(out.iterdir()))


def _write(
    bundle: PublicHalf,
    gold: GoldHalf | None,
    runs: Sequence[ReportRun],
    scores: Scores,
    out: Path,
    images: ImageChoice,
    languages: Sequence[str],
    reference: Sequence[PublishedTable],
) -> None:
    content = content_of(scores, reference, languages, public=gold is None)
    index = write_cases(bundle, gold, runs, scores, out, images=images)
    _write_assets(out)
    write_script(out / "assets" / "strings.js", "strings", all_strings())
    names = codebook_names(bundle.codebook)
    page_index = {"languages": list(languages), "names": names} | (index or {})
    write_script(out / "assets" / "index.js", "index", page_index)
    for plot in content.plots:
        for language, svg in plot.svg.items():
            write_file(out / "figures" / f"{plot.key}.{language}.svg", svg)
    files = write_tables(content, out / "tables", languages)
    write_file(out / "index.html", _page(content, files, languages, names, cases=index is not None))
    write_file(out / MARK, "A report of RiskChainBench; open index.html.\n")


def _write_assets(out: Path) -> None:
    data = resources.files("riskchainbench.reporting") / "data"
    for name in ASSETS:
        write_file(out / "assets" / name, (data / name).read_text(encoding="utf-8"))


def write_tables(content: Content, folder: Path, languages: Sequence[str]) -> list[str]:
    """Write the main tables as Markdown, LaTeX, HTML and CSV and return the files' names."""
    names: list[str] = []
    for table in content.tables:
        written = {f"{table.key}.csv": tables.to_csv(table)}
        for language in languages:
            words = translator(language)
            written[f"{table.key}.{language}.md"] = tables.to_markdown(table, words)
            written[f"{table.key}.{language}.tex"] = tables.to_latex(table, words)
            written[f"{table.key}.{language}.html"] = str(tables.to_html(table, words))
        for name, body in written.items():
            write_file(folder / name, body)
        names += written
    return names


def _page(
    content: Content,
    files: Sequence[str],
    languages: Sequence[str],
    names: Mapping[str, Mapping[str, str]],
    *,
    cases: bool,
) -> str:
    environment = Environment(
        loader=PackageLoader("riskchainbench.reporting", "data/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("index.html.j2")
    return template.render(
        content=content,
        cases=cases,
        sections=_sections(content, cases=cases),
        files=files,
        languages=languages,
        html_language=HTML_LANGUAGE,
        words=text,
        t=_both(languages, names),
        attribute=_attribute(languages[0]),
        fmt=Format(),
        inline={
            (plot.key, language): Markup(figures.inline(svg, f"{plot.key}-{language}"))
            for plot in content.plots
            for language, svg in plot.svg.items()
        },
    )


def _sections(content: Content, *, cases: bool) -> list[str]:
    held = {
        "results": bool(content.tables),
        "figures": bool(content.plots),
        "strata": bool(content.heat_maps),
        "evidence": bool(content.evidence_tables),
        "judge": bool(content.judges),
        "cases": cases,
        "details": bool(content.detail_tables),
        "reference": bool(content.reference),
    }
    return [key for key, there in held.items() if there]


def _both(languages: Sequence[str], names: Mapping[str, Mapping[str, str]]) -> Any:
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


def _attribute(first: str) -> Any:
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
