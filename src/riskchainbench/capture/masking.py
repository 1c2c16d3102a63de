"""Replaces what names somebody by safe stand-ins, the same everywhere in a website.

Hosts of the capture, mail addresses, telephone, account, wallet, card and identity numbers,
keys, and names from a list. The scan for live identifiers (`messages.identifiers`) is the
check: what it still finds is replaced as well, and what cannot be is counted as left.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from riskchainbench.messages.identifiers import (
    Finding,
    IdentifierKind,
    find_live_identifiers,
    is_reserved,
)

_FLAGS = re.IGNORECASE | re.ASCII
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_EMAIL = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{1,64}}@(?:{_LABEL}\.){{1,8}}[a-z]{{2,24}}(?![\w-])", _FLAGS
)
_ADDRESS = re.compile(
    r"(?<![a-z])((?:https?|ftp|wss?):)?//(?:[^\s/@\"'<>]{1,64}@)?"
    rf"((?:{_LABEL}\.){{1,8}}{_LABEL})(:\d{{1,5}})?(?![\w-])",
    _FLAGS,
)
_IDENTITY = re.compile(r"(?<![0-9A-Za-z])[1-9]\d{5}(?:19|20)\d{9}[\dXx](?![0-9A-Za-z])")
_CARD = re.compile(r"(?<![\d.])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\d]|\.\d)")
_PHONES = (
    re.compile(r"(?<![\d.])(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\d]|\.\d)"),
    re.compile(r"(?<![\w.-])[48]00[ -]\d{3,4}[ -]\d{3,4}(?![\w-])", re.ASCII),
    re.compile(r"(?<![\w.-])\(?0\d{2,3}[ )-]{1,2}\d{7,8}(?![\w-])", re.ASCII),
    re.compile(r"(?<![\w.])\+\d{1,3}[ ()-]{0,2}\d{1,4}(?:[ ()-]{0,2}\d{2,4}){2,4}(?!\w)", re.ASCII),
)
_WALLET = re.compile(
    r"(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,59}|T[1-9A-HJ-NP-Za-km-z]{33})"
    r"(?![A-Za-z0-9])"
)

_SHORT = 4
"""Letters from which on a Latin name is looked for inside of words, too."""

_MAX_WRITTEN = 20_000

_SAFE_ADDRESS = ("127.", "0.0.0.0", "192.0.2.", "198.51.100.", "203.0.113.")


class Masker:
    """Gives each original its stand-in, once, and counts the kinds.

    Args:
        hosts: the capture's own host names.
        names: words to replace wherever they stand, in any case.
    """

    def __init__(self, hosts: Iterable[str] = (), names: Iterable[str] = ()) -> None:
        self.counts: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self._given: dict[tuple[str, str], str] = {}
        self._written: dict[str, None] = {}
        self._numbers: Counter[str] = Counter()
        self._cache: dict[str, str] = {}
        own = sorted({h for host in hosts for h in _variants(host)}, key=lambda h: (-len(h), h))
        self._hosts = _words(own, r"(?<![\w-])", r"(?![\w-])")
        names = sorted({n.strip() for n in names if n.strip()}, key=lambda n: (-len(n), n))
        self._listed = (*own, *names)
        self._names = _words(names, "", "", r"\s*")
        self._own = frozenset(own)

    def names_host(self, text: str) -> bool:
        """Tell whether `text` holds a host name of the capture, or the label it is known by."""
        folded = re.sub(r"[\s_-]", "", unicodedata.normalize("NFKC", text)).lower()
        known = {name for host in self._own for name in (host, _known_by(host)) if len(name) > 3}
        return any(name in folded for name in known)

    def text(self, text: str) -> str:
        """Return text that a person reads, with every original replaced."""
        found = self._cache.get(text)
        if found is None:
            found = self._checked(self.code(text))
            if len(text) < 2000 and len(self._cache) < 50_000:
                self._cache[text] = found
        return found

    def code(self, text: str) -> str:
        """Return a program, style or data with originals replaced; not scanned a second time."""
        if "@" in text:
            text = _EMAIL.sub(self._email, text)
        if "//" in text:
            text = _ADDRESS.sub(self._address, text)
        if self._hosts is not None:
            text = self._hosts.sub(lambda m: self._stand_in("host", m[0]), text)
        if self._names is not None:
            text = self._names.sub(lambda m: self._stand_in("name", m[0]), text)
        text = _WALLET.sub(lambda m: self._stand_in("wallet", m[0]), text)
        if re.search(r"\d{3}", text):
            text = _IDENTITY.sub(lambda m: self._stand_in("identity", m[0]), text)
            text = _CARD.sub(lambda m: self._card(m[0]), text)
            for pattern in _PHONES:
                text = pattern.sub(lambda m: self._stand_in("phone", m[0]), text)
        return text

    def spans(self, text: str) -> list[tuple[int, int, str, str]]:
        """Return where originals stand in `text`: start, end, kind, stand-in.

        What cannot be told apart is one span over the whole text.
        """
        masked = self.text(text)
        if masked == text:
            return []
        kinds = {stand_in: kind for (kind, _), stand_in in self._given.items()}
        known = "|".join(map(re.escape, sorted(kinds, key=lambda s: (-len(s), s))))
        parts = re.split(f"({known})", masked)
        pattern = "".join(
            "(.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts)
        )
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is None:
            return [(0, len(text), kinds.get(parts[1], "other"), " ".join(parts[1::2]))]
        spans = ((*found.span(n + 1), stand_in) for n, stand_in in enumerate(parts[1::2]))
        return [
            (start, end, kinds[stand_in], stand_in)
            for start, end, stand_in in spans
            if text[start:end] != stand_in
        ]

    def host(self, host: str) -> str:
        """Return the stand-in of a host name."""
        return self._stand_in("host", host)

    def report(self) -> Mapping[str, int]:
        """Return how many originals of each kind were replaced, by the kind's name."""
        return dict(sorted(self.counts.items()))

    def originals(self) -> tuple[str, ...]:
        """Return the capture's hosts, the listed names, and all that was replaced so far."""
        return (*self._listed, *self._written)

    def _email(self, match: re.Match[str]) -> str:
        name = match[0].rpartition("@")[2]
        return match[0] if is_reserved(name) else self._stand_in("e-mail", match[0])

    def _address(self, match: re.Match[str]) -> str:
        host = match[2].lower()
        if is_reserved(host) or host.startswith(_SAFE_ADDRESS):
            return match[0] if host not in self._own else f"{match[1] or ''}//{self.host(host)}"
        if host == "www.w3.org":  # names of XML vocabularies, which lead nowhere
            return match[0]
        return f"{match[1] or ''}//{self.host(host)}"

    def _card(self, text: str) -> str:
        digits = [int(c) for c in text if c.isdigit()]
        doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
        if (sum(digits[-1::-2]) + sum(doubled)) % 10:
            return text
        return self._stand_in("card", text)

    def _stand_in(self, kind: str, original: str) -> str:
        self.counts[kind] += 1
        if len(self._written) < _MAX_WRITTEN:
            self._written[original] = None
        key = (kind, _folded(kind, original))
        if key not in self._given:
            self._numbers[kind] += 1
            self._given[key] = _STAND_INS[kind](self._numbers[kind])
        return self._given[key]

    def _checked(self, text: str) -> str:
        """Replace what the scan for live identifiers still finds; count what stays."""
        if not _WORTH_SCANNING.search(text):
            return text
        findings = find_live_identifiers(text)
        if not findings:
            return text
        for finding in findings:
            text = self._without(text, finding)
        findings = find_live_identifiers(text)
        if findings:
            text = unicodedata.normalize("NFKC", text)
            for finding in findings:
                text = self._without(text, finding)
            for finding in find_live_identifiers(text):
                self.left[finding.kind.value] += 1
        return text

    def _without(self, text: str, finding: Finding) -> str:
        kind = _KINDS[finding.kind]
        literal = re.compile(re.escape(finding.text), re.IGNORECASE)
        changed = literal.sub(lambda m: self._stand_in(kind, m[0]), text)
        if changed != text:
            return changed
        # Written in another form: the whole run of characters that encodes it goes.
        run = re.compile(r"\S{1,4096}").match(text, min(finding.start, max(0, len(text) - 1)))
        if run is None:
            return text
        return text[: run.start()] + self._stand_in(kind, run[0]) + text[run.end() :]


