"""The composition root: stages put together, and the oracle handed its answers.

Verbs of the command line call these functions; nothing else composes rooms.
"""
