"""A figure for use inside a page, whose colors it then takes."""

from __future__ import annotations

import re

from riskchainbench.reporting import figures

_CSS_NAMES = {
    figures.INK: "ink",
    figures.MUTED: "muted",
    figures.GRID: "grid",
    figures.PAPER: "paper",
    figures.BLUE: "blue",
    figures.SKY: "sky",
    figures.ORANGE: "orange",
    figures.GREEN: "green",
    figures.PURPLE: "purple",
    figures.RED: "red",
    figures.GRAY: "gray",
}


def inline(svg: str, prefix: str) -> str:
    """Return `svg` for use inside a page: own ids, colors as variables, no fixed size.

    The page knows its width in points as ``--points``, so as not to draw words too small.
    """
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="([^"]*)"', rf'id="{prefix}-\1"', body)
    body = re.sub(r'(xlink:href|href)="#', rf'\1="#{prefix}-', body)
    body = re.sub(r"url\(#", f"url(#{prefix}-", body)
    for color, name in _CSS_NAMES.items():
        body = body.replace(color, f"var(--fig-{name})")
    # Presentation attributes cannot hold variables; as style they can.
    body = re.sub(r'\b(fill|stroke)="(var\([^"]*\))"', r'style="\1: \2"', body)
    body = re.sub(r'(<svg[^>]*?) width="([0-9.]*)pt"', r'\1 style="--points: \2"', body, count=1)
    body = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", body, count=1)
    return body.replace("<svg", '<svg aria-hidden="true" focusable="false"', 1)
