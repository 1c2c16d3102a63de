"""Controls that move when the page is scrolled to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser_pages import Session

from riskchainbench.core.investigation import OutcomeStatus

pytestmark = pytest.mark.browser

Begin = Callable[..., Session]

GROWING = """<div style='height:1500px'>top</div><div id=list></div>
<button onclick="this.textContent='pressed'">go</button><p style='height:200px'></p>
<script>let left = %d; addEventListener("scroll", () => {
  if (left-- > 0) list.insertAdjacentHTML("beforeend", "<p style='height:700px'>more</p>");
});</script>"""


def test_a_control_that_a_growing_page_pushes_away_is_still_met(begin: Begin) -> None:
    session = begin(GROWING % 3)
    view = session.act("click", "go")
    assert view.outcome is not None
    assert view.outcome.status is OutcomeStatus.DONE
    assert "pressed" in view.text


def test_a_control_that_a_page_never_lets_be_reached_is_told(begin: Begin) -> None:
    session = begin(GROWING % 1000)
    view = session.act("click", "go")
    assert view.outcome is not None
    assert view.outcome.status is OutcomeStatus.COVERED
    assert view.outcome.detail == "no part of the control can be reached"
