"""Finds what could lead to somebody real: names, addresses, numbers, keys.

Everything in a benchmark is synthetic, and names stand under ``.test`` only; this scan is the
proof. It looks at text as it stands, in defanged form and decoded. It judges no content.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from urllib.parse import unquote

from riskchainbench.core.record import Record


class IdentifierKind(StrEnum):
    """What a finding would identify."""

    DOMAIN = "domain"
    EMAIL = "email"
    PHONE = "phone"
    ACCOUNT = "account"
    CARD = "card"
    CREDENTIAL = "credential"


class IdentifierForm(StrEnum):
    """How it was written."""

    PLAIN = "plain"
    DEFANGED = "defanged"
    ENCODED = "encoded"


class Finding(Record):
    """One live identifier; `start` is where it, or the passage that encodes it, begins."""

    kind: IdentifierKind
    form: IdentifierForm
    text: str
    start: int


RESERVED_SUFFIXES = (
    "test", "example", "invalid", "localhost", "example.com", "example.net", "example.org",
)  # fmt: skip
"""Names that belong to nobody (RFC 2606, RFC 6761)."""

_FLAGS = re.IGNORECASE | re.ASCII
"""Word boundaries are those of ASCII: a name may touch a Chinese character."""

_NAMESPACES = re.compile(r"https?://www\.w3\.org/(?:1998|1999|2000|XML)/[\w/#-]*")
"""XML names that look like addresses and are never fetched."""

_CORE = "com|net|org|cn"
_PLAIN_ENDINGS = (
    rf"{_CORE}|biz|cc|cf|club|de|edu|eu|fr|ga|gov|gq|hk|icu|io|jp|kr|mil|ml|ru|tk|tw|uk|us|vip|xyz"
)
_MORE_ENDINGS = (
    "ai|app|asia|at|be|ch|co|dev|fun|im|in|info|it|la|life|link|live|me|mobi|name|nl|online|pro|pw"
    "|shop|site|so|store|tech|to|top|tv|wang|website|work|world|ws"
)
"""Endings that are words of code or prose too, so that they tell only after ``www.``."""
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_NAME = rf"(?<![\w.@-])((?:{_LABEL}\.){{1,8}}[a-z][a-z0-9-]{{1,23}})(?![\w-]|\.[a-z0-9])"
_ANY_NAME = re.compile(_NAME, _FLAGS)
_LIVE_ENDING = re.compile(rf"\.(?:{_PLAIN_ENDINGS})$", _FLAGS)
_LIVE_WITHIN = re.compile(rf"\.(?:{_PLAIN_ENDINGS})(?![\w-])", _FLAGS)
_WORLD_WIDE = re.compile(
    rf"(?<![\w.-])(www\.(?:{_LABEL}\.){{1,8}}(?:{_PLAIN_ENDINGS}|{_MORE_ENDINGS}))(?![\w-])", _FLAGS
)
_ADDRESS = re.compile(
    rf"\b(?:https?|ftp|wss?)://(?:[^\s/@]{{1,64}}@)?"
    rf"((?:{_LABEL}\.){{0,8}}{_LABEL}|\[[0-9a-f:]+\])(?![\w-])",
    _FLAGS,
)
_SHORT_INVITATION = re.compile(r"(?<![\w.])(?:t\.me|wa\.me|discord\.gg|bit\.ly)/\w+", _FLAGS)
_EMAIL = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{1,64}}@((?:{_LABEL}\.){{1,8}}[a-z]{{2,24}})(?![\w-])", _FLAGS
)

_STRONG_DOT = r"\s?(?:\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)|\{dot\}|[。・·․•])\s?"
_WEAK_DOT = r"(?:\s?[点,]\s?|\sdot\s|\s\.\s?|\.\s)"
_STRONG_NAME = re.compile(
    rf"(?<![\w.@-])({_LABEL}(?:(?:{_STRONG_DOT}|\.){_LABEL}){{1,8}})(?![\w-])", _FLAGS
)
_WEAK_NAME = re.compile(
    rf"(?<![\w.@-])({_LABEL}(?:(?:{_WEAK_DOT}|\.){_LABEL}){{0,6}}{_WEAK_DOT}(?:{_CORE}))(?![\w.-])",
    _FLAGS,
)
_DEFANGED_SCHEME = re.compile(
    r"\b(?:hxxps?|h\*\*ps?|https?\[:\]|https?\(:\))(?::|\[:\])?//", _FLAGS
)
_DEFANGED_AT = re.compile(r"\s?(?:\[at\]|\(at\)|\{at\}|\[@\]|艾特)\s?", _FLAGS)
_ANY_DOT = re.compile(rf"(?:{_STRONG_DOT}|{_WEAK_DOT})", _FLAGS)

_PHONES = (
    re.compile(r"(?<![\w.-])(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\w-]|\.\d)", re.ASCII),
    re.compile(r"(?<![\w.-])[48]00[ -]\d{3,4}[ -]\d{3,4}(?![\w-])", re.ASCII),
    re.compile(r"(?<![\w.-])0\d{2,3}[ -]\d{7,8}(?![\w-])", re.ASCII),
    re.compile(r"(?<![\w.])\+\d{1,3}[ -]?\d{2,4}(?:[ -]?\d{3,4}){2,3}(?![\w-])", re.ASCII),
)
_ACCOUNTS = (
    re.compile(r"(?:qq|扣扣|企鹅)\s?(?:群|号)?\s?[:是为]?\s?\d{5,12}(?![\w.-])", _FLAGS),
    re.compile(
        r"(?:微信|薇信|威信|vx|wechat|telegram|whatsapp|skype|电报)\s?(?:号|id)?(?:\s?[:是为]\s?|\s)"
        r"@?[a-z][\w-]{5,19}(?![\w.-])",
        _FLAGS,
    ),
    re.compile(r"(?<!\w)wxid_\w{6,}", re.ASCII),
    re.compile(r"(?<!\w)(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,59})(?!\w)", re.ASCII),
    re.compile(
        r"(?<!\w)(?=\w*[A-Z])(?=\w*[a-z])(?=\w*\d)(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}"
        r"|T[1-9A-HJ-NP-Za-km-z]{33})(?!\w)",
        re.ASCII,
    ),
)
_CARD = re.compile(r"(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-]|\.\d)", re.ASCII)
_IDENTITY_CARD = re.compile(r"(?<!\w)[1-9]\d{5}(?:19|20)\d{9}[\dXx](?!\w)", re.ASCII)
_LONG_NUMBER = re.compile(r"\d[\d -]{8}", re.ASCII)
"""Telephone numbers and cards have ten characters at least, a plus sign among them."""
_CREDENTIALS = re.compile(
    r"(?<!\w)(?:sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{35}|hf_[A-Za-z0-9]{30,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
    re.ASCII,
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{12,4096}={0,2}(?![A-Za-z0-9+/=_-])")
_BASE32 = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{16,1024}={0,6}(?![A-Z2-7=])")
_HEX = re.compile(r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}){8,2048}(?![0-9a-fA-F])")
_ESCAPES = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_PUNYCODE = re.compile(r"(?<![\w-])xn--[a-z0-9-]{2,59}", _FLAGS)


def find_live_identifiers(text: str) -> list[Finding]:
    """Return every live identifier in `text`, in plain, defanged and encoded form.

    Names under a reserved ending, the loopback and documentation addresses and the name
    spaces of XML are not live. A finding is reported once, in its plainest form.
    """
    if not text:
        return []
    findings = list(_plain(text))
    findings += _defanged(text)
    findings += _encoded(text)
    seen: set[tuple[IdentifierKind, str]] = set()
    kept = []
    for finding in findings:
        key = (finding.kind, finding.text)
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept


def _plain(text: str, form: IdentifierForm = IdentifierForm.PLAIN) -> Iterator[Finding]:
    folded = _NAMESPACES.sub(lambda match: " " * len(match[0]), unicodedata.normalize("NFKC", text))
    for kind, start, found in _scan(folded):
        yield Finding(kind=kind, form=form, text=found, start=start)


def _scan(text: str) -> Iterator[tuple[IdentifierKind, int, str]]:
    if "." in text or "://" in text:
        yield from _scan_names(text)
    if any(character.isdigit() for character in text):
        yield from _scan_numbers(text)
    for pattern in _ACCOUNTS:
        for match in pattern.finditer(text):
            yield IdentifierKind.ACCOUNT, match.start(), match[0]
    for match in _CREDENTIALS.finditer(text):
        yield IdentifierKind.CREDENTIAL, match.start(), match[0]


def _scan_names(text: str) -> Iterator[tuple[IdentifierKind, int, str]]:
    # What a pattern needs is looked for first: most texts hold none of it.
    for match in _EMAIL.finditer(text) if "@" in text else ():
        if not is_reserved(match[1]):
            yield IdentifierKind.EMAIL, match.start(), match[0]
    for match in _ADDRESS.finditer(text) if "://" in text else ():
        if not is_reserved(match[1]) and not _is_safe_host(match[1]):
            yield IdentifierKind.DOMAIN, match.start(1), match[1].lower()
    for match in _WORLD_WIDE.finditer(text) if "www." in text.lower() else ():
        if not is_reserved(match[1]):
            yield IdentifierKind.DOMAIN, match.start(1), match[1].lower()
    for match in _ANY_NAME.finditer(text) if _LIVE_WITHIN.search(text) else ():
        if _LIVE_ENDING.search(match[1]) and not is_reserved(match[1]):
            yield IdentifierKind.DOMAIN, match.start(1), match[1].lower()
    for match in _SHORT_INVITATION.finditer(text) if "/" in text else ():
        yield IdentifierKind.ACCOUNT, match.start(), match[0]


def _scan_numbers(text: str) -> Iterator[tuple[IdentifierKind, int, str]]:
    if not _LONG_NUMBER.search(text):
        return
    for pattern in _PHONES:
        for match in pattern.finditer(text):
            yield IdentifierKind.PHONE, match.start(), match[0]
    for match in _CARD.finditer(text):
        if _luhn(match[0]):
            yield IdentifierKind.CARD, match.start(), match[0]
    for match in _IDENTITY_CARD.finditer(text):
        if _identity_checksum(match[0]):
            yield IdentifierKind.CARD, match.start(), match[0]


def is_reserved(name: str) -> bool:
    """Tell whether `name` stands under an ending that belongs to nobody."""
    name = name.lower().rstrip(".")
    return any(name == ending or name.endswith("." + ending) for ending in RESERVED_SUFFIXES)


def _is_safe_host(host: str) -> bool:
    """Tell whether an address leads nowhere beyond this machine or the documentation."""
    host = host.lower()
    if "." not in host:
        return not host.startswith("[") or host == "[::1]"
    # Loopback and the documentation ranges of RFC 5737.
    return host.startswith(("127.", "0.0.0.0", "192.0.2.", "198.51.100.", "203.0.113."))


def _defanged(text: str) -> Iterator[Finding]:
    folded = unicodedata.normalize("NFKC", text)
    without_scheme = _DEFANGED_SCHEME.sub("https://", folded)
    if without_scheme != folded:
        yield from _plain(without_scheme, IdentifierForm.DEFANGED)
    with_at = _DEFANGED_AT.sub("@", folded)
    if with_at != folded:
        yield from _plain(_ANY_DOT.sub(".", with_at), IdentifierForm.DEFANGED)
    for match in _STRONG_NAME.finditer(folded):
        yield from _named(match)
    for match in _WEAK_NAME.finditer(folded):
        yield from _named(match)


def _named(match: re.Match[str]) -> Iterator[Finding]:
    name = _ANY_DOT.sub(".", match[1])
    if name != match[1] and _LIVE_ENDING.search(name) and not is_reserved(name):
        yield Finding(
            kind=IdentifierKind.DOMAIN,
            form=IdentifierForm.DEFANGED,
            text=name.lower(),
            start=match.start(),
        )


def _encoded(text: str) -> Iterator[Finding]:
    for whole in _unescaped(text):
        yield from _plain(whole, IdentifierForm.ENCODED)
    for pattern, decode in ((_BASE64, _from_base64), (_BASE32, _from_base32), (_HEX, _from_hex)):
        for match in pattern.finditer(text):
            inner = _printable(decode(match[0]))
            if inner:
                for finding in _plain(inner, IdentifierForm.ENCODED):
                    yield finding.but(start=match.start())
    if "xn--" in text.lower():
        yield from _plain(_PUNYCODE.sub(_from_punycode, text), IdentifierForm.ENCODED)


def _unescaped(text: str) -> Iterator[str]:
    if "%" in text and (plain := unquote(text, errors="replace")) != text:
        yield plain
    if "&" in text and (plain := html.unescape(text)) != text:
        yield plain
    if "\\" in text:
        plain = _ESCAPES.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
        if plain != text:
            yield plain


def _from_base64(run: str) -> bytes:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return b""


def _from_base32(run: str) -> bytes:
    body = run.rstrip("=")
    try:
        return base64.b32decode(body + "=" * (-len(body) % 8))
    except (binascii.Error, ValueError):
        return b""


def _from_hex(run: str) -> bytes:
    return bytes.fromhex(run)


def _from_punycode(match: re.Match[str]) -> str:
    try:
        return match[0][4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return match[0]


def _printable(data: bytes) -> str:
    """Return `data` as text if it is some, else nothing."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


def _luhn(number: str) -> bool:
    digits = [int(character) for character in number if character.isdigit()]
    if not 13 <= len(digits) <= 19:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _identity_checksum(number: str) -> bool:
    """Check the last character of an eighteen-digit resident number (GB 11643-1999)."""
    weights = [2**power % 11 for power in range(17, 0, -1)]
    total = sum(weight * int(digit) for weight, digit in zip(weights, number[:17], strict=True))
    return "10X98765432"[total % 11] == number[17].upper()
