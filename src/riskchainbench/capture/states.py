"""The pages that stand in for what a capture lacks; each is plain and says no more than it must."""

from __future__ import annotations

import html
import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources

from riskchainbench.capture.languages import nearest
from riskchainbench.capture.references import FormSeen


class StandIn(StrEnum):
    """The kinds of page that stand in."""

    REGISTERED = "registered"
    SIGNED_IN = "signed_in"
    CODE_SENT = "code_sent"
    PAYMENT = "payment"
    NO_RESULTS = "no_results"
    RECEIVED = "received"
    MISSING = "missing"


_PAYMENT = re.compile(r"card|amount|pay|price|order|recharge|deposit|iban|cvv|充值|金额", re.I)
_CODE = re.compile(r"code|otp|sms|verif|captcha|验证码", re.I)
_SEARCH = re.compile(r"^(?:q|s|query|search|keyword|kw|wd|term)s?$", re.I)
_SIGN_UP = re.compile(r"confirm|repeat|register|sign_?up|invite|referr|birth|nick", re.I)
_PHONE = re.compile(r"phone|mobile|tel|cell", re.I)


def stand_in_for(form: FormSeen) -> StandIn:
    """Return the state that most likely follows a form, from its inputs alone."""
    typed = [f for f in form.fields if f.kind not in ("hidden", "submit", "image")]
    names = [f.original for f in typed]
    passwords = sum(1 for f in typed if f.kind == "password")
    if any(f.kind == "search" or _SEARCH.match(f.original) for f in typed):
        return StandIn.NO_RESULTS
    if passwords:
        more = passwords > 1 or any(_SIGN_UP.search(name) for name in names) or len(typed) > 3
        return StandIn.REGISTERED if more else StandIn.SIGNED_IN
    if any(_PAYMENT.search(name) for name in names):
        return StandIn.PAYMENT
    if any(_CODE.search(n) for n in names) or (len(typed) == 1 and _PHONE.search(names[0])):
        return StandIn.CODE_SENT
    return StandIn.RECEIVED


def stand_in_page(kind: StandIn, language: str, start: str) -> bytes:
    """Return the page that stands in, with one link back to the path `start`."""
    title, text, back = _texts()[nearest(language)][kind.value]
    page = (
        f'<!DOCTYPE html><html lang="{html.escape(language)}"><head><title>{html.escape(title)}'
        f"</title></head><body><h1>{html.escape(title)}</h1><p>{html.escape(text)}</p>"
        f'<p><a href="{html.escape(start)}">{html.escape(back)}</a></p></body></html>\n'
    )
    return page.encode("utf-8")


def stand_in_file(language: str) -> bytes:
    """Return the harmless text file that stands in for any download."""
    return (_texts()[nearest(language)]["file"][1] + "\n").encode("utf-8")


STAND_IN_IMAGE = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3" preserveAspectRatio="none">'
    b'<rect width="4" height="3" fill="#e3e6ea"/></svg>\n'
)


@cache
def _texts() -> dict[str, dict[str, list[str]]]:
    file = resources.files("riskchainbench.capture") / "data" / "states.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
