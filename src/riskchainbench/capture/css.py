"""Style sheets with every reference rewritten: ``url()``, ``@import`` and ``image-set()``.

A tokenizer of just the tokens that can hold a reference, after CSS Syntax Level 3; everything
else stays byte for byte, but for comments, which are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

_STRING = r'"(?:[^"\\\n]|\\.|\\\n)*"?' + r"|'(?:[^'\\\n]|\\.|\\\n)*'?"
_TOKEN = re.compile(
    rf"""(?P<comment>/\*.*?(?:\*/|\Z))
    |(?P<url>(?<![\w-])(?:u|\\0*75\s?)(?:r|\\0*72\s?)(?:l|\\0*6c\s?)\(\s*)
    |(?P<imageset>(?<![\w-])(?:-webkit-)?image-set\()
    |(?P<import>@(?:import)(?![\w-]))
    |(?P<charset>@charset\s+(?:{_STRING})\s*;?)
    |(?P<namespace>@namespace(?![\w-])[^;{{}}]*;?)
    |(?P<string>{_STRING})
    |(?P<open>\() |(?P<close>\)) |(?P<end>[;{{}}])""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BARE = re.compile(r"((?:[^\s\"'()\\]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])*)\s*(\)|\Z)", re.DOTALL)
_QUOTED = re.compile(rf"({_STRING})\s*(\)?)", re.DOTALL)
_BAD_URL = re.compile(r"(?:[^)\\]|\\.)*(?:\)|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|(\n)|(.))", re.DOTALL)


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
        self.text, self.replace = text, replace
        self.out: list[str] = []
        self.depth = 0
        self.sets: list[int] = []
        self.importing = False

    def run(self) -> str:
        place = 0
        while match := _TOKEN.search(self.text, place):
            self.out.append(self.text[place : match.start()])
            place = self._token(match)
        self.out.append(self.text[place:])
        return "".join(self.out)

    def _token(self, match: re.Match[str]) -> int:
        kind = match.lastgroup
        if kind == "url":
            return self._url(match.end())
        if kind in ("comment", "charset"):
            # A comment parts tokens; "@charset" holds for the bytes that were, not for ours.
            self.out.append(" " if kind == "comment" else "")
            return match.end()
        if kind == "string":
            self._string(match[0])
            return match.end()
        if kind == "import":
            self.importing = True
        elif kind == "imageset":
            self.depth += 1
            self.sets.append(self.depth)
        elif kind == "open":
            self.depth += 1
        elif kind == "close":
            self.depth = max(0, self.depth - 1)
            self.sets = [each for each in self.sets if each <= self.depth]
        elif kind == "end":
            self.importing = False
            self.depth, self.sets = 0, []
        self.out.append(match[0])
        return match.end()

    def _url(self, place: int) -> int:
        quoted = _QUOTED.match(self.text, place)
        if quoted:
            self.out.append(self._written(unescaped(_inside(quoted[1]))))
            if quoted[2]:
                return quoted.end()
            end = _BAD_URL.match(self.text, quoted.end())
            return end.end() if end else quoted.end()
        bare = _BARE.match(self.text, place)
        if bare is None:  # a bad-url token: dropped by browsers, so it refers to nothing
            end = _BAD_URL.match(self.text, place)
            self.out.append('url("")')
            return end.end() if end else len(self.text)
        self.out.append(self._written(unescaped(bare[1])))
        return bare.end()

    def _string(self, token: str) -> None:
        if self.importing:
            self.out.append(quoted(self._replaced(unescaped(_inside(token)), CssUse.STYLE)))
            self.importing = False
        elif self.sets and self.sets[-1] == self.depth:
            self.out.append(quoted(self._replaced(unescaped(_inside(token)), CssUse.RESOURCE)))
        else:
            self.out.append(token)

    def _written(self, reference: str) -> str:
        use = CssUse.STYLE if self.importing else CssUse.RESOURCE
        self.importing = False
        return f"url({quoted(self._replaced(reference, use))})"

    def _replaced(self, reference: str, use: CssUse) -> str:
        if not reference.strip() or reference.startswith("#"):
            return reference
        return self.replace(reference, use)


def _inside(token: str) -> str:
    body = token[1:]
    return body[:-1] if body.endswith(token[0]) and not _odd_backslash(body[:-1]) else body


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
