"""Takes out the text codes that a platform renders as an emoji or sticker.

It decides by syntax and by the names in general use, so that a bracket or slash which is no
code stays. It does not touch anything else of a message.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import regex

from riskchainbench.models.restorer.tables import toml_table

_PRIVATE_USE = range(0xE000, 0xF8FF)
_PASSES = 3
_MAX_NAME = 6


class Syntax(StrEnum):
    """A way of writing a token."""

    BRACKET = "bracket"
    SLASH_NAME = "slash name"
    SLASH_SHORT = "slash short"
    HASH = "hash"
    EMOJI = "emoji"


_PROFILES: dict[str, tuple[Syntax, ...]] = {
    "bilibili": (Syntax.BRACKET,),
    "douyin": (Syntax.BRACKET,),
    "weibo": (Syntax.BRACKET,),
    "wechat": (Syntax.BRACKET, Syntax.SLASH_NAME),
    "qq": (Syntax.SLASH_SHORT, Syntax.SLASH_NAME),
    "baidu_tieba": (Syntax.HASH,),
    "wechat_channels": (Syntax.EMOJI,),
    "tiktok": (Syntax.EMOJI,),
}
_ANY = (Syntax.BRACKET, Syntax.SLASH_SHORT, Syntax.SLASH_NAME, Syntax.HASH)

_PATTERNS = {
    Syntax.BRACKET: regex.compile(r"\[([^\[\]\n]{1,14})\]"),
    Syntax.SLASH_NAME: regex.compile(r"/(\p{Han}{1,5}|OK|Emm|666)(?: |(?=\n|$))"),
    Syntax.SLASH_SHORT: regex.compile(r"/([a-z]{2,8})(?: |(?=\n|$))"),
    Syntax.HASH: regex.compile(r"#\(([^()#\n]{1,8})\)"),
    Syntax.EMOJI: regex.compile(
        r"(?<!\u200d)(?:(?![\U0001F1E6-\U0001F1FF])\p{Emoji_Presentation})"
        r"(?![\ufe0f\u20e3\u200d\U0001F3FB-\U0001F3FF])()"
    ),
}
_FEELING = regex.compile(r"[笑哭泪怒汗晕羞爱萌酷]|^tv_|^热词系列_|^[a-z]+doge$|^doge|^打call$")


@dataclass(frozen=True)
class Stripped:
    """A message without its tokens; `mark` stands where each token stood."""

    text: str
    mark: str
    count: int


@cache
def _names() -> frozenset[str]:
    return frozenset(toml_table("codes.toml")["names"]["common"].split())


@cache
def _short_codes() -> frozenset[str]:
    return frozenset(toml_table("codes.toml")["short"]["qq"].split())


@cache
def _plain() -> tuple[frozenset[str], tuple[str, ...]]:
    table = toml_table("codes.toml")["plain"]
    return frozenset(table["words"].split()), tuple(table["endings"].split())


def _is_code(syntax: Syntax, name: str) -> bool:
    if syntax in (Syntax.HASH, Syntax.EMOJI):
        return True
    if syntax is Syntax.SLASH_SHORT:
        return name in _short_codes()
    if name in _names():
        return True
    words, endings = _plain()
    if name in words or name.endswith(endings):
        return False
    named = len(name) <= _MAX_NAME or "_" in name
    return syntax is Syntax.BRACKET and named and _FEELING.search(name) is not None


def _unused_mark(text: str) -> str:
    for point in _PRIVATE_USE:
        if chr(point) not in text:
            return chr(point)
    return "\x00"


def strip_tokens(text: str, platform: str) -> Stripped:
    """Return `text` with its tokens replaced by a mark that occurs nowhere else in it.

    A slash code takes its one trailing space along. An unknown platform may use the codes of
    any. Where a code was put inside another, the outer one is found on the next pass.
    """
    mark = _unused_mark(text)
    count = 0
    for _ in range(_PASSES):
        before = count
        for syntax in _PROFILES.get(platform, _ANY):
            text, more = _strip(text, syntax, mark)
            count += more
        if count == before:
            break
    return Stripped(text, mark, count)


def _strip(text: str, syntax: Syntax, mark: str) -> tuple[str, int]:
    count = 0
    alone = syntax is Syntax.SLASH_SHORT and len(_PATTERNS[syntax].findall(text)) == 1

    def replace(match: regex.Match[str]) -> str:
        nonlocal count
        inner = match.group(1).replace(mark, "") if match.group(1) else ""
        if not _is_code(syntax, inner) or (alone and _in_a_path(text, match.start())):
            return match.group(0)
        count += 1
        return mark

    return _PATTERNS[syntax].sub(replace, text), count


def _in_a_path(text: str, place: int) -> bool:
    """Tell whether the slash at `place` follows a Latin word that is not the end of an entry."""
    before = text[max(0, place - 5) : place]
    return before[-1:].isascii() and before[-1:].isalnum() and not before.endswith(".test")
