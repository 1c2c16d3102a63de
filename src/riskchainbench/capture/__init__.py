"""Captured pages: read from any archive format and compiled to a sealed website.

Readers know archive formats and nothing of websites; the compiler knows websites and nothing
of archives; the neutral `exchange.Capture` stands between them.
"""
