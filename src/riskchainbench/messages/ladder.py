"""The severity ladder: six steps from light to hard, each a recipe of its own, off by default.

The top two also draw on operators beyond the six recipes. No score is required of a rules
system there.
"""

from __future__ import annotations

from functools import partial

from riskchainbench.messages.extended import (
    ALL_DOTS,
    COMBINING,
    FULL_PINYIN,
    REPETITION,
    SPOKEN_DIGITS,
    TRADITIONAL,
    TRANSPOSITION,
)
from riskchainbench.messages.operators import unicode_forms
from riskchainbench.messages.recipes import OTHERWISE, Recipe
from riskchainbench.messages.steps import (
    Step,
    attached_tokens,
    breaks,
    comma,
    confusables,
    homophones,
    keycaps,
    look_alikes,
    marks,
    parts,
    tokens,
    vertical,
)

_UNSEEN = Step(unicode_forms.ZERO_WIDTH, partial(unicode_forms.propose_zero_width, count=(3, 6)))

LADDER_RECIPES: tuple[Recipe, ...] = (
    Recipe("l001", "ladder_1", (homophones(1, 1), confusables(1, 1, 0.0)), OTHERWISE),
    Recipe(
        "l002",
        "ladder_2",
        (homophones(1, 2), look_alikes(1, 1), confusables(1, 2, 0.0), comma(0.3), tokens(1, 2)),
        OTHERWISE,
    ),
    Recipe(
        "l003",
        "ladder_3",
        (
            homophones(2, 3),
            look_alikes(1, 2),
            parts(1, 2),
            confusables(2, 3, 0.2),
            comma(0.5),
            marks(1, 2),
            tokens(4, 6, inside_entry=True),
        ),
        OTHERWISE,
    ),
    Recipe(
        "l004",
        "ladder_4",
        (
            homophones(3, 4),
            look_alikes(2, 3),
            parts(2, 4),
            confusables(3, 4, 0.5),
            comma(1.0),
            marks(2, 4),
            tokens(8, 12, inside_entry=True),
            breaks(1, 2, 0.5),
        ),
        OTHERWISE,
    ),
    Recipe(
        "l005",
        "ladder_5",
        (
            homophones(3, 4),
            TRADITIONAL,
            parts(2, 4),
            keycaps(0.5),
            confusables(4, 5, 0.7),
            vertical(),
            _UNSEEN,
            marks(3, 4),
            attached_tokens(8, 10),
        ),
        OTHERWISE,
    ),
    Recipe(
        "l006",
        "hard",
        (
            FULL_PINYIN,
            TRANSPOSITION,
            homophones(2, 3),
            TRADITIONAL,
            parts(2, 4),
            REPETITION,
            SPOKEN_DIGITS,
            confusables(5, 7, 0.8),
            ALL_DOTS,
            COMBINING,
            marks(3, 4),
            tokens(10, 14, inside_entry=True),
        ),
        OTHERWISE,
    ),
)
