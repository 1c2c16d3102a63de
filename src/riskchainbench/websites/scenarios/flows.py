"""The register of flows, by the name that a scenario gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from riskchainbench.websites.plan import Plan
from riskchainbench.websites.scenarios import acting, changing, ordering, reading
from riskchainbench.websites.scenarios.words import Words

FLOWS: Mapping[str, Callable[[Words], Plan]] = {
    "front": reading.front,
    "browse": reading.browse,
    "tabs": reading.tabs,
    "endless": reading.endless,
    "poster": reading.poster,
    "files": reading.files,
    "member": acting.member,
    "chat": acting.chat,
    "gate": acting.gate,
    "sign": acting.sign,
    "notice": changing.notice,
    "popup": changing.popup,
    "later": changing.later,
    "relay": changing.relay,
    "album": changing.album,
    "wallet": ordering.wallet,
    "order": ordering.order,
    "wizard": ordering.wizard,
    "talk": ordering.talk,
}
