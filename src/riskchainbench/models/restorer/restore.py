"""The restorer itself: the order in which a message is undone, and the answer it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riskchainbench.core.restoration import (
    MAX_CANDIDATES,
    EntryCandidate,
    Restoration,
    RestorationTask,
    RestoredMessage,
)
from riskchainbench.core.text import gate
from riskchainbench.models.restorer.entry import TALL, FoundEntry, find_entries
from riskchainbench.models.restorer.intent import NAME, intent_of
from riskchainbench.models.restorer.layout import join_breaks, own_lines
from riskchainbench.models.restorer.marks import drop_marks
from riskchainbench.models.restorer.ranking import Placed, rank_entries
from riskchainbench.models.restorer.sentence import Doubt, Reading, read
from riskchainbench.models.restorer.tampering import Signs, likeliest
from riskchainbench.models.restorer.tokens import strip_tokens


@dataclass(frozen=True)
class _Opened:
    """One message with its tokens and marks gone and its entries found.

    `around` has one stretch more than there are entries: they alternate.
    """

    around: tuple[str, ...]
    entries: tuple[FoundEntry, ...]
    noisy: bool


class RulesRestorer:
    """Restores message variants by rules; holds no state between tasks."""

    def restore(self, task: RestorationTask) -> Restoration:
        """Return the restoration of `task`; the same task always gives the same answer."""
        opened = [_open(message.content, task.platform) for message in task.messages]
        signs = Signs(
            codes=any(one.noisy for one in opened),
            tall=any(entry.layout == TALL for one in opened for entry in one.entries),
        )
        read = likeliest(lambda doubt: [_read(one, doubt) for one in opened], signs)
        placed = [_close(one, parts) for one, parts in zip(opened, read, strict=True)]
        ranked = rank_entries(placed)[:MAX_CANDIDATES]
        return Restoration(
            messages=tuple(
                RestoredMessage(message_id=message.message_id, text=text)
                for message, (text, _) in zip(task.messages, placed, strict=True)
            ),
            intent=intent_of("\n".join(_masked(text, places) for text, places in placed)),
            candidates=tuple(
                EntryCandidate(rank=rank, value=value, confidence=confidence)
                for rank, (value, confidence) in enumerate(ranked, start=1)
            ),
            abstain=not ranked,
        )


def _open(content: str, platform: str) -> _Opened:
    content, _ = gate(content)
    stripped = strip_tokens(content.replace("\r\n", "\n"), platform)
    entries = find_entries(stripped.text, stripped.mark)
    around: list[str] = []
    place = 0
    for entry in entries:
        start, place_after = own_lines(stripped.text, stripped.mark, entry)
        around.append(stripped.text[place:start])
        place = place_after
    around.append(stripped.text[place:])
    noisy = stripped.count > 0
    cleaned = (drop_marks(join_breaks(part, stripped.mark), noisy=noisy) for part in around)
    return _Opened(tuple(cleaned), tuple(entries), noisy)


def _read(opened: _Opened, doubt: Doubt) -> list[Reading]:
    last = len(opened.around) - 1
    return [read(part, doubt, before_name=place < last) for place, part in enumerate(opened.around)]


def _close(opened: _Opened, read: Sequence[Reading]) -> Placed:
    """Return the restored text, and its entries each with the place where it starts there."""
    parts = [part.text for part in read]
    out = [parts[0]]
    length = len(out[0])
    places: list[tuple[int, FoundEntry]] = []
    for entry, after in zip(opened.entries, parts[1:], strict=True):
        places.append((length, entry))
        out += [entry.value, after]
        length += len(entry.value) + len(after)
    return "".join(out), places


def _masked(text: str, places: Sequence[tuple[int, FoundEntry]]) -> str:
    """Return `text` with NAME in the place of each entry."""
    out: list[str] = []
    place = 0
    for start, entry in places:
        out += [text[place:start], NAME]
        place = start + len(entry.value)
    return "".join([*out, text[place:]])
