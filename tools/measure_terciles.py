"""Prints the shares that part each message recipe's severity into thirds, as TOML.

Run it again only when recipes or lexicons change, and commit what it prints as
``src/riskchainbench/messages/data/terciles.toml``.
"""

from __future__ import annotations

from statistics import quantiles

from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.ladder import LADDER_RECIPES
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.sources import build_sources

SESSIONS = 600
SEEDS = (1, 2, 3)


def main() -> None:
    recipes = (*PAPER_RECIPES, *LADDER_RECIPES, *EXTENDED_RECIPES)
    shares: dict[str, list[float]] = {recipe.recipe_id: [] for recipe in recipes}
    for seed in SEEDS:
        for session in build_sessions(seed, build_sources(seed, SESSIONS), recipes):
            length = sum(len(message.content) for message in session.source.messages)
            for variant in session.variants:
                shares[variant.recipe].append(variant.edited / length)
    print("# Edited code points over source code points that part a recipe's variants into thirds.")
    print(f"# Measured on {SESSIONS * len(SEEDS)} sessions by tools/measure_terciles.py.")
    print()
    for recipe, values in shares.items():
        low, high = quantiles(values, n=3)
        print(f"{recipe} = [{low:.3f}, {high:.3f}]")


if __name__ == "__main__":
    main()
