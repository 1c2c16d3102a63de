"""Signing in and out, and the choice of language."""

from __future__ import annotations

import re

from starlette.responses import Response

from riskchainbench.annotation.accounts import NO_ACCOUNT, fresh_token, password_fits
from riskchainbench.annotation.settings import NAME
from riskchainbench.annotation.web.bench import Call
from riskchainbench.annotation.web.security import (
    LANGUAGE,
    SESSION,
    SESSION_SECONDS,
    set_cookie,
)
from riskchainbench.annotation.web.texts import LANGUAGES


def form(call: Call) -> Response:
    """Show the sign-in form."""
    if call.session is not None:
        return call.go("/")
    return call.page("signin.html.j2", wrong=None, name="")


def sign_in(call: Call) -> Response:
    """Check name and password and begin a session."""
    name, now = call.text("name").strip(), call.project.clock()
    if call.bench.attempts.blocked(name, now):
        return call.page("signin.html.j2", 429, wrong="too_many", name=name)
    stored = call.project.store.password_of(name) if re.match(NAME, name) else None
    if not password_fits(call.text("password"), stored or NO_ACCOUNT) or stored is None:
        call.bench.attempts.failed(name, now)
        return call.page("signin.html.j2", 403, wrong="wrong_signin", name=name)
    token = fresh_token()
    call.project.store.open_session(token, name, fresh_token(), now + SESSION_SECONDS, now)
    response = call.go("/")
    set_cookie(response, SESSION, token, SESSION_SECONDS)
    return response


def sign_out(call: Call) -> Response:
    """End the session."""
    call.project.store.close_session(call.request.cookies.get(SESSION, ""))
    response = call.go("/signin")
    set_cookie(response, SESSION, "", 0)
    return response


def language(call: Call) -> Response:
    """Remember the language and go back to where the person was."""
    chosen = call.text("language")
    back = call.text("back")
    safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
    response = call.go(safe)
    if chosen in LANGUAGES:
        set_cookie(response, LANGUAGE, chosen, 365 * 24 * 3600)
    return response
