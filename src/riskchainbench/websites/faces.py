"""Typefaces by language: the forms of shared Han characters differ between its writers."""

from __future__ import annotations

_HAN = {"zh-CN": "SC", "zh-TW": "TC", "ja": "JP", "ko": "KR"}
_OWN_SCRIPT = {"th": "Thai"}
_LATIN = {
    "sans": '"Noto Sans","DejaVu Sans",sans-serif',
    "serif": '"Noto Serif","DejaVu Serif",serif',
    "round": '"DejaVu Sans Condensed","Noto Sans",sans-serif',
}
_NOTO = {"sans": "Noto Sans", "serif": "Noto Serif", "round": "Noto Sans"}


def faces(typeface: str, language: str) -> str:
    """Return the CSS font families of a typeface (sans, serif or round) for a language."""
    if language in _HAN:
        return f'"{_NOTO[typeface]} CJK {_HAN[language]}",{_LATIN[typeface]}'
    if language in _OWN_SCRIPT:
        return f'"{_NOTO[typeface]} {_OWN_SCRIPT[language]}",{_LATIN[typeface]}'
    return _LATIN[typeface]
