"""The sealed Chromium: finding it, launching it, isolating it, and driving it in a child process.

Knows pages, controls and actions; knows no codebook, prompt or conclusion.
"""
