"""Source sessions, their obfuscated variants, and the trace that leads back.

This room makes Task 1's inputs; it neither restores nor scores them.
"""
