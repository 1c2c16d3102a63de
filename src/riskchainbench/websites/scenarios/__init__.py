"""Flows: the ways in which a website can be laid out, each a function from words to a plan."""
