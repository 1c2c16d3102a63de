"""What an audit by people found of designed labels: estimates, intervals, and for whom they hold.

The figures are made in `annotation.label_audit`; scores and report print them.
"""

from __future__ import annotations

from typing import Literal

from riskchainbench.core.record import Record


class ErrorFigure(Record):
    """The label errors of one group of websites.

    `decision_errors` and `joint_errors` count the audited websites that people gave another
    decision, or another decision or type. `error` is the joint error estimated for all
    `websites` of the group, each stratum weighed by its share of them; `low` and `high` bound
    its 95 % interval. All three are None where nothing of the group was audited.
    """

    name: str
    websites: int
    audited: int
    decision_errors: int
    joint_errors: int
    error: float | None
    low: float | None
    high: float | None


class LabelAudit(Record):
    """The estimated share of designed labels that people resolve otherwise.

    `strata` are those of the sample: decision, type and language together.
    """

    schema_version: Literal["label-audit/1"] = "label-audit/1"
    simulated: bool
    websites: int
    audited: int
    decision_error: float
    joint_error: float
    low: float
    high: float
    strata: tuple[ErrorFigure, ...] = ()
    decisions: tuple[ErrorFigure, ...] = ()
    types: tuple[ErrorFigure, ...] = ()
    languages: tuple[ErrorFigure, ...] = ()

    def claim(self) -> str:
        """Return what may be said of the labels in place of “designed, unaudited”."""
        who = "simulated annotators" if self.simulated else "people"
        return (
            f"designed, audited by {who} on {self.audited} of {self.websites}: "
            f"{100 * self.joint_error:.1f} % error "
            f"(95 % interval {100 * self.low:.1f} to {100 * self.high:.1f} %)"
        )

    def without_groups(self) -> LabelAudit:
        """Return the overall figures alone; groups may tell of single websites."""
        return self.but(strata=(), decisions=(), types=(), languages=())
