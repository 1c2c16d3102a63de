"""The audit that the rhetoric of messages tells nothing of the websites they lead to.

Messages and websites are paired by chance; this shows that chance kept them apart, so that a
suggestive message is no hint at a violation (paper, section 3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from riskchainbench.bundle import Gold
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import PRIMARY_VARIANT
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream

PERMUTATIONS = 2000
MAX_P = 0.001
MIN_V = 0.2
"""An association counts if chance hardly makes it and it is more than weak."""

_Counts = NDArray[np.float64]


class RhetoricAudit(Record):
    """How far a message attribute goes with the website's decision.

    `cramers_v` is 0 for none and 1 for full association; `p` is the share of random pairings
    that associate at least as much.
    """

    attribute: str
    websites: int
    cramers_v: float
    p: float

    @property
    def independent(self) -> bool:
        """Whether the association is weak or within chance."""
        return self.p > MAX_P or self.cramers_v < MIN_V


def audit_rhetoric(gold: Gold) -> tuple[RhetoricAudit, ...]:
    """Audit theme, intent and platform of the sessions against their websites' decisions.

    Websites without a label tell nothing and are left out.
    """
    primary = [
        sample
        for sample in gold.samples.values()
        if sample.variant == PRIMARY_VARIANT and sample.case_id in gold.labels
    ]
    if not primary:
        return ()
    decisions = _codes([gold.labels[sample.case_id].decision.value for sample in primary])
    return tuple(
        _audit(attribute, _codes([str(getattr(s, attribute)) for s in primary]), decisions)
        for attribute in ("theme", "intent", "platform")
    )


def check_rhetoric(gold: Gold) -> None:
    """Check that no message attribute goes with the decision.

    Raises:
        InputError: naming the attribute and how strong the association is.
    """
    for found in audit_rhetoric(gold):
        if not found.independent:
            raise InputError(
                f"rhetoric: {found.attribute} tells of the decision (Cramér's V "
                f"{found.cramers_v:.2f}, permutation p {found.p:.4f}); build with another seed"
            )


def _codes(values: list[str]) -> NDArray[np.int64]:
    return np.unique(np.array(values), return_inverse=True)[1].astype(np.int64)


def _audit(attribute: str, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> RhetoricAudit:
    """Test a contingency table by permuting its columns (Pearson's chi-square as statistic)."""
    observed = _chi_square(rows, columns)
    draw = np.random.default_rng(stream(0, "rhetoric", attribute).getrandbits(64))
    at_least = sum(
        _chi_square(rows, draw.permutation(columns)) >= observed - 1e-9 for _ in range(PERMUTATIONS)
    )
    smaller = min(rows.max(initial=0), columns.max(initial=0))
    v = float(np.sqrt(observed / (len(rows) * smaller))) if smaller else 0.0
    p = (at_least + 1) / (PERMUTATIONS + 1)
    return RhetoricAudit(attribute=attribute, websites=len(rows), cramers_v=v, p=p)


def _chi_square(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> float:
    table: _Counts = np.zeros((rows.max() + 1, columns.max() + 1))
    np.add.at(table, (rows, columns), 1.0)
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / len(rows)
    return float(((table - expected) ** 2 / expected).sum())
