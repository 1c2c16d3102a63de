"""One way to ask any system, and the systems that need no key.

`ask` asks and repairs, `extract` reads replies, `registry` makes a system from its name.
"""
