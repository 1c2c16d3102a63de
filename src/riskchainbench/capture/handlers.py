"""Event attributes as a script of its own, since a page's policy forbids them in place."""

from __future__ import annotations

HANDLER_MARK = "data-k1"
"""Marks the elements that handlers belong to."""


def handler_script(handlers: list[tuple[int, str, str]]) -> bytes:
    """Return a script that attaches what were event attributes."""
    lines = [
        f"h({number},{event!r},function(event){{{code}\n}});" for number, event, code in handlers
    ]
    body = "\n".join(lines)
    return (
        "(function(){function h(n,e,f){document.querySelectorAll("
        f"'[{HANDLER_MARK}=\"'+n+'\"]').forEach(function(x){{"
        "(x===document.body&&e==='onload'?window:x)[e]=f})}\n"
        f"{body}\n}})();\n"
    ).encode()
