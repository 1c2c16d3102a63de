"""One way to ask any system: the built-in ones, and any model of a `provider`.

`ask` asks and repairs, `extract` reads replies, `registry` makes a system from its name.
"""
