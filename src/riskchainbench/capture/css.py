"""Style sheets with every reference rewritten: ``url()``, ``@import`` and ``image-set()``.

A tokenizer of just the tokens that can hold a reference or hide one, after CSS Syntax Level 3.
Comments are left out, what is cut off is closed, and what browsers take for a broken string or
URL becomes a mark that breaks its declaration as well; everything else stays byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

_BREAKS = re.compile(r"\r\n?|\f")
_STRING = r'"(?:[^"\\\n]++|\\.|\\\Z)*+"?' + r"|'(?:[^'\\\n]++|\\.|\\\Z)*+'?"


def _word(word: str) -> str:
    """Return a pattern of a name, each letter of which may be escaped."""
    return "".join(_letter(letter) if letter.isalpha() else letter for letter in word)


def _letter(letter: str) -> str:
    plain = letter if letter in "abcdef" else rf"\\?{letter}"
    codes = f"{ord(letter):x}|{ord(letter.upper()):x}"
    return rf"(?:{plain}|\\0{{0,4}}(?:{codes})[ \t\n]?)"


# Every way to write what loads something. Characters before a name make it another name, which
# is looked at for ASCII alone: to read a reference where there is none does no harm.
_TOKEN = re.compile(
    rf"""(?P<comment>/\*.*?(?:\*/|\Z))
    |(?P<url>(?<![A-Za-z0-9_-]){_word("url")}\([ \t\n]*)
    |(?P<strings>(?<![A-Za-z0-9_-])(?:{_word("-webkit-")})?(?:{_word("image-set")}|{_word("src")}
        |{_word("image")}|{_word("cross-fade")})\()
    |(?P<import>@{_word("import")}(?![\w-]))
    |(?P<charset>@{_word("charset")}[ \t\n]+(?:{_STRING})[ \t\n]*;?)
    |(?P<namespace>@{_word("namespace")}(?![\w-]))
    |(?P<string>{_STRING})
    |(?P<escape>\\(?:[0-9a-f]{{1,6}}[ \t\n]?|[^\n]|\Z))
    |(?P<open>[(\[{{]) |(?P<close>[)\]}}]) |(?P<end>;)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BARE = re.compile(
    r"((?:[^\x00-\x20\x7f\"'()\\]++|\\[0-9a-fA-F]{1,6}[ \t\n]?|\\[^\n0-9a-fA-F]|\\\Z)*+)"
    r"[ \t\n]*(?:\)|\Z)"
)
_BAD_URL = re.compile(r"(?:[^)\\]++|\\.|\\\Z)*+\)?", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|(\n|\Z)|(.))", re.DOTALL)
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_BROKEN = "!!"


class CssUse(StrEnum):
    """What a reference of a style sheet is for."""

    STYLE = "style"
    RESOURCE = "resource"


Replace = Callable[[str, CssUse], str]


def rewrite_css(text: str, replace: Replace) -> str:
    """Return `text` with each reference put through `replace`, and without comments."""
    return _Rewriter(text, replace).run()


class _Rewriter:
    def __init__(self, text: str, replace: Replace) -> None:
        self.text = _BREAKS.sub("\n", text).replace("\0", "\ufffd")
        self.replace = replace
        self.out: list[str] = []
        self.open: list[tuple[str, bool]] = []
        """What closes each open bracket, and whether strings directly inside are references."""
        self.importing = self.naming = False

    def run(self) -> str:
        place = 0
        while match := _TOKEN.search(self.text, place):
            self.out.append(self.text[place : match.start()])
            place = self._token(match)
        self.out.append(self.text[place:])
        self.out += [closer for closer, _ in reversed(self.open)]
        return "".join(self.out)

    def _token(self, match: re.Match[str]) -> int:
        kind, token = match.lastgroup, match[0]
        if kind == "url":
            return self._url(match)
        if kind == "string":
            self._string(token, cut=match.end() == len(self.text))
        elif kind == "escape":
            self.out.append("\ufffd" if token == "\\" else token)
        elif kind in ("comment", "charset"):
            # A comment parts tokens; "@charset" holds for the bytes that were, not for ours.
            self.out.append(" " if kind == "comment" else "")
        else:
            self.out.append(token)
            self._structure(kind, token)
        return match.end()

    def _structure(self, kind: str | None, token: str) -> None:
        if kind == "import":
            self.importing = True
        elif kind == "namespace":
            self.naming = True
        elif kind == "strings":
            self.open.append((")", True))
        elif kind == "open":
            self.open.append((_CLOSERS[token], False))
        elif self.open and token == self.open[-1][0]:
            self.open.pop()
        if token in (";", "{", "}"):
            self.importing = self.naming = False

    def _url(self, match: re.Match[str]) -> int:
        place = match.end()
        if self.text[place : place + 1] in ("'", '"'):  # a function, and no token of its own
            self.out.append("url(")
            self.open.append((")", True))
            return place
        bare = _BARE.match(self.text, place)
        if bare is None:
            end = _BAD_URL.match(self.text, place)
            self.out.append(_BROKEN)
            return end.end() if end else len(self.text)
        self.out.append(f"url({self._written(bare[1])})")
        return bare.end()

    def _string(self, token: str, *, cut: bool) -> None:
        inside, whole = _inside(token)
        if not whole and not cut:  # a line ends before the string does
            self.out.append(f'""{_BROKEN}')  # after "url(", the mark alone would be a reference
        elif self.naming or not (self.importing or (self.open and self.open[-1][1])):
            self.out.append(token if whole else quoted(unescaped(inside)))
        else:
            self.out.append(self._written(inside))

    def _written(self, inside: str) -> str:
        """Return the string that stands for a reference."""
        reference = unescaped(inside)
        if self.naming or not reference.strip() or reference.startswith("#"):
            return quoted(reference)
        use = CssUse.STYLE if self.importing else CssUse.RESOURCE
        self.importing = False
        return quoted(self.replace(reference, use))


def _inside(token: str) -> tuple[str, bool]:
    """Return what stands between the quotes of a string, and whether the last quote is there."""
    body = token[1:]
    whole = body.endswith(token[0]) and not _odd_backslash(body[:-1])
    return (body[:-1] if whole else body), whole


def _odd_backslash(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def unescaped(text: str) -> str:
    """Return the characters that a CSS string or url token stands for."""
    if "\\" not in text:
        return text
    return _ESCAPED.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    if match[1]:
        code = int(match[1], 16)
        return "\ufffd" if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)
    return "" if match[2] else match[3]


def quoted(text: str) -> str:
    """Return `text` as a CSS string."""
    safe = re.sub(r'["\\\x00-\x1f\x7f<]', lambda m: f"\\{ord(m[0]):x} ", text)
    return f'"{safe}"'
