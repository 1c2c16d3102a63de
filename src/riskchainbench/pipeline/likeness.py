"""How far two bundles differ in what agents meet, and whether systems rank alike on both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median

from pydantic import Field

from riskchainbench.bundle import Bundle, open_bundle, open_gold
from riskchainbench.bundle.layout import GOLD_FOLDER
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.store import read_json
from riskchainbench.core.text import folded
from riskchainbench.scoring.records import Scores
from riskchainbench.websites.controls import HIDDEN, controls
from riskchainbench.websites.records import HTML, LoadedWebsite

MIN_SYSTEMS = 3
RANKED = ("web_only.accuracy", "web_only.set_consistency")
"""The metrics that systems are ranked by unless others are named."""


class FeatureDistance(Record):
    """How one feature differs: its medians and the Kolmogorov-Smirnov distance."""

    feature: str
    median_a: float
    median_b: float
    distance: float = Field(ge=0, le=1)


class RankCorrelation(Record):
    """Kendall's tau-b of the systems' values of one metric on two bundles.

    `tau` is None, with the reason, where it is undefined.
    """

    metric: str
    systems: int
    tau: float | None
    reason: str = ""


class BundleLikeness(Record):
    """What a comparison of two bundles gives."""

    websites_a: int
    websites_b: int
    features: tuple[FeatureDistance, ...]
    ranks: tuple[RankCorrelation, ...] = ()


def compare_bundles(
    first: Path,
    second: Path,
    scores: tuple[Path, Path] | None = None,
    metrics: Sequence[str] = RANKED,
) -> BundleLikeness:
    """Compare the websites of two bundles, and the systems that were scored on both.

    Raises:
        InputError: no bundle, or a file of scores cannot be read.
    """
    one, two = (_features(open_bundle(folder)) for folder in (first, second))
    features = tuple(
        FeatureDistance(
            feature=name,
            median_a=median(one[name]),
            median_b=median(two[name]),
            distance=ks_distance(one[name], two[name]),
        )
        for name in one
        if one[name] and two.get(name)
    )
    ranks: tuple[RankCorrelation, ...] = ()
    if scores is not None:
        tables = [read_json(path, Scores) for path in scores]
        ranks = tuple(_rank_correlation(metric, tables[0], tables[1]) for metric in metrics)
    return BundleLikeness(
        websites_a=len(one["pages"]),
        websites_b=len(two["pages"]),
        features=features,
        ranks=ranks,
    )


def pair_of(paths: Sequence[Path]) -> tuple[Path, Path] | None:
    """Return the two files of scores, or None where none is given.

    Raises:
        InputError: there is one, or more than two.
    """
    if not paths:
        return None
    if len(paths) != 2:
        raise InputError("--scores: name the scores of both bundles, those of the first first")
    return paths[0], paths[1]


def _features(bundle: Bundle) -> Mapping[str, list[float]]:
    """Return each feature's values over the bundle's websites, in the order of their ids."""
    values: dict[str, list[float]] = {}
    for _, site in sorted(bundle.websites().items()):
        for name, value in website_features(site).items():
            values.setdefault(name, []).append(value)
    if (bundle.folder / GOLD_FOLDER).is_dir():
        for _, stratum in sorted(open_gold(bundle).strata.items()):
            values.setdefault("depth", []).append(stratum.depth)
            values.setdefault("difficulty", []).append(stratum.difficulty)
    return values


def website_features(site: LoadedWebsite) -> dict[str, float]:
    """Return what can be counted of one website without its gold."""
    from selectolax.lexbor import LexborHTMLParser

    words = links = fields = 0
    for page in site.website.pages:
        if page.media_type != HTML:
            continue
        body = site.files[page.file]
        found = controls(body)
        links += len(found.links)
        fields += sum(len(form.fields) for form in found.forms)
        tree = LexborHTMLParser(body)
        for node in tree.css(HIDDEN):
            if node.tag != "head":
                node.decompose()
        words += len(folded(tree.body.text(separator=" ")) if tree.body else "")
    pages = max(1, len(site.website.pages))
    return {
        "bytes": sum(len(data) for data in site.files.values()),
        "pages": len(site.website.pages),
        "assets": len(site.website.assets),
        "transitions": len(site.website.transitions),
        "characters a page": words / pages,
        "links a page": links / pages,
        "fields": fields,
        "state variables": len(site.website.state),
    }


def ks_distance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the largest difference of two empirical distribution functions."""
    points = sorted({*first, *second})
    return max(
        abs(
            sum(1 for v in first if v <= point) / len(first)
            - sum(1 for v in second if v <= point) / len(second)
        )
        for point in points
    )


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b (Kendall 1945); None where one side is all ties."""
    agreeing = tied_first = tied_second = 0
    pairs = list(combinations(range(len(first)), 2))
    for a, b in pairs:
        one, two = first[a] - first[b], second[a] - second[b]
        tied_first += one == 0
        tied_second += two == 0
        agreeing += (one * two > 0) - (one * two < 0)
    scale = (len(pairs) - tied_first) * (len(pairs) - tied_second)
    return None if scale == 0 else agreeing / scale**0.5


def _rank_correlation(metric: str, first: Scores, second: Scores) -> RankCorrelation:
    one, two = _values(first, metric), _values(second, metric)
    both = sorted(one.keys() & two.keys())
    if len(both) < MIN_SYSTEMS:
        reason = f"fewer than {MIN_SYSTEMS} systems were scored on both"
        return RankCorrelation(metric=metric, systems=len(both), tau=None, reason=reason)
    tau = kendall_tau_b([one[name] for name in both], [two[name] for name in both])
    reason = "" if tau is not None else "every system has the same value on one of them"
    return RankCorrelation(metric=metric, systems=len(both), tau=tau, reason=reason)


def _values(scores: Scores, metric: str) -> dict[str, float]:
    """Return a metric's defined values by system, the first repeat of each."""
    found: dict[str, float] = {}
    for row in scores.systems:
        for each in row.metrics:
            if each.metric_id == metric and each.value is not None:
                found.setdefault(row.name, each.value)
    return found
