"""The rules explorer: a Task 2 baseline that knows the codebook and common words, nothing else.

It shares no code and no data with the rooms that make messages and websites.
"""

from riskchainbench.models.explorer.explorer import RulesExplorer

__all__ = ["RulesExplorer"]
