"""Recipes beyond the six: one for each further way of disguise, off by default.

Each takes one operator, and one confusable in the entry where the operator leaves names
alone, so that no entry stands in plain. A rendered image and a QR code are no token text and
have no recipe.
"""

from __future__ import annotations

from functools import partial

from riskchainbench.messages.operators import (
    arrangement,
    character_forms,
    disorder,
    dot_alteration,
    encoding,
    romanization,
    session_changes,
    spoken,
    unicode_forms,
)
from riskchainbench.messages.operators.base import Range
from riskchainbench.messages.recipes import OTHERWISE, Recipe
from riskchainbench.messages.steps import SessionStep, Step, confusables

_FEW: Range = (2, 4)
_MANY: Range = (6, 12)

FULL_PINYIN = Step(romanization.PINYIN, partial(romanization.propose_pinyin, count=_FEW))
PINYIN_INITIALS = Step(romanization.INITIALS, partial(romanization.propose_initials, count=_FEW))
TRADITIONAL = Step(
    character_forms.TRADITIONAL, partial(character_forms.propose_traditional, count=_MANY)
)
VARIANT = Step(character_forms.VARIANT, partial(character_forms.propose_variant, count=_FEW))
REPETITION = Step(disorder.REPETITION, partial(disorder.propose_repetition, count=_FEW))
TRANSPOSITION = Step(disorder.TRANSPOSITION, partial(disorder.propose_transposition, count=_FEW))
SPOKEN_DIGITS = Step(spoken.DIGITS, spoken.propose_digits)
SPELLED = Step(spoken.SPELLED, spoken.propose_spelled)
FULL_WIDTH = Step(unicode_forms.FULL_WIDTH, unicode_forms.propose_full_width)
MATHEMATICAL = Step(unicode_forms.MATHEMATICAL, unicode_forms.propose_mathematical)
COMPATIBLE = Step(unicode_forms.NFKC, partial(unicode_forms.propose_compatible, count=_FEW))
COMBINING = Step(unicode_forms.COMBINING, partial(unicode_forms.propose_combining, count=_MANY))
ZERO_WIDTH = Step(unicode_forms.ZERO_WIDTH, partial(unicode_forms.propose_zero_width, count=_MANY))
BIDI = Step(unicode_forms.BIDI, unicode_forms.propose_bidi)
SELECTORS = Step(unicode_forms.SELECTORS, partial(unicode_forms.propose_selectors, count=_MANY))
SPACED = Step(arrangement.SPACED, arrangement.propose_spaced)
PUNCTUATED = Step(arrangement.PUNCTUATED, arrangement.propose_punctuated)
GRID = Step(arrangement.GRID, arrangement.propose_grid)
ACROSTIC = Step(arrangement.ACROSTIC, arrangement.propose_acrostic)
ALL_DOTS = Step(dot_alteration.OPERATOR, dot_alteration.propose_all)
DEFANGED = Step(encoding.DEFANGED, encoding.propose_defanged)
PUNYCODE = Step(encoding.PUNYCODE, encoding.propose_punycode)
PERCENT = Step(encoding.PERCENT, encoding.propose_percent)
BASE_N = Step(encoding.BASE_N, encoding.propose_base_n)
SPLIT = SessionStep(session_changes.SPLIT, session_changes.split)
DECOY = SessionStep(session_changes.DECOY, session_changes.add_decoy)
CORRECTION = SessionStep(session_changes.CORRECTION, session_changes.correct)
QUOTATION = SessionStep(session_changes.QUOTATION, session_changes.quote)

_ONE = confusables(1, 1)

_STEPS: tuple[tuple[Step | SessionStep, ...], ...] = (
    (FULL_PINYIN, _ONE),
    (PINYIN_INITIALS, _ONE),
    (SPOKEN_DIGITS, _ONE),
    (SPELLED,),
    (TRADITIONAL, _ONE),
    (VARIANT, _ONE),
    (FULL_WIDTH,),
    (MATHEMATICAL,),
    (COMPATIBLE,),
    (COMBINING, _ONE),
    (ZERO_WIDTH, _ONE),
    (BIDI,),
    (SELECTORS, _ONE),
    (REPETITION, _ONE),
    (TRANSPOSITION, _ONE),
    (SPACED,),
    (PUNCTUATED,),
    (GRID,),
    (ACROSTIC,),
    (ALL_DOTS,),
    (DEFANGED,),
    (PUNYCODE,),
    (PERCENT,),
    (BASE_N,),
    (SPLIT, _ONE),
    (DECOY, _ONE),
    (CORRECTION, _ONE),
    (QUOTATION, _ONE),
)

EXTENDED_RECIPES: tuple[Recipe, ...] = tuple(
    Recipe(f"x{number:03d}", steps[0].operator, steps, OTHERWISE)
    for number, steps in enumerate(_STEPS, start=1)
)
