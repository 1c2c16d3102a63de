"""The operators: each reads a draft and proposes edits of one kind, one file a kind.

An operator chooses places and forms with the generator it is given and nothing else.
"""