_WORTH_SCANNING = re.compile(r"\d{4}|[.。·・•@点,]|dot|://|[A-Za-z0-9+/=_-]{16}|%|&|\\u")
_KINDS = {
    IdentifierKind.DOMAIN: "host",
    IdentifierKind.EMAIL: "e-mail",
    IdentifierKind.PHONE: "phone",
    IdentifierKind.ACCOUNT: "account",
    IdentifierKind.CARD: "card",
    IdentifierKind.CREDENTIAL: "key",
}
_STAND_INS = {
    "host": lambda n: f"host{n}.test",
    "e-mail": lambda n: f"person{n}@mail.test",
    "phone": lambda n: f"100-0000-{n % 10000:04d}",
    "account": lambda n: f"a{n % 10000:04d}",
    "wallet": lambda n: f"w{n % 10000:04d}",
    "card": lambda n: f"0000 0000 0000 {n % 10000:04d}",
    "identity": lambda n: f"00000000000000{n % 10000:04d}",
    "key": lambda n: f"key{n}",
    "name": lambda n: f"Name{n}",
}
"""Stand-ins under ``.test`` or of a form that no real number has."""


def _folded(kind: str, original: str) -> str:
    if kind in ("phone", "card", "identity"):
        return re.sub(r"\D", "", original)
    return original.lower()


def _variants(host: str) -> Iterable[str]:
    name = host.lower().rstrip(".")
    if not name or name in ("localhost", "saved.invalid"):
        return
    yield name
    if name.startswith("www."):
        yield name[4:]


def _known_by(host: str) -> str:
    """Return the label that a host is known by: the longest but for the last."""
    labels = host.split(".")[:-1] or [host]
    return max((label for label in labels if label != "www"), key=len, default=host)


def _words(words: list[str], before: str, after: str, gap: str = "") -> re.Pattern[str] | None:
    """Return a pattern of words; white space inside them may be any that `gap` says."""
    if not words:
        return None
    plain = [_gapped(word, gap) if gap else re.escape(word) for word in words]
    return re.compile(f"{before}(?:{'|'.join(plain)}){after}", re.IGNORECASE)


def _gapped(word: str, gap: str) -> str:
    """Return a pattern of a name; a short one in Latin letters counts as a whole word only."""
    pattern = gap.join(map(re.escape, word.split()))
    short = word.isascii() and len(word) < _SHORT
    return f"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])" if short else pattern
