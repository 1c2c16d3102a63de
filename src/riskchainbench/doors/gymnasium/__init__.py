"""Websites as Gymnasium environments that a stock BrowserGym agent can step.

`register_bundle` registers them, `WebsiteEnv` is what `gymnasium.make` returns inside its
wrappers, `Scorer` gives the reward afterwards. No label ever enters the agent's process.
"""

from riskchainbench.doors.gymnasium.environment import (
    Finished,
    WebsiteEnv,
    environment_id,
    opened_cases,
    register_bundle,
)
from riskchainbench.doors.gymnasium.hosting import release_browsers
from riskchainbench.doors.gymnasium.scorer import Reward, Scorer

__all__ = [
    "Finished",
    "Reward",
    "Scorer",
    "WebsiteEnv",
    "environment_id",
    "opened_cases",
    "register_bundle",
    "release_browsers",
]
