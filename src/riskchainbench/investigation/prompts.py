"""What a system is told in Task 2: files of words in each language, filled with observations.

Neither prompt ever holds a message, an entry, a host, a URL, a label or a website's id.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import UsageError
from riskchainbench.core.hashing import Sha256, sha256_json
from riskchainbench.core.investigation import (
    Action,
    Element,
    InvestigationTask,
    Observation,
    Step,
    Trajectory,
)
from riskchainbench.core.system import (
    ActionRequest,
    ConclusionRequest,
    ImageLoader,
    ImagePart,
    Prompt,
    PromptMessage,
    TextPart,
    prompt_sha256,
    text_message,
)
from riskchainbench.investigation.ineffective import ineffective

LANGUAGES = ("zh-CN", "en")
DEFAULT_LANGUAGE = "zh-CN"

EARLIER_TEXT = 600
RECORDED_TEXT = 4_000
RECORDED_CONTROLS = 60
CONCLUSION_IMAGES = 8


@cache
def _file(name: str) -> str:
    folder = resources.files("riskchainbench.investigation") / "data" / "prompts"
    return (folder / name).read_text(encoding="utf-8").strip()


@cache
def _words(language: str) -> dict[str, str]:
    return tomllib.loads(_file(f"words.{language}.toml"))


def check_language(language: str, codebook: Codebook) -> None:
    """Check that prompts can be made in `language`.

    Raises:
        InputError: there are no prompts or no codebook text in it.
    """
    if language not in LANGUAGES:
        raise UsageError(f"no investigation prompt in {language}; choose {' or '.join(LANGUAGES)}")
    codebook.render(language)


def prompts_sha256(language: str) -> Sha256:
    """Return the identity of all words that prompts in `language` are made of."""
    names = ("investigation", "conclusion")
    files = [_file(f"{name}.{language}.md") for name in names]
    return sha256_json([*files, _file(f"words.{language}.toml")])


def _scaffold(task: InvestigationTask) -> str:
    return ", ".join(kind.value for kind in task.scaffold) or "-"


def action_request(
    task: InvestigationTask,
    codebook: Codebook,
    steps: Sequence[Step],
    observation: Observation,
    remaining_seconds: float,
    images: ImageLoader,
    language: str,
) -> ActionRequest:
    """Return the request for the next action.

    The fingerprint leaves out the line that tells the seconds left.
    """
    words = _words(language)
    instruction = _file(f"investigation.{language}.md").format(
        codebook=codebook.render(language),
        scaffold=_scaffold(task),
        horizon=task.horizon,
        time_limit=f"{task.time_limit:g}",
    )
    lines: list[str] = []
    if steps:
        lines.append(words["history"])
        for step in steps:
            lines += _earlier(step, words)
        lines.append("")
    lines += [words["now"].format(step=observation.step), *_observed(observation, words)]
    vain = [_named(action) for action in ineffective(steps, observation)]
    if vain:
        lines.append(words["ineffective"].format(actions="; ".join(vain)))
    lines.append(words["budget"].format(actions=observation.remaining_actions))
    body = "\n".join(lines)
    seconds = words["seconds"].format(seconds=max(0, int(remaining_seconds)))

    def prompt(clock: str) -> Prompt:
        parts: list[TextPart | ImagePart] = [TextPart(f"{body}\n{clock}\n{words['ask']}")]
        if observation.screenshot is not None:
            parts.append(ImagePart(observation.screenshot))
        return text_message("system", instruction), PromptMessage("user", tuple(parts))

    return ActionRequest(
        prompt=prompt(seconds),
        fingerprint=prompt_sha256(prompt("")),
        codebook=codebook,
        scaffold=task.scaffold,
        steps=tuple(steps),
        observation=observation,
        remaining_seconds=remaining_seconds,
        images=images,
    )


def conclusion_request(
    task: InvestigationTask,
    codebook: Codebook,
    trajectory: Trajectory,
    images: ImageLoader,
    language: str,
) -> ConclusionRequest:
    """Return the request for the conclusion on a frozen trajectory."""
    words = _words(language)
    viewport = task.viewport
    instruction = _file(f"conclusion.{language}.md").format(
        codebook=codebook.render(language),
        scaffold=_scaffold(task),
        width=viewport.width,
        height=viewport.height,
    )
    lines: list[str] = []
    for step in trajectory.steps:
        lines += [_recorded(step, words), ""]
    lines.append(words["ending"].format(ending=trajectory.end.ending.value))
    shown = chosen_images(trajectory.steps)
    parts: list[TextPart | ImagePart] = [TextPart("\n".join(lines))]
    for number, sha256 in shown:
        parts += [TextPart(words["image"].format(step=number)), ImagePart(sha256)]
    parts.append(TextPart(words["conclude"]))
    prompt = (text_message("system", instruction), PromptMessage("user", tuple(parts)))
    return ConclusionRequest(
        prompt=prompt,
        fingerprint=prompt_sha256(prompt),
        codebook=codebook,
        scaffold=task.scaffold,
        steps=trajectory.steps,
        viewport=(viewport.width, viewport.height),
        images=images,
    )


def chosen_images(
    steps: Sequence[Step], limit: int = CONCLUSION_IMAGES
) -> tuple[tuple[int, Sha256], ...]:
    """Return the screenshots a conclusion is shown, as (step, hash).

    Each distinct screenshot counts at its first step. Where there are more than `limit`, the
    first and the last are kept and the others are taken at even distances between them.
    """
    distinct: dict[Sha256, int] = {}
    for step in steps:
        if step.observation.screenshot is not None:
            distinct.setdefault(step.observation.screenshot, step.observation.step)
    found = [(number, sha256) for sha256, number in distinct.items()]
    if len(found) <= limit:
        return tuple(found)
    picked = [round(index * (len(found) - 1) / (limit - 1)) for index in range(limit)]
    return tuple(found[index] for index in picked)


def _earlier(step: Step, words: dict[str, str]) -> list[str]:
    observation = step.observation
    lines = [f"[{words['step'].format(step=observation.step)}]"]
    lines.append(words["title"].format(text=observation.title))
    lines.append(_shortened(observation.text, EARLIER_TEXT, words))
    lines += _outcome(observation, words)
    lines.append(_action(step, words))
    return lines


def _recorded(step: Step, words: dict[str, str]) -> str:
    observation = step.observation
    lines = [f"[{words['step'].format(step=observation.step)}]"]
    lines += _observed(observation, words, RECORDED_TEXT, RECORDED_CONTROLS)
    if step.action is not None or step.failure is not None:
        lines.append(_action(step, words))
    return "\n".join(lines)


def _observed(
    observation: Observation,
    words: dict[str, str],
    text_limit: int | None = None,
    control_limit: int | None = None,
) -> list[str]:
    text = _shortened(observation.text, text_limit, words)
    scroll = observation.scroll
    elements = observation.elements[:control_limit]
    left_out = observation.elements_left_out + len(observation.elements) - len(elements)
    lines = [
        *_outcome(observation, words),
        words["title"].format(text=observation.title),
        words["text"],
        text or words["no_text"],
        words["controls"],
        *([_control(element, words) for element in elements] or [words["no_controls"]]),
    ]
    if left_out:
        lines.append(words["left_out"].format(count=left_out))
    lines.append(
        words["scroll"].format(
            top=round(scroll.top),
            page=round(scroll.page_height),
            view=round(scroll.viewport_height),
        )
    )
    return lines


def _outcome(observation: Observation, words: dict[str, str]) -> list[str]:
    lines: list[str] = []
    outcome = observation.outcome
    if outcome is not None:
        told = [outcome.status.value]
        if outcome.detail:
            told.append(outcome.detail)
        if outcome.fixture:
            told.append(words["fixture"].format(name=outcome.fixture))
        lines.append(words["outcome"].format(status="; ".join(told)))
    if observation.events:
        lines.append(words["events"])
        lines += [
            f"- {event.kind.value}: {event.text}" if event.text else f"- {event.kind.value}"
            for event in observation.events
        ]
    return lines


def _control(element: Element, words: dict[str, str]) -> str:
    told = [f"[{element.element_id}] {element.kind.value} ({element.role}) {element.name!r}"]
    if element.value:
        told.append(f"= {element.value!r}")
    if element.options:
        told.append("{" + " | ".join(element.options) + "}")
    if element.checked is not None:
        told.append(words["checked"] if element.checked else words["unchecked"])
    if element.disabled:
        told.append(words["disabled"])
    if not element.in_viewport:
        told.append(words["offscreen"])
    return " ".join(told)


def _action(step: Step, words: dict[str, str]) -> str:
    if step.action is None:
        failure = step.failure.failure_class.value if step.failure is not None else "-"
        return words["invalid"].format(failure=failure)
    return words["action"].format(action=f"{_named(step.action)} — {step.action.reason}"[:300])


def _named(action: Action) -> str:
    return " ".join(part for part in (action.action.value, action.element, action.option) if part)


def _shortened(text: str, limit: int | None, words: dict[str, str]) -> str:
    if limit is None or len(text) <= limit:
        return text
    return f"{text[:limit]}{words['cut']}"
