"""The leak audit: does anything known before the first observation tell the label?

Fixed classifiers score every website from folds that do not hold its contrast set; the
scores' AUC is tested against labels shuffled within sets, Holm-corrected over all tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from riskchainbench.checks.audited import ENOUGH, AuditedWebsite, Floats, set_numbers
from riskchainbench.core.decisions import Decision
from riskchainbench.core.record import Record
from riskchainbench.statistics.intervals import holm

AUC_LIMIT, P_LIMIT = 0.55, 0.01
PERMUTATIONS = 2000
_FOLDS = 5
_TARGETS = (Decision.VIOLATION, Decision.INSUFFICIENT_EVIDENCE)


class LeakTest(Record):
    """One classifier against one label; `p` is Holm-corrected."""

    classifier: str
    target: Decision
    auc: float
    p: float

    @property
    def fails(self) -> bool:
        """Whether the label can be told."""
        return self.auc > AUC_LIMIT and self.p < P_LIMIT


class LeakAudit(Record):
    """What the audit found; under `ENOUGH` websites there are no tests."""

    schema_version: Literal["leak-audit/1"] = "leak-audit/1"
    websites: int
    unequal_sets: tuple[str, ...]
    tests: tuple[LeakTest, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        """What is wrong, one line each."""
        return (
            *(f"{name}: its members differ before the first page" for name in self.unequal_sets),
            *(
                f"{t.classifier} tells {t.target} with AUC {t.auc:.3f} (p = {t.p:.4f})"
                for t in self.tests
                if t.fails
            ),
        )


def audit_leak(websites: Sequence[AuditedWebsite], seed: int) -> LeakAudit:
    """Test whether model-visible metadata tells V from the rest, or U from the rest."""
    features = np.array([website.metadata for website in websites])
    unequal = _unequal_sets(websites, features[:, 1:])
    if len(websites) < ENOUGH:
        return LeakAudit(websites=len(websites), unequal_sets=unequal, tests=())
    from riskchainbench.checks import classifiers

    groups = set_numbers(websites)
    found: list[tuple[str, Decision, float, float]] = []
    for target in _TARGETS:
        labels = np.array([website.decision is target for website in websites])
        shuffled = shuffles(labels, groups, seed)
        for name, make in _classifiers():
            scores = _out_of_fold(make, features, labels, groups)
            auc = float(classifiers.roc_auc_score(labels, scores))
            null = _aucs(scores, shuffled)
            p = (1 + int(np.sum(null >= auc - 1e-12))) / (1 + len(null))
            found.append((name, target, auc, p))
    adjusted = holm([p for *_, p in found])
    return LeakAudit(
        websites=len(websites),
        unequal_sets=unequal,
        tests=tuple(
            LeakTest(classifier=name, target=target, auc=round(auc, 6), p=round(p, 6))
            for (name, target, auc, _), p in zip(found, adjusted, strict=True)
        ),
    )


def _classifiers() -> tuple[tuple[str, Callable[[], Any]], ...]:
    from riskchainbench.checks.classifiers import logistic, nearest, trees

    return ("logistic", logistic), ("boosted trees", trees), ("1-NN", nearest)


def shuffles(labels: NDArray[np.bool_], groups: NDArray[np.int64], seed: int) -> NDArray[np.bool_]:
    """Return labels shuffled within groups, a row a permutation."""
    rng = np.random.Generator(np.random.PCG64(seed % 2**63))
    rows = np.empty((PERMUTATIONS, len(labels)), dtype=bool)
    home = np.argsort(groups, kind="stable")
    for row in rows:
        order = np.lexsort((rng.random(len(labels)), groups))
        row[home] = labels[order]
    return rows


def _unequal_sets(websites: Sequence[AuditedWebsite], features: Floats) -> tuple[str, ...]:
    seen: dict[str, bytes] = {}
    unequal: dict[str, None] = {}
    for website, row in zip(websites, features, strict=True):
        name = website.stratum.contrast_set
        if seen.setdefault(name, row.tobytes()) != row.tobytes():
            unequal[name] = None
    return tuple(unequal)


def _out_of_fold(
    make: Callable[[], Any],
    features: Floats,
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
) -> Floats:
    from riskchainbench.checks.classifiers import GroupKFold

    scores = np.empty(len(labels))
    for train, test in GroupKFold(_FOLDS).split(features, labels, groups):
        model = make().fit(features[train], labels[train])
        scores[test] = model.predict_proba(features[test])[:, 1]
    return scores


def _aucs(scores: Floats, labels: NDArray[np.bool_]) -> Floats:
    """Return the AUC of `scores` for every row of labels, ties counted half."""
    order = np.unique(scores, return_inverse=True)[1]
    counts = np.bincount(order)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[order]
    positive = labels.sum(axis=1)
    negative = labels.shape[1] - positive
    above = labels @ ranks - positive * (positive + 1) / 2
    return np.asarray(above / (positive * negative), dtype=np.float64)
