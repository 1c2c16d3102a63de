"""How characters and words are read: syllable, tone, and which syllables sound near.

Common readings only: the first of a character's readings in pypinyin, and the phrase
readings of pypinyin for words that it knows.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from pypinyin.phrases_dict import phrases_dict
from pypinyin.pinyin_dict import pinyin_dict

_TONE_MARKS = {"\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4"}
_INITIALS = {"zh": "z", "ch": "c", "sh": "s", "n": "l", "h": "f"}
_TWO_READINGS = {
    "行": "xing2 hang2", "长": "chang2 zhang3", "重": "zhong4 chong2", "得": "de5 dei3",
    "都": "dou1 du1", "还": "hai2 huan2", "了": "le5 liao3", "着": "zhe5 zhao2",
    "只": "zhi3 zhi1", "种": "zhong3 zhong4", "为": "wei4 wei2", "会": "hui4 kuai4",
    "发": "fa1 fa4", "干": "gan4 gan1", "好": "hao3 hao4", "数": "shu4 shu3",
    "量": "liang4 liang2", "调": "diao4 tiao2", "载": "zai4 zai3", "藏": "cang2 zang4",
    "乐": "le4 yue4", "地": "de5 di4", "的": "de5 di4", "查": "cha2 zha1", "便": "bian4 pian2",
    "当": "dang1 dang4", "空": "kong4 kong1", "看": "kan4 kan1", "号": "hao4 hao2",
    "中": "zhong1 zhong4", "分": "fen1 fen4", "间": "jian1 jian4", "系": "xi4 ji4",
    "觉": "jue2 jiao4", "教": "jiao4 jiao1", "处": "chu4 chu3", "传": "chuan2 zhuan4",
    "转": "zhuan3 zhuan4", "相": "xiang1 xiang4", "正": "zheng4 zheng1", "几": "ji3 ji1",
    "更": "geng4 geng1", "参": "can1 shen1", "省": "sheng3 xing3", "单": "dan1 shan4",
    "奇": "qi2 ji1", "落": "luo4 la4", "率": "lv4 shuai4", "模": "mo2 mu2", "薄": "bo2 bao2",
}  # fmt: skip

Reading = tuple[str, str]
"""A syllable without its tone, and the tone as a digit (5 for none)."""


def _plain(marked: str) -> Reading:
    tone = "5"
    letters: list[str] = []
    for char in unicodedata.normalize("NFD", marked):
        if char in _TONE_MARKS:
            tone = _TONE_MARKS[char]
        elif char == "\u0308":
            letters[-1] = "v"
        elif char.isascii():
            letters.append(char)
    return "".join(letters), tone


plain_reading = cache(_plain)


@cache
def char_readings(char: str) -> tuple[Reading, ...]:
    """Return the common readings of one character, most usual first; none for other scripts."""
    if char in _TWO_READINGS:
        return tuple((entry[:-1], entry[-1]) for entry in _TWO_READINGS[char].split())
    marked = pinyin_dict.get(ord(char))
    return (plain_reading(marked.split(",")[0]),) if marked else ()


def word_reading(word: str) -> tuple[Reading, ...] | None:
    """Return the reading of a word, syllable by syllable, or None where a character has none."""
    phrase = phrases_dict.get(word)
    if phrase:
        return tuple(plain_reading(syllable[0]) for syllable in phrase)
    found = [char_readings(char) for char in word]
    return tuple(readings[0] for readings in found) if all(found) else None


@cache
def near_class(syllable: str) -> str:
    """Return a name shared by syllables that are easily taken for one another.

    Retroflex and dental initials, n and l, h and f, and front and back nasal endings fall
    together.
    """
    for initial in ("zh", "ch", "sh", "n", "h"):
        if syllable.startswith(initial):
            syllable = _INITIALS[initial] + syllable[len(initial) :]
            break
    for back, front in (("ang", "an"), ("eng", "en"), ("ing", "in")):
        if syllable.endswith(back):
            return syllable[: -len(back)] + front
    return syllable


_CLASS_LETTERS: dict[str, str] = {}


@cache
def class_letter(syllable: str) -> str:
    """Return one character that stands for the near class of `syllable`, to make keys of."""
    near = near_class(syllable)
    return _CLASS_LETTERS.setdefault(near, chr(0x100 + len(_CLASS_LETTERS)))
