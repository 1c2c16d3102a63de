"""A system run under a variant of the protocol: its name says so in every table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riskchainbench.core.system import AnyRequest, Reply, System


class MarkedSystem:
    """A system with the names of what was left out or changed for it.

    It answers exactly as the system it wraps; the stages do the leaving out.
    """

    def __init__(self, inner: System, marks: Sequence[str]) -> None:
        self.inner = inner
        self._marks = tuple(marks)

    @property
    def name(self) -> str:
        """The system's name with its marks."""
        return f"{self.inner.name} [{', '.join(self._marks)}]"

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """The system's settings, its own name and the marks."""
        return {**self.inner.settings, "base": self.inner.name, "marks": ", ".join(self._marks)}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        """Answer one request.

        Raises:
            SystemFailureError: as the system it wraps.
        """
        return await self.inner.reply(unit_id, request)
