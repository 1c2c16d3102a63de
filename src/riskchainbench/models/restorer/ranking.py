"""Orders the names that a session spells: which one its reader is sent to, and how surely."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from riskchainbench.models.restorer.entry import FoundEntry

_STALE = regex.compile(
    r"旧|老站|老地址|以前|之前|原来|原先|过期|失效|作废|停用|关闭|关了|停了|不用了"
    r"|(?:别|不要|勿)(?:用|点|去|进|加|搜|填|扫|信|打|走|关注|理)|没用|测试"
    r"|打不开|进不去|登不上|没用了|已下线|废弃|弃用|假的|仿冒|不是"
)
_FRESH = regex.compile(
    r"新|现在|改成|换成|换到|搬到|改到|认准|以.{0,4}为准|用这个|最新|正确|请用|这次|只有"
)
_CLAUSE_END = regex.compile(r"[。！？；;!?\n]")
_PAUSE = regex.compile(r"[，。！？；,;!?\n]")
_REACH = 12
_TOP = 0.99
_SHARED = 0.95

Placed = tuple[str, Sequence[tuple[int, FoundEntry]]]


def rank_entries(texts: Sequence[Placed]) -> list[tuple[str, float]]:
    """Return values with confidences, best first and each value once.

    Wording that calls a name closed or old lowers it, wording that calls it new raises it;
    of two alike the later one stands first, since corrections come after what they correct.
    """
    named: list[tuple[float, str, tuple[str, ...]]] = []
    for number, (text, entries) in enumerate(texts):
        edges = [0, *(place + len(entry.value) for place, entry in entries)]
        starts = [*(place for place, _ in entries), len(text)]
        for index, (place, entry) in enumerate(entries):
            left = max(edges[index], place - _REACH)
            stop = place + len(entry.value)
            right = min(starts[index + 1], stop + _REACH)
            after = text[stop:right]
            if right < len(text) and right == starts[index + 1]:
                after = _before_the_last_pause(after)
            weight = _standing(text[left:place], after)
            weight += 0.001 * (number + place / 1e7)
            named.append((weight, entry.value, entry.others))
    named.sort(key=lambda one: -one[0])
    values = list(dict.fromkeys(value for _, value, _ in named))
    alternatives = dict.fromkeys(other for _, _, others in named for other in others)
    if not values:
        return []
    top = _TOP if len(values) == 1 else _SHARED
    ranked = [(values[0], top)]
    rest = [*values[1:], *(value for value in alternatives if value not in values)]
    for position, value in enumerate(rest, start=2):
        ranked.append((value, round((1 - top) / position, 4)))
    return ranked


def _before_the_last_pause(text: str) -> str:
    """Return `text` without what leads up to the name that follows it."""
    pauses = [match.start() for match in _PAUSE.finditer(text)]
    return text[: pauses[-1]] if pauses else text


def _standing(before: str, after: str) -> float:
    """Return how the words on either side of a name speak of it: above zero is well."""
    before = _CLAUSE_END.split(before)[-1]
    after = _PAUSE.split(after.lstrip("，, "))[0]
    stale = bool(_STALE.search(before)) + bool(_STALE.search(after))
    return float(bool(_FRESH.search(before)) - stale)
