"""The rules restorer of Task 1: from a message variant to a restoration, with no model.

It rests on general knowledge alone: UTS #39 in idea, common readings (pypinyin), simplified
forms (opencc), word counts (jieba), the platforms' token syntax, and hand-written tables of
character structure and everyday words. It was written from the paper's description of the six
recipes, before the generator was run and without sight of the generator's code or data; how it
was tuned afterwards stands in `restore`.
"""

from riskchainbench.models.restorer.restore import RulesRestorer

__all__ = ["RulesRestorer"]
