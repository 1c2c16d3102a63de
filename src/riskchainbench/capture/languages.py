"""Guesses the language of a page from what it declares and from the script it is written in."""

from __future__ import annotations

import re

LANGUAGES = ("zh-CN", "zh-TW", "en", "vi", "th", "id", "ja", "ko", "es", "pt")
"""The languages that stand-in states are written in; others are kept as declared."""

_TRADITIONAL = re.compile("[們這個來時會對過還後國學說開關東車馬鳥龍門問間電話號請點選擇註冊錄]")
_SIMPLIFIED = re.compile("[们这个来时会对过还后国学说开关东车马鸟龙门问间电话号请点选择注册录]")
_WORDS = {
    "vi": "và của không được cho trong với này đã những",
    "id": "dan yang di untuk dengan tidak ini dari pada anda",
    "es": "el la los las que una para con por más su del",
    "pt": "o os uma para com não mais você seu da do em",
    "en": "the and of to in is for with your you this that",
}
_SCRIPTS = {"ko": "[\uac00-\ud7af]", "th": "[\u0e00-\u0e7f]", "zh": "[\u4e00-\u9fff]"}
_MIN_SHARE = 0.02


def language_of(declared: str, text: str) -> str:
    """Return the language tag of a page, in the form that websites use.

    Args:
        declared: the page's ``lang`` attribute, which counts unless its script speaks against it.
        text: what the page shows.
    """
    tag = _tag(declared)
    written = _written(text)
    if written in ("zh", "ja", "ko", "th"):
        if written == "zh" and tag in ("zh-CN", "zh-TW", "ja"):
            return tag
        return _chinese(text) if written == "zh" else written
    if tag and tag not in ("zh-CN", "zh-TW", "ja", "ko", "th"):
        return tag
    return _by_words(text) or tag or "en"


def nearest(language: str) -> str:
    """Return the language whose stand-in states are used for `language`."""
    if language in LANGUAGES:
        return language
    base = language.split("-")[0]
    return base if base in LANGUAGES else "en"


def _tag(declared: str) -> str:
    tag = declared.strip().replace("_", "-").lower()
    if not re.fullmatch(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", tag):
        return ""
    if tag.split("-")[0] == "zh":
        traditional = any(part in tag for part in ("tw", "hk", "mo", "hant"))
        return "zh-TW" if traditional else "zh-CN"
    base = tag.split("-")[0]
    return base if base in LANGUAGES else tag


def _written(text: str) -> str:
    sample = text[:20_000]
    letters = sum(1 for c in sample if c.isalpha()) or 1
    kana = len(re.findall("[\u3040-\u30ff]", sample))
    if kana / letters > 2 * _MIN_SHARE:
        return "ja"
    for script, pattern in _SCRIPTS.items():
        if len(re.findall(pattern, sample)) / letters > 10 * _MIN_SHARE:
            return script
    return ""


def _chinese(text: str) -> str:
    many = len(_TRADITIONAL.findall(text)) > len(_SIMPLIFIED.findall(text))
    return "zh-TW" if many else "zh-CN"


def _by_words(text: str) -> str:
    words = re.findall(r"[^\W\d_]+", text[:20_000].lower())
    if len(words) < 5:
        return ""
    shares = {
        language: sum(1 for word in words if word in known.split()) / len(words)
        for language, known in _WORDS.items()
    }
    best = max(shares, key=lambda language: shares[language])
    return best if shares[best] > _MIN_SHARE else ""
