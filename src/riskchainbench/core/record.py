"""The base of every record that is written to disk or handed from one room to another."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from riskchainbench.core.hashing import canonical_json


class Record(BaseModel):
    """A frozen value with a closed set of fields.

    Records that stand alone in a file add a ``schema_version`` literal.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    def to_json(self) -> str:
        """Return the record as one canonical JSON line, without a newline."""
        return canonical_json(self.model_dump(mode="json"))

    def but(self, **changes: Any) -> Self:
        """Return a copy with `changes`, validated like a new record."""
        return type(self).model_validate({**dict(self), **changes})
