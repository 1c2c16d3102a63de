"""What an environment is launched with: limits, rendering and layers of isolation."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from riskchainbench.core.record import Record


class BrowserSettings(Record):
    """Settings of every environment of a run; lengths of time are seconds.

    The three switches of isolation are on in every run; tests turn one off to show what it
    guards against.
    """

    binary: Path
    version: str
    locale: str = "zh-CN"
    timezone: str = "Asia/Shanghai"
    clock_base: float = 1767225600000.0
    random_seed: int = 1
    quiet: float = 0.1
    quiet_cap: float = 1.5
    load_cap: float = 5.0
    first_load_cap: float = 10.0
    screenshot_cap: float = 5.0
    max_nodes: int = 20_000
    max_elements: int = 200
    max_text: int = 20_000
    max_tabs: int = 8
    max_dialogs: int = 40
    response_cap: int = Field(default=64 * 1024 * 1024, gt=0)
    step_limit: float = 30.0
    open_limit: float = 45.0
    memory_cap: int = 3 * 1024**3
    recycle_after: int = 50
    unprivileged: bool = True
    namespace: bool = True
    resolver_rules: bool = True
    sealing_flags: bool = True
    routing: bool = True
    relay_checks_host: bool = True

    @property
    def user_agent(self) -> str:
        """A user agent that names the browser's version and no automation."""
        major = self.version.split(".")[0]
        return (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
            f"Chrome/{major}.0.0.0 Safari/537.36"
        )


class FixtureValue(Record):
    """One synthetic value for a field; an agent is told `name` only."""

    name: str
    value: str


class Visit(Record):
    """One episode: where the website is served, how it is shown, what its fields are filled with.

    `fixtures` holds the declared values by field name, in the order in which they are cycled.
    """

    host: str = Field(pattern=r"^[a-z0-9.-]+\.test$")
    port: int = Field(gt=0, lt=65536)
    start_path: str = Field(default="/", pattern=r"^/")
    width: int = Field(default=1280, gt=0)
    height: int = Field(default=720, gt=0)
    fixtures: dict[str, tuple[FixtureValue, ...]] = Field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Scheme and host of the website."""
        return f"http://{self.host}"
