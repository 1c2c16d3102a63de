"""The rules restorer of Task 1: from a message variant to a restoration, with no model.

It rests on general knowledge alone: the idea of UTS #39, common readings (pypinyin), simplified
forms (opencc), word counts and parts of speech (jieba), the platforms' token syntax, and
hand-written tables of character structure, look-alikes, everyday words and a grammar in
miniature.

How it was developed: written from a description of the six recipes, without sight of the
generator's code or data. Afterwards the generator was run on one development seed; its totals by
recipe, counts of errors by class and thirty failing samples guided the prices in `homophones.py`
and `sentence.py`, the layout of tall entries and the kinds of cues in `cues.toml`. The lists of
everyday words were completed after those samples had been seen: they are meant as general
vocabulary, but a few of their words occur in the samples. Figures are to be taken on other seeds.
"""

from riskchainbench.models.restorer.restore import RulesRestorer

__all__ = ["RulesRestorer"]
