"""The fixed classifiers of the audits and how their folds are cut.

Importing this takes seconds and a hundred megabytes, so audits import it where they begin.
"""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

__all__ = ["GroupKFold", "logistic", "nearest", "pictures", "roc_auc_score", "trees", "words"]


def logistic() -> Any:
    """A logistic regression."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))


def trees() -> Any:
    """Boosted trees."""
    return HistGradientBoostingClassifier(max_iter=40, random_state=0)


def nearest() -> Any:
    """The label of the nearest neighbor."""
    return make_pipeline(StandardScaler(), KNeighborsClassifier(1))


def words() -> Any:
    """A ridge classifier of weighted counts."""
    return make_pipeline(TfidfTransformer(), RidgeClassifier(random_state=0))


def pictures() -> Any:
    """A ridge classifier of points."""
    return make_pipeline(StandardScaler(), RidgeClassifier(alpha=100.0, random_state=0))
