"""The frozen benchmark: written once, opened by every stage, verified by anyone.

`open_bundle` gives what models may see; `open_gold` gives the rest, to the few rooms that may
open it (checks, scoring, annotation, pipeline).
"""

from riskchainbench.bundle.freeze import freeze_bundle
from riskchainbench.bundle.gold import Gold, open_gold
from riskchainbench.bundle.opened import Bundle, open_bundle
from riskchainbench.bundle.relabel import LabelSupport, audited_bundle, relabel_bundle
from riskchainbench.bundle.verify import Verification, verify_bundle

__all__ = [
    "Bundle",
    "Gold",
    "LabelSupport",
    "Verification",
    "audited_bundle",
    "freeze_bundle",
    "open_bundle",
    "open_gold",
    "relabel_bundle",
    "verify_bundle",
]
