"""The judge prompt: a fixed file in each language, filled with codebook, rubric and package."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.system import (
    ImageLoader,
    ImagePart,
    PromptMessage,
    TextPart,
    prompt_sha256,
    text_message,
)
from riskchainbench.judging.protocol import JudgingRequest
from riskchainbench.judging.records import EvidencePackage
from riskchainbench.judging.rubric import Rubric

LANGUAGES = ("zh-CN", "en")
DEFAULT_LANGUAGE = "zh-CN"

TEXT_SHOWN = 4_000
CONTROLS_SHOWN = 60


@cache
def instruction(language: str) -> str:
    """Return the instruction in `language`, with places for codebook and rubric.

    Raises:
        InputError: there is none in that language.
    """
    if language not in LANGUAGES:
        raise InputError(f"no judge prompt in {language}; choose {' or '.join(LANGUAGES)}")
    folder = resources.files("riskchainbench.judging") / "data" / "prompts"
    return (folder / f"judge.{language}.md").read_text(encoding="utf-8").strip()


def instruction_sha256(language: str) -> Sha256:
    """Return the identity of the instruction, recorded in every judged run."""
    return sha256_text(instruction(language))


def judging_request(
    package: EvidencePackage,
    codebook: Codebook,
    rubric: Rubric,
    images: ImageLoader,
    language: str,
) -> JudgingRequest:
    """Return the request that asks a judge to rate `package`."""
    told = instruction(language).format(
        codebook=codebook.render(language), rubric=rubric.render(language)
    )
    parts: list[TextPart | ImagePart] = [TextPart(shown_package(package))]
    for step, sha256 in package.images:
        parts += [TextPart(f"[screenshot, step {step}]"), ImagePart(sha256)]
    prompt = (text_message("system", told), PromptMessage("user", tuple(parts)))
    return JudgingRequest(
        prompt=prompt,
        fingerprint=prompt_sha256(prompt),
        package=package,
        codebook=codebook,
        images=images,
    )


def shown_package(package: EvidencePackage) -> str:
    """Return the package as JSON, long texts and inventories cut at a stated length.

    Citations carry the words around them, so a cut never hides what is cited.
    """
    shown = package.model_dump(mode="json", exclude={"images"}, exclude_defaults=True)
    shown["observations"] = [_shortened(value) for value in shown["observations"]]
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def _shortened(observation: dict[str, Any]) -> dict[str, Any]:
    text, controls = observation["text"], observation["controls"]
    if len(text) > TEXT_SHOWN:
        observation["text"] = text[:TEXT_SHOWN]
        observation["text_cut"] = len(text) - TEXT_SHOWN
    if len(controls) > CONTROLS_SHOWN:
        observation["controls"] = controls[:CONTROLS_SHOWN]
        observation["controls_cut"] = len(controls) - CONTROLS_SHOWN
    return observation
