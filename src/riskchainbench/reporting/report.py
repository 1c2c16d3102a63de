"""The HTML report: one folder that opens from disk, with no network and no server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from riskchainbench.core.errors import InputError
from riskchainbench.reporting import tables
from riskchainbench.reporting.browser_data import ImageChoice, codebook_names, write_cases
from riskchainbench.reporting.chunks import write_file, write_script
from riskchainbench.reporting.content import PUBLIC_STRATUM, Content, content_of
from riskchainbench.reporting.inlining import inline
from riskchainbench.reporting.inputs import GoldHalf, PublicHalf, ReportRun
from riskchainbench.reporting.page import (
    PAGE_ASSETS,
    attribute_in,
    in_all,
    named_translator,
    new_folder,
    rendered,
    write_assets,
)
from riskchainbench.reporting.strings import LANGUAGES, all_strings, translator
from riskchainbench.scoring.published import published
from riskchainbench.scoring.records import Completeness, Header, PublishedTable, Scores

VIEWER_ASSETS = ("viewer.css", "viewer.js", "messages.js", "cases.js", "strata.js")


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
        InputError: `out` holds something that is no report, a language is unknown, a screenshot is
            missing or was changed, or a public report would be of a few websites of a bundle.
    """
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages:
        known = ", ".join(LANGUAGES)
        raise InputError(f"report language {', '.join(unknown) or '(none)'}: choose from {known}")
    hidden = public or gold is None
    if hidden:
        _require_many(scores.header)
    scores = scores.without_units() if hidden else scores
    reference = published().tables if reference is None else reference
    with new_folder(out) as work:
        _write(bundle, None if hidden else gold, runs, scores, work, images, languages, reference)
    return out / "index.html"


def _require_many(head: Header) -> None:
    """Refuse a subset so small that its sums tell how single websites came out."""
    if head.completeness is Completeness.SUBSET and head.websites < PUBLIC_STRATUM:
        raise InputError(
            f"a public report of {head.websites} of {head.all_websites} websites would tell of "
            f"single ones; score at least {PUBLIC_STRATUM}, or leave out --public"
        )


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
    write_assets(out, (*PAGE_ASSETS, *VIEWER_ASSETS))
    write_script(out / "assets" / "strings.js", "strings", all_strings())
    names = codebook_names(bundle.codebook)
    page_index = {"languages": list(languages), "names": names} | (index or {})
    write_script(out / "assets" / "index.js", "index", page_index)
    if content.strata is not None:
        write_script(out / "assets" / "strata-data.js", "strata", content.strata)
    for plot in content.plots:
        for language, svg in plot.svg.items():
            write_file(out / "figures" / f"{plot.key}.{language}.svg", svg)
    for language in languages:
        words = named_translator(language, names)
        for heat in content.heat_maps:
            write_file(out / "figures" / f"{heat.key}.{language}.svg", heat.svg(words))
    files = write_tables(content, out / "tables", languages)
    write_file(out / "index.html", _page(content, files, languages, names, cases=index is not None))


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
    return rendered(
        "index.html.j2",
        content=content,
        cases=cases,
        sections=_sections(content, cases=cases),
        files=files,
        languages=languages,
        t=in_all(languages, names),
        attribute=attribute_in(languages[0]),
        inline={
            (plot.key, language): Markup(inline(svg, f"{plot.key}-{language}"))
            for plot in content.plots
            for language, svg in plot.svg.items()
        },
    )


def _sections(content: Content, *, cases: bool) -> list[str]:
    held = {
        "results": bool(content.tables),
        "figures": bool(content.plots),
        "strata": bool(content.heat_maps or content.strata),
        "evidence": bool(content.evidence_tables),
        "judge": bool(content.judges),
        "cases": cases,
        "details": bool(content.detail_tables),
        "reference": bool(content.reference),
    }
    return [key for key, there in held.items() if there]
