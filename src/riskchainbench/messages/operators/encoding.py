"""The entry in the writing of machines: defanged, punycode, percent and base-N forms."""

from __future__ import annotations

import base64
from collections.abc import Callable
from random import Random

from riskchainbench.messages.drafts import ENTRY, Draft, DraftMessage, Proposal
from riskchainbench.messages.lexicons import Lexicon
from riskchainbench.messages.operators.dot_alteration import entry_dots

DEFANGED = "defanged_dots"
PUNYCODE = "punycode"
PERCENT = "percent_encoding"
BASE_N = "base_n_encoding"

_DEFANGED_DOTS = ("[.]", "(.)", "[dot]", "(点)", "{.}")


def propose_defanged(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write the dots of the entry in one of the forms that keep a link from being one."""
    del lexicon
    form = random.choice(_DEFANGED_DOTS)
    return [
        Proposal(message.message_id, dot, dot + 1, form, "dot")
        for message in draft.messages
        for dot in entry_dots(message)
    ]


def propose_punycode(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write the first label of the entry with a confusable letter, as its ``xn--`` form."""
    proposals = []
    for message, start, end in _entries(draft):
        label = message.text[start:end].split(".", 1)[0]
        letters = [at for at, character in enumerate(label) if character.isalpha()]
        if not letters or not all(message.untouched(start + at) for at in range(len(label))):
            continue
        at = random.choice(letters)
        shown = label[:at] + lexicon.confusables[label[at]][0] + label[at + 1 :]
        form = "xn--" + shown.encode("punycode").decode("ascii")
        proposals.append(
            Proposal(message.message_id, start, start + len(label), form, "first label")
        )
    return proposals


def propose_percent(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write every byte of the entry as a percent code (RFC 3986, section 2.1)."""
    del random, lexicon
    return _whole(draft, lambda data: "".join(f"%{byte:02X}" for byte in data), "percent")


def propose_base_n(draft: Draft, random: Random, lexicon: Lexicon) -> list[Proposal]:
    """Write the entry in base 64, base 32 or base 16 (RFC 4648)."""
    del lexicon
    name, encode = random.choice(
        (("base64", base64.b64encode), ("base32", base64.b32encode), ("base16", base64.b16encode))
    )
    return _whole(draft, lambda data: encode(data).decode("ascii"), name)


def _entries(draft: Draft) -> list[tuple[DraftMessage, int, int]]:
    return [
        (message, start, end)
        for message in draft.messages
        for start, end in message.whole_runs(ENTRY)
    ]


def _whole(draft: Draft, encode: Callable[[bytes], str], rule: str) -> list[Proposal]:
    return [
        Proposal(
            message.message_id, start, end, encode(message.text[start:end].encode("utf-8")), rule
        )
        for message, start, end in _entries(draft)
    ]
