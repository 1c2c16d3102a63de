"""Websites of a bundle behind an OpenEnv server, for training over the network of one machine.

Needs the extra `training`. `openenv_app` is the server's application; the verb `openenv` runs it.
"""

from riskchainbench.doors.openenv.server import openenv_app

__all__ = ["openenv_app"]
