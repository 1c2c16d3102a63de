"""The report's figures, made from scores: data for `figures`, words and alternative texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from riskchainbench.reporting import figures
from riskchainbench.reporting.score_tables import by_kind, layout
from riskchainbench.reporting.strings import SAID, text, translator
from riskchainbench.reporting.tables import Translate
from riskchainbench.scoring.records import (
    CurvePoint,
    Family,
    Metric,
    Scores,
    SystemKind,
    SystemScores,
)


@dataclass(frozen=True)
class Plot:
    """One figure in every language: the file's SVG and what it shows in a sentence."""

    key: str
    svg: Mapping[str, str]
    alt: Mapping[str, str]


Draw = Callable[[Translate], str]


def plots(scores: Scores, languages: Sequence[str], fewest: int = 0) -> tuple[Plot, ...]:
    """Return every figure for which something was measured.

    No two points of a curve are less than `fewest` answers apart. Beside the confidences that a
    public report shows, a finer curve would tell which single answers are right.
    """
    made = (
        _gated(scores, languages),
        _failures(scores, languages),
        _intervals(scores, languages),
        _risk_coverage(scores, languages, fewest),
        _judge_scores(scores, languages),
    )
    return tuple(plot for plot in made if plot is not None)


def _plot(
    key: str, languages: Sequence[str], draw: Draw, facts: Callable[[Translate], str]
) -> Plot:
    svg, alt = {}, {}
    for language in languages:
        words = translator(language)
        svg[language] = draw(words)
        alt[language] = f"{text(language, f'figure.{key}.title')}. {facts(words)}"
    return Plot(key, svg, alt)


def _references(scores: Scores) -> frozenset[str]:
    """Return the rows that are drawn apart: the oracle, and baselines beside systems."""
    kinds = {row.kind for row in scores.systems}
    answering = {SystemKind.MODEL, SystemKind.PERSON} & kinds
    apart = {SystemKind.ORACLE} | ({SystemKind.BASELINE} if answering else set())
    return frozenset(row.row_id for row in scores.systems if row.kind in apart)


def _share(metric: Metric | None) -> float | None:
    return metric.value if metric else None


def _ordered(scores: Scores, metric_id: str) -> list[SystemScores]:
    rows = [row for row in scores.systems if _share(row.metric(metric_id)) is not None]
    apart = _references(scores)

    def rank(row: SystemScores) -> tuple[bool, float, str]:
        return (row.row_id in apart, -(_share(row.metric(metric_id)) or 0.0), row.row_id)

    return sorted(rows, key=rank)


def _gated(scores: Scores, languages: Sequence[str]) -> Plot | None:
    apart = _references(scores)
    web_id, gated_id = layout()["figures"]["web"], layout()["figures"]["gated"]
    rows = sorted(
        _ordered(scores, web_id),
        key=lambda row: (row.row_id in apart, -(_share(row.metric(gated_id)) or 0.0)),
    )
    if not rows:
        return None
    bars = []
    for row in rows:
        gated = row.metric(gated_id)
        interval = gated.intervals[0] if gated and gated.intervals else None
        bars.append(
            figures.Bar(
                row.row_id,
                _share(gated),
                _share(row.metric(web_id)) or 0.0,
                interval.low if interval else None,
                interval.high if interval else None,
                row.row_id in apart,
            )
        )

    def draw(words: Translate) -> str:
        names = ("gated", "loss", "ungated", "axis")
        return figures.gated_accuracy(bars, {n: words(f"figure.gated.{n}") for n in names})

    def facts(words: Translate) -> str:
        return "; ".join(
            words(
                "figure.gated.alt",
                name=bar.name,
                web=f"{100 * bar.web:.1f}",
                gated="–" if bar.gated is None else f"{100 * bar.gated:.1f}",
            )
            for bar in bars
        )

    return _plot("gated", languages, draw, facts)


def _failures(scores: Scores, languages: Sequence[str]) -> Plot | None:
    apart = _references(scores)
    found = [
        (row, row.attribution)
        for row in _ordered(scores, layout()["figures"]["web"])
        if row.attribution
    ]
    if not found:
        return None
    stages = [each.key for each in found[0][1].rows]
    stacks = [
        figures.Stack(
            row.row_id,
            tuple(each.count.numerator for each in attribution.rows),
            row.row_id in apart,
        )
        for row, attribution in found
    ]

    def draw(words: Translate) -> str:
        names = [words(f"outcome.{stage}") for stage in stages]
        return figures.stacked_shares(stacks, names, words("figure.failures.axis"))

    def facts(words: Translate) -> str:
        names = [words(f"outcome.{stage}") for stage in stages]
        return "; ".join(
            f"{stack.name}: "
            + ", ".join(f"{name} {n}" for name, n in zip(names, stack.counts, strict=True))
            for stack in stacks
        )

    return _plot("failures", languages, draw, facts)


