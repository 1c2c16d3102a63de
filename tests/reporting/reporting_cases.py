"""Trajectories, screenshots and conclusions of the invented benchmark."""

from __future__ import annotations

import io
from functools import cache

from PIL import Image, ImageDraw

from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ConclusionRecord,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Box,
    Element,
    ElementKind,
    Ending,
    EventKind,
    Observation,
    Outcome,
    OutcomeStatus,
    PageEvent,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
)
from riskchainbench.core.store import Images

WIDTH, HEIGHT = 1280, 720
V, N, U = Decision.VIOLATION, Decision.NON_VIOLATION, Decision.INSUFFICIENT_EVIDENCE
TYPE = "GAMBLING_BETTING_PROMOTION"


@cache
def page_picture(title: str, lines: tuple[str, ...], dark: bool) -> bytes:
    picture = Image.new("RGB", (WIDTH, HEIGHT), "#22313f" if dark else "#fbf7ef")
    pen = ImageDraw.Draw(picture)
    ink = "#ecf0f1" if dark else "#2c3e50"
    pen.rectangle((0, 0, WIDTH, 74), fill="#b03a2e" if dark else "#1f618d")
    pen.text((40, 22), title, fill="white", font_size=28)
    for at, line in enumerate(lines):
        pen.text((60, 120 + 60 * at), line, fill=ink, font_size=24)
    pen.rectangle((60, 420, 300, 476), fill="#27ae60")
    pen.text((90, 434), "Enter the hall", fill="white", font_size=22)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


ELEMENTS = (
    Element(
        element_id="e1",
        kind=ElementKind.LINK,
        role="link",
        name="Enter the hall",
        box=Box(x=60, y=420, width=240, height=56),
    ),
    Element(
        element_id="e2",
        kind=ElementKind.FIELD,
        role="textbox",
        name="Stake",
        value="50",
        box=Box(x=360, y=420, width=200, height=56),
    ),
    Element(
        element_id="e3",
        kind=ElementKind.CHOICE,
        role="combobox",
        name="Table",
        options=("red", "black"),
        in_viewport=False,
    ),
)


def make_step(
    at: int, last: int, title: str, text: str, shot: str | None, element: str | None
) -> Step:
    action = (
        Action(action=ActionKind.STOP, reason="Enough was seen to decide.")
        if at == last
        else Action(
            action=ActionKind.CLICK if element else ActionKind.SCROLL_DOWN,
            element=element,
            reason="The hall may show what is offered, and at which stakes.",
        )
    )
    return Step(
        observation=Observation(
            step=at,
            screenshot=shot,
            title=title,
            text=text,
            elements=ELEMENTS,
            scroll=Scroll(top=0, page_height=1400, viewport_height=HEIGHT),
            outcome=Outcome(status=OutcomeStatus.DONE, detail="a page opened") if at else None,
            events=(PageEvent(kind=EventKind.DIALOG, text="Are you 18?"),) if at == 1 else (),
            remaining_actions=30 - at,
            page_state=sha256_text(f"{title}{at}"),
        ),
        action=action,
        timing=Timing(observed_at=4.0 * at, decided_at=4.0 * at + 3),
    )


def make_trajectory(images: Images, case_id: str, steps: int) -> Trajectory:
    made = []
    for at in range(steps):
        title = "Lucky Pier" if at == 0 else f"Hall {at}"
        text = "Welcome to the pier\nBets from 5 to 500 are paid out daily\nSupport day and night"
        picture = page_picture(title, tuple(text.splitlines()), dark=at > 0)
        made.append(
            make_step(
                at, steps - 1, title, text, images.put(picture), "e1" if at % 2 == 0 else None
            )
        )
    return Trajectory(steps=tuple(made), end=TrajectoryEnd(ending=Ending.STOP, seconds=4.0 * steps))


def make_conclusion(case_id: str, decision: Decision, step: int) -> ConclusionRecord:
    kinds = {V: TYPE, N: "NONE", U: "UNKNOWN"}
    return ConclusionRecord(
        case_id=case_id,
        trajectory_sha256=sha256_text(case_id),
        conclusion=Conclusion(
            decision=decision,
            violation_type=kinds[decision],
            rationale="The hall takes bets and says that winnings are paid out daily, "
            "on its own behalf and without any licence notice.",
            evidence=(
                EvidenceReference(
                    step=step, locator=QuoteLocator(text="Bets from 5 to  500 are paid out")
                ),
                EvidenceReference(step=0, locator=ElementLocator(element_id="e1")),
                EvidenceReference(
                    step=step, locator=BoxLocator(x=50, y=100, width=620, height=140)
                ),
            ),
            confidence=0.86,
        ),
    )
