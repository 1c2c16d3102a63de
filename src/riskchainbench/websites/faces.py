"""Typefaces by language: the forms of shared Han characters differ between its writers.

A face is a file of `fonts`, named by family, weight and script.
"""

from __future__ import annotations

from riskchainbench.websites.fonts import FONT_PATH, font_names

TYPEFACES = ("sans", "serif", "mixed", "book")
"""Serif nowhere, everywhere, in headings alone, in running text alone."""

_SCRIPTS = {
    "zh-CN": ("sc", "sc2"),
    "zh-TW": ("tc", "tc2"),
    "ja": ("jp", "jp2"),
    "ko": ("kr", "kr2"),
    "th": ("thai", "latin", "symbols"),
}
_LATIN = ("latin", "symbols")
_WIDE = frozenset({"sc", "tc", "jp", "kr"})
_WEIGHTS = (400, 700)


def scripts(language: str) -> tuple[str, ...]:
    """Return the scripts whose faces a language is set in, the first one first.

    ``sc2`` and the like hold the rarer characters.
    """
    return _SCRIPTS.get(language, _LATIN)


def face_files(language: str, weight: int, family: str = "sans") -> tuple[str, ...]:
    """Return the files that hold the letters of a language, in order of preference."""
    return tuple(f"{family}-{weight}-{script}.woff2" for script in scripts(language))


def text_face(typeface: str, language: str) -> str:
    """Return the CSS font families of running text.

    Chinese, Japanese and Korean text has serifs in headings alone.
    """
    serif = typeface in ("serif", "book") and scripts(language)[0] not in _WIDE
    return _families("serif" if serif else "sans", language)


def head_face(typeface: str, language: str) -> str:
    """Return the CSS font families of headings."""
    return _families("serif" if typeface in ("serif", "mixed") else "sans", language)


def face_rules(language: str) -> str:
    """Return the CSS rules that name every face of a language."""
    return "".join(
        f'@font-face{{font-family:"{_name(family, script)}";font-weight:{weight};'
        f'font-display:block;src:url({FONT_PATH}{family}-{weight}-{script}.woff2)format("woff2")}}\n'
        for script in scripts(language)
        for family in ("sans", "serif")
        for weight in _WEIGHTS
        if f"{family}-{weight}-{script}.woff2" in font_names()
    )


def _families(family: str, language: str) -> str:
    names = ",".join(
        f'"{_name("sans" if script == "symbols" else family, script)}"'
        for script in scripts(language)
    )
    return f"{names},{'serif' if family == 'serif' else 'sans-serif'}"


def _name(family: str, script: str) -> str:
    return f"Site {family} {script}"
