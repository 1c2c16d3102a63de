"""Task 1: the prompt, the output contract and the run (paper, section 3.2)."""
