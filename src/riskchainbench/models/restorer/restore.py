"""The restorer itself: the order in which a message is undone, and the answer it gives."""

from __future__ import annotations

from dataclasses import dataclass

from riskchainbench.core.restoration import (
    MAX_CANDIDATES,
    EntryCandidate,
    Restoration,
    RestorationTask,
    RestoredMessage,
)
from riskchainbench.core.text import gate
from riskchainbench.models.restorer.entry import FoundEntry, find_entries
from riskchainbench.models.restorer.homophones import repair
from riskchainbench.models.restorer.intent import intent_of
from riskchainbench.models.restorer.layout import join_breaks
from riskchainbench.models.restorer.marks import drop_marks
from riskchainbench.models.restorer.ranking import rank_entries
from riskchainbench.models.restorer.tokens import strip_tokens


@dataclass(frozen=True)
class RestoredText:
    """One message undone: its text, and each entry with where it starts in that text."""

    text: str
    entries: tuple[tuple[int, FoundEntry], ...]


class RulesRestorer:
    """Restores message variants by rules; holds no state between tasks."""

    def restore(self, task: RestorationTask) -> Restoration:
        """Return the restoration of `task`; the same task always gives the same answer."""
        texts = [restore_text(message.content, task.platform) for message in task.messages]
        ranked = rank_entries([(text.text, text.entries) for text in texts])[:MAX_CANDIDATES]
        return Restoration(
            messages=tuple(
                RestoredMessage(message_id=message.message_id, text=text.text)
                for message, text in zip(task.messages, texts, strict=True)
            ),
            intent=intent_of("\n".join(text.text for text in texts), has_entry=bool(ranked)),
            candidates=tuple(
                EntryCandidate(rank=rank, value=value, confidence=confidence)
                for rank, (value, confidence) in enumerate(ranked, start=1)
            ),
            abstain=not ranked,
        )


def restore_text(content: str, platform: str) -> RestoredText:
    """Undo one message: tokens, then the entries, then what stands around them."""
    content, _ = gate(content)
    stripped = strip_tokens(content, platform)
    noisy = stripped.count > 0
    out: list[str] = []
    length = 0
    entries: list[tuple[int, FoundEntry]] = []
    place = 0
    for entry in find_entries(stripped.text, stripped.mark):
        before = _around(stripped.text[place : entry.start], stripped.mark, noisy=noisy)
        length += len(before)
        entries.append((length, entry))
        out += [before, entry.value]
        length += len(entry.value)
        place = entry.stop
    out.append(_around(stripped.text[place:], stripped.mark, noisy=noisy))
    return RestoredText("".join(out), tuple(entries))


def _around(text: str, mark: str, *, noisy: bool) -> str:
    return repair(drop_marks(join_breaks(text, mark), noisy=noisy))
