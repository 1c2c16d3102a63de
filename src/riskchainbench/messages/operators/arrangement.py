"""The entry set apart: spaced, punctuated, in a grid, or down the heads of lines."""

from __future__ import annotations

from random import Random

from riskchainbench.core.text import clusters
from riskchainbench.messages.drafts import ENTRY, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon

SPACED = "spaced_entry"
PUNCTUATED = "punctuated_entry"
GRID = "grid"
ACROSTIC = "acrostic"

_BETWEEN = ("*", "_", "～", "|")
_BLANK = "　"


def propose_spaced(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Put a space between all characters of the entry."""
    del random, lexicon
    return _between(draft, " ", "space")


def propose_punctuated(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Put one and the same mark between all characters of the entry."""
    del lexicon
    return _between(draft, random.choice(_BETWEEN), "mark")


def propose_grid(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Set the entry in a grid that is read column by column, and say so."""
    rows = random.choice((3, 4))
    return [
        Proposal(message.message_id, start, end, _grid(draft, characters, rows, lexicon), "grid")
        for message, start, end, characters in _entries(draft)
    ]


def propose_acrostic(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Set the characters of the entry at the heads of lines of small talk, and say so."""
    proposals = []
    for message, start, end, characters in _entries(draft):
        fillers = lexicon.fillers["acrostic"]
        lines = [character + random.choice(fillers) for character in characters]
        text = draft.newline.join([lexicon.fillers["acrostic_hint"][0], *lines, ""])
        before = "" if start == 0 else draft.newline
        proposals.append(Proposal(message.message_id, start, end, before + text, "acrostic"))
    return proposals


def _between(draft: Draft, mark: str, rule: str) -> list[Proposal]:
    return [
        Proposal(message.message_id, gap, gap, mark, rule)
        for message in draft.messages
        for start, end in message.runs(ENTRY)
        for gap in sorted(message.boundaries)
        if start < gap < end
    ]


def _entries(draft: Draft) -> list[tuple[DraftMessage, int, int, list[str]]]:
    return [
        (message, start, end, clusters(message.text[start:end]))
        for message in draft.messages
        for start, end in message.whole_runs(ENTRY)
    ]


def _grid(draft: Draft, characters: list[str], rows: int, lexicon: Lexicon) -> str:
    columns = -(-len(characters) // rows)
    cells = characters + [_BLANK] * (rows * columns - len(characters))
    lines = [" ".join(cells[row::rows]) for row in range(rows)]
    hint = lexicon.fillers["grid_hint"][0]
    return draft.newline.join([hint, *lines, ""])
