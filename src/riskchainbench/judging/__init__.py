"""How well a conclusion is supported by its trajectory: package, rubric, judges and their run.

A judge rates evidence only; it never decides whether a website breaks the policy (paper,
section 3.4, equation 7).
"""
