"""The shortcut audit: can the label be told without reading what decides it?

Classifiers that know nothing of evidence are given the pages' words with the decisive
paragraphs masked, the pages' element counts, and first pages where evidence comes later.
Folds hold whole scenarios, so that nothing is learnt by heart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from riskchainbench.checks.audited import AuditedWebsite, numbered, set_numbers
from riskchainbench.checks.grams import gram_counts
from riskchainbench.core.decisions import Decision
from riskchainbench.core.record import Record
from riskchainbench.statistics.bootstrap import draw_matrix
from riskchainbench.websites.texts import BANKS, scenarios

CHANCE = 1 / len(Decision)
MARGIN = 0.05
_FOLDS = 5
_LEVEL = 0.975

Labels = NDArray[np.int64]


class ShortcutTest(Record):
    """One kind of shortcut: balanced accuracy and its upper 95 % bound over contrast sets.

    A `printed` test is no verdict: it says what the wording around the evidence gives away.
    """

    name: str
    websites: int
    accuracy: float
    upper: float
    printed: bool = False

    @property
    def fails(self) -> bool:
        """Whether the label can be told."""
        return not self.printed and self.upper >= CHANCE + MARGIN

    @property
    def line(self) -> str:
        """The figures in one line."""
        told = f"balanced accuracy {self.accuracy:.3f}, upper bound {self.upper:.3f}"
        verdict = " (no verdict)" if self.printed else ""
        return f"shortcut: {self.name}: {told} over {self.websites} websites{verdict}"


class ShortcutAudit(Record):
    """What the audit found."""

    schema_version: Literal["shortcut-audit/1"] = "shortcut-audit/1"
    tests: tuple[ShortcutTest, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        """What is wrong, one line each."""
        return shortcut_findings(self.tests)


def shortcut_findings(tests: Sequence[ShortcutTest]) -> tuple[str, ...]:
    """Return the tests that fail, one line each."""
    return tuple(
        f"{t.name}: balanced accuracy {t.accuracy:.3f}, upper bound {t.upper:.3f} is not below "
        f"{CHANCE + MARGIN:.3f}"
        for t in tests
        if t.fails
    )


def audit_shortcuts(websites: Sequence[AuditedWebsite], seed: int) -> ShortcutAudit:
    """Test words, shapes and first pages of whole contrast sets."""
    from riskchainbench.checks.classifiers import trees, words

    whole = whole_sets(websites)
    later = evidence_later(whole)
    return ShortcutAudit(
        tests=tuple(
            test
            for test in (
                shortcut_test("words, decisive paragraphs masked", whole, _masked, words, seed),
                shortcut_test("element counts", whole, _shapes, trees, seed),
                shortcut_test("first page, evidence later", later, _first_pages, words, seed),
                shortcut_test("words around evidence", whole, _bare, words, seed, printed=True),
                _across_banks("other phrase bank", whole, seed),
            )
            if test is not None
        )
    )


def whole_sets(websites: Sequence[AuditedWebsite]) -> list[AuditedWebsite]:
    """Return the websites of sets that have one for each decision."""
    sizes: dict[str, int] = {}
    for website in websites:
        name = website.stratum.contrast_set
        sizes[name] = sizes.get(name, 0) + 1
    return [w for w in websites if sizes[w.stratum.contrast_set] == len(Decision)]


def evidence_later(websites: Sequence[AuditedWebsite]) -> list[AuditedWebsite]:
    """Return the websites of sets whose first pages show no evidence."""
    early = {w.stratum.contrast_set for w in websites if not w.shows_evidence_later}
    return [w for w in websites if w.stratum.contrast_set not in early]


def _masked(websites: Sequence[AuditedWebsite]) -> Any:
    return gram_counts([website.masked_text for website in websites])


def _first_pages(websites: Sequence[AuditedWebsite]) -> Any:
    return gram_counts([website.masked_first_page for website in websites])


def _bare(websites: Sequence[AuditedWebsite]) -> Any:
    return gram_counts([website.bare_text for website in websites])


def _shapes(websites: Sequence[AuditedWebsite]) -> Any:
    return np.array([website.shape for website in websites])


def shortcut_test(
    name: str,
    websites: Sequence[AuditedWebsite],
    features_of: Callable[[Sequence[AuditedWebsite]], Any],
    make: Callable[[], Any],
    seed: int,
    *,
    printed: bool = False,
) -> ShortcutTest | None:
    """Test how well a classifier tells the labels of scenarios that it did not learn from.

    Args:
        name: of the test.
        websites: whole contrast sets.
        features_of: gives a row of features a website.
        make: gives an untrained classifier.
        seed: draws the sets for the bound.
        printed: whether the test is no verdict.

    Returns:
        The test, or None where there are fewer than two scenarios.
    """
    groups = numbered([website.stratum.scenario for website in websites])
    folds = min(_FOLDS, len(set(groups.tolist())))
    if folds < 2:
        return None
    from riskchainbench.checks.classifiers import GroupKFold

    features, labels = features_of(websites), _labels(websites)
    told = np.empty(len(labels), dtype=np.int64)
    for train, test in GroupKFold(folds).split(labels, labels, groups):
        told[test] = make().fit(features[train], labels[train]).predict(features[test])
    accuracy, upper = _balanced(labels, told, set_numbers(websites), seed)
    return ShortcutTest(
        name=name, websites=len(websites), accuracy=accuracy, upper=upper, printed=printed
    )


def _across_banks(name: str, websites: Sequence[AuditedWebsite], seed: int) -> ShortcutTest | None:
    """Train on the websites of one phrase bank and test on those of the other, whole words."""
    banks = {scenario.scenario: scenario.bank for scenario in scenarios()}
    train = [w for w in websites if banks.get(w.stratum.scenario) == BANKS[0]]
    test = [w for w in websites if banks.get(w.stratum.scenario) == BANKS[1]]
    if not train or not test:
        return None
    from riskchainbench.checks.classifiers import words

    model = words().fit(_bare(train), _labels(train))
    told = model.predict(_bare(test))
    accuracy, upper = _balanced(_labels(test), told, set_numbers(test), seed)
    return ShortcutTest(name=name, websites=len(test), accuracy=accuracy, upper=upper, printed=True)


def _labels(websites: Sequence[AuditedWebsite]) -> Labels:
    order = list(Decision)
    return np.array([order.index(website.decision) for website in websites], dtype=np.int64)


def _balanced(
    labels: Labels, told: Labels, groups: NDArray[np.int64], seed: int
) -> tuple[float, float]:
    """Return the balanced accuracy and its upper bound, sets drawn with replacement.

    Every set has one website a label, so balanced accuracy is the share told rightly.
    """
    per_set = np.bincount(groups, weights=labels == told)
    drawn = draw_matrix(seed % 2**32, len(per_set)).weights @ per_set / len(labels)
    accuracy = float(np.mean(labels == told))
    return round(accuracy, 6), round(float(np.quantile(drawn, _LEVEL)), 6)
