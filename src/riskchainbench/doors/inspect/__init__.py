"""The door to Inspect AI: both tasks as Inspect tasks over a bundle.

    inspect eval riskchainbench/restoration -T bundle=BUNDLE --model PROVIDER/MODEL
    inspect eval riskchainbench/investigation -T bundle=BUNDLE --model PROVIDER/MODEL

Prompts, parser, environment and outcome of a unit are this project's own; retries, logs and
averages are Inspect's. Intervals, the entry gate and reports need a run of this project.
"""

from riskchainbench.doors.inspect.tasks import investigation, restoration

__all__ = ["investigation", "restoration"]
