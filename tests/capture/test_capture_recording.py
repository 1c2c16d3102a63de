"""Recording a page that is still being led on while it is read."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Error as PlaywrightError

from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.capture.recording import RecordJob, _Crawl


class LedOnPage:
    """Its document is replaced during the first `times` reads."""

    url = "http://127.0.0.1:1/"

    def __init__(self, times: int) -> None:
        self._times = times

    def goto(self, *_: object, **__: object) -> None:
        """Arrive."""

    def wait_for_timeout(self, _: int) -> None:
        """Wait for nothing."""

    def wait_for_load_state(self, *_: object, **__: object) -> None:
        """Be loaded."""

    def title(self) -> str:
        self._times -= 1
        if self._times >= 0:
            raise PlaywrightError("Execution context was destroyed")
        return "arrived"

    def evaluate(self, *_: object) -> list[str]:
        return []


def test_a_page_that_is_led_on_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    settings = BrowserSettings(binary=Path("/none"), version="1.0")
    job = RecordJob(
        settings=settings, url=LedOnPage.url, out=tmp_path / "x.wacz", pages=1, forms=False
    )
    (found,) = _Crawl(LedOnPage(times=2), job).run()  # type: ignore[arg-type]
    assert found.title == "arrived"
