"""Human gold: who judges what, what they said, how it is resolved, and how far they agree.

The ledger of a project is its one truth; assignment, resolution and reports are read off it.
"""
