"""Websites as data: the format, its one meaning in `step`, and the synthesis of a pool."""