def _intervals(scores: Scores, languages: Sequence[str]) -> Plot | None:
    apart = _references(scores)
    known = {info.metric_id for info in scores.catalogue}
    chosen = [
        each
        for each in layout()["figures"]["intervals"]
        if each in known and any(row.metric(each) for row in scores.systems)
    ]
    if not chosen:
        return None
    rows = sorted(
        scores.systems,
        key=lambda row: (row.row_id in apart, -(_share(row.metric(chosen[0])) or 0.0), row.row_id),
    )
    whiskers = [[_whisker(row, each, row.row_id in apart) for row in rows] for each in chosen]

    def title(words: Translate, metric_id: str) -> str:
        info = scores.info(metric_id)
        name = words(f"column.{info.title_key}")
        if info.family in (Family.WEB_ONLY, Family.GATED) and "accuracy" in info.title_key:
            return f"{name} ({words(f'family.{info.family}')})"
        return name

    def draw(words: Translate) -> str:
        panels = [(title(words, each), found) for each, found in zip(chosen, whiskers, strict=True)]
        return figures.interval_plot(panels, words("figure.intervals.axis"))

    def facts(words: Translate) -> str:
        return "; ".join(
            f"{title(words, each)}: " + ", ".join(f"{w.name} {_percent(w.value)}" for w in found)
            for each, found in zip(chosen, whiskers, strict=True)
        )

    return _plot("intervals", languages, draw, facts)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _whisker(row: SystemScores, metric_id: str, reference: bool) -> figures.Whisker:
    metric = row.metric(metric_id)
    interval = metric.intervals[0] if metric and metric.intervals else None
    return figures.Whisker(
        row.row_id,
        _share(metric),
        interval.low if interval else None,
        interval.high if interval else None,
        reference,
    )


def _risk_coverage(scores: Scores, languages: Sequence[str], fewest: int) -> Plot | None:
    wanted = layout()["figures"]["risk_coverage"]
    lines = [
        figures.Line(row.row_id, tuple((point.x, point.y) for point in points))
        for row in by_kind(scores.systems)
        for curve in row.curves
        if curve.curve_id.endswith(wanted) and len(points := _apart(curve.points, fewest)) > 1
    ]
    if not lines:
        return None

    def draw(words: Translate) -> str:
        return figures.curves(lines, words("figure.risk.x"), words("figure.risk.y"))

    def facts(words: Translate) -> str:
        return "; ".join(
            words("figure.risk.alt", name=line.name, risk=f"{100 * line.points[-1][1]:.1f}")
            for line in lines
        )

    return _plot("risk", languages, draw, facts)


def _apart(points: Sequence[CurvePoint], fewest: int) -> list[CurvePoint]:
    """Keep the last point and, before it, those that are at least `fewest` answers apart."""
    kept: list[CurvePoint] = []
    for point in reversed(points):
        if not kept or kept[-1].units - point.units >= fewest <= point.units:
            kept.append(point)
    return kept[::-1]


def _judge_scores(scores: Scores, languages: Sequence[str]) -> Plot | None:
    """Draw how often each judge gave each of its scores, a bar a dimension of a system."""
    found = [
        (row, judge.judge, each)
        for row in by_kind(scores.systems)
        for judge in row.judges
        for each in judge.distributions
        if any(part.count.numerator for part in each.rows)
    ]
    if not found:
        return None
    apart = _references(scores)
    points = [part.key for part in found[0][2].rows]
    several = len({judge for _, judge, _ in found}) > 1

    def stacks(words: Translate) -> list[figures.Stack]:
        return [
            figures.Stack(
                " · ".join(
                    (
                        row.row_id,
                        words(f"column.{each.title_key}"),
                        *((words(SAID + judge),) if several else ()),
                    )
                ),
                tuple(part.count.numerator for part in each.rows),
                row.row_id in apart,
            )
            for row, judge, each in found
        ]

    def draw(words: Translate) -> str:
        return figures.stacked_shares(stacks(words), points, words("figure.judge.axis"))

    def facts(words: Translate) -> str:
        return "; ".join(
            f"{stack.name}: "
            + ", ".join(f"{point} × {n}" for point, n in zip(points, stack.counts, strict=True))
            for stack in stacks(words)
        )

    return _plot("judge", languages, draw, facts)
