"""Times the message half of a full build: 600 sessions, 3,600 variants, traces and audits.

    python benchmarks/messages.py [SESSIONS]

Prints wall and processor seconds of each part, the peak memory, and the ratio to a plain
build that makes every edit a stage of its own: it splits the text, hashes the session and
looks readings up anew for each, and walks back through as many stages.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar
from unittest.mock import patch

from riskchainbench.messages import build
from riskchainbench.messages.audit import audit
from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import load_lexicon
from riskchainbench.messages.operators import homophone
from riskchainbench.messages.readings import readings
from riskchainbench.messages.records import SourceSession
from riskchainbench.messages.sources import build_sources

T = TypeVar("T")


def timed(label: str, work: Callable[[], T]) -> tuple[T, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    cpu = time.process_time() - cpu
    print(f"{label}: {time.perf_counter() - wall:.2f} s wall, {cpu:.2f} s cpu", flush=True)
    return result, cpu


class PlainDraft(Draft):
    """A draft that records one stage an edit and remembers nothing between edits."""

    def apply(self, operator: str, proposals: Sequence[Proposal]) -> None:
        for proposal in sorted(proposals, key=lambda p: (p.start, p.end), reverse=True):
            readings.cache_clear()
            if operator == homophone.OPERATOR:
                readings(proposal.after)
            self.identity = self._hashed()
            super().apply(operator, [proposal])


def plainly(sources: Sequence[SourceSession]) -> None:
    with patch.object(build, "Draft", PlainDraft):
        audit(build.build_sessions(1, sources))


def main(count: int) -> None:
    timed("lexicon", load_lexicon)
    sources, first = timed(f"{count} sources", lambda: build_sources(1, count))
    built, second = timed("variants with traces", lambda: build.build_sessions(1, sources))
    report, third = timed("all audits", lambda: audit(built))
    total = first + second + third
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{report.variants} variants, {report.edits} edits: {total:.2f} s cpu, {memory:.0f} MB")
    _, plain = timed("the same with one stage an edit", lambda: plainly(sources))
    print(f"ratio: {plain / (second + third):.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
