"""What an import is told: what to do with scripts, and what else to mask."""

from __future__ import annotations

from enum import StrEnum

from riskchainbench.capture.troubles import Limits
from riskchainbench.core.investigation import Viewport
from riskchainbench.core.record import Record

DESKTOP = Viewport(width=1280, height=720)
MOBILE = Viewport(width=390, height=844)


class Scripts(StrEnum):
    """What becomes of a page's scripts.

    KEEP moves them into files of the website, where the self-only policy lets them run; FREEZE
    shows the page as they left it once, rendered in the sealed browser; DROP takes them out.
    """

    KEEP = "keep"
    FREEZE = "freeze"
    DROP = "drop"


class ImportPolicy(Record):
    """The settings of an import; a website is compiled anew when they change.

    With `ocr`, text in pictures is read and what names somebody painted over.
    """

    scripts: Scripts = Scripts.DROP
    names: tuple[str, ...] = ()
    ocr: bool = False
    viewport: Viewport = DESKTOP
    limits: Limits = Limits()
