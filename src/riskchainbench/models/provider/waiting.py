"""What the calls of a run are waiting for, in a few words for a progress line."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Waiting:
    """Calls under way and pauses between attempts, with the reason of the latest."""

    calls: int = 0
    pauses: int = 0
    reason: str = ""
    seconds: float = 0.0
    retries: int = field(default=0)

    def told(self) -> str:
        """Return one phrase; empty when nothing is waited for."""
        if self.pauses:
            return f"provider: {self.reason}; {self.pauses} paused, up to {self.seconds:.0f} s"
        if self.calls:
            return f"provider: {self.calls} calls under way"
        return ""

    def pausing(self, reason: str, seconds: float) -> None:
        """Note that an attempt failed and a pause begins."""
        self.pauses += 1
        self.retries += 1
        self.reason, self.seconds = reason, seconds

    def resumed(self) -> None:
        """Note that a pause is over."""
        self.pauses -= 1
