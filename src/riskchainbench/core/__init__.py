"""The vocabulary of the benchmark: records, text rules, seeds, hashes and stores.

Every other room may import this one; it imports none of them.
"""
