"""Telling a model that declines in words from one that merely writes no JSON."""

from __future__ import annotations

import re

_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "`": "'", "´": "'"})

_BY_LANGUAGE = (
    # English
    (
        r"\bi (?:can(?: ?no|')t|am unable to|won't|will not|am not able to|am sorry"
        r"|(?:must|have to|will|would have to|need to|respectfully|politely) (?:\w+ )?"
        r"(?:decline|refuse)|decline to|refuse to)\b"
    ),
    r"\bi'm (?:\w+ )?(?:sorry|unable|not able)\b|\bi'(?:ll|d) have to (?:decline|refuse)\b",
    # French
    (
        r"\bdésolée?s?\b|\bje (?:ne (?:peux|puis|suis pas en mesure)|refuse|"
        r"dois (?:refuser|décliner))|\bje regrette\b|\bil m'est impossible\b"
    ),
    # German
    (
        r"\bes tut mir leid\b|\btut mir leid\b|\bich (?:kann|darf|werde) (?:\w+ ){0,5}?nicht\b"
        r"|\bkann ich (?:\w+ ){0,4}?nicht\b|\bich (?:muss|möchte) (?:\w+ ){0,4}?ablehnen\b"
        r"|\bbin (?:ich )?nicht in der lage\b"
    ),
    # Spanish and Portuguese
    (
        r"\blo (?:siento|lamento)\b|\bno (?:puedo|podemos|me es posible|estoy en condiciones)\b"
        r"|\bdebo (?:rechazar|negarme|declinar)\b"
        r"|\bnão posso\b|\bnão consigo\b|\bdesculpe\b|\blamento\b|\bsinto muito\b"
    ),
    # Italian
    r"\bmi dispiace\b|\bnon posso\b",
    # Chinese; what is not done must be an answer's work, since prose may say 我不会 of anything
    (
        r"抱歉|对不起|對不起|(?:我|我们|我們)?(?:不能|无法|無法|不会|不會|不便|不可以)(?:为|為|给|給|对|對|"
        r"向|就|继续|繼續|再|您|你|此|该|這|这|个|類|类|項|项)*(?:协助|協助|帮|幫|提供|完成|回答|回应|回應|"
        r"处理|處理|满足|滿足|执行|執行|配合|参与|參與|支持|响应|生成|讨论|討論)|(?:拒绝|拒絕|婉拒)(?:回答|"
        r"协助|協助|提供|执行|執行|处理|處理|这|這|此|该|該|您|你)"
    ),
    # Japanese and Korean
    r"申し訳|できません|お断り|いたしかねます|죄송|할 수 없|도와드릴 수 없",
    # Vietnamese, Thai, Indonesian and Malay
    (
        r"\bxin lỗi\b|\btôi (?:không thể|từ chối)\b|ขออภัย|ขอโทษ|ไม่สามารถ"
        r"|\bmaaf\b|\bsaya tidak (?:bisa|dapat)\b|\bsaya tidak boleh\b"
    ),
    # Russian and Arabic
    r"\bизвините\b|\bк сожалению\b|\bя не могу\b|عذر|آسف|لا (?:أستطيع|يمكنني)",
)
_REFUSAL = re.compile("|".join(_BY_LANGUAGE), re.IGNORECASE)


def is_refusal(text: str) -> bool:
    """Tell whether `text`, which holds no JSON, declines the request."""
    return _REFUSAL.search(text.translate(_TYPOGRAPHIC)) is not None
