"""The restoration prompt, a versioned file in each language."""

from __future__ import annotations

from functools import cache
from importlib import resources

from riskchainbench.core.errors import UsageError
from riskchainbench.core.hashing import Sha256, canonical_json, sha256_text
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.core.store import Images
from riskchainbench.core.system import (
    ImagePart,
    Prompt,
    PromptMessage,
    RestorationRequest,
    TextPart,
    prompt_sha256,
    text_message,
)
from riskchainbench.restoration.picture import draw_session

LANGUAGES = ("zh-CN", "en")
DEFAULT_LANGUAGE = "zh-CN"


@cache
def instruction(language: str) -> str:
    """Return the instruction in `language`.

    Raises:
        InputError: there is none in that language.
    """
    if language not in LANGUAGES:
        raise UsageError(f"no restoration prompt in {language}; choose {' or '.join(LANGUAGES)}")
    folder = resources.files("riskchainbench.restoration") / "data" / "prompts"
    return (folder / f"restoration.{language}.md").read_text(encoding="utf-8").strip()


def instruction_sha256(language: str) -> Sha256:
    """Return the identity of the instruction, recorded in every run."""
    return sha256_text(instruction(language))


def image_instruction(language: str) -> str:
    """Return the instruction for messages that are given as an image.

    Raises:
        InputError: there is none in that language.
    """
    folder = resources.files("riskchainbench.restoration") / "data" / "prompts"
    added = (folder / f"image.{language}.md").read_text(encoding="utf-8").strip()
    return f"{instruction(language)}\n\n{added}"


def image_instruction_sha256(language: str) -> Sha256:
    """Return the identity of the instruction for images, recorded in every run."""
    return sha256_text(image_instruction(language))


def build_image_request(task: RestorationTask, language: str, images: Images) -> RestorationRequest:
    """Return the request that shows `task` as an image, which is kept in `images`."""
    session = {
        "platform": task.platform,
        "surface": task.surface.value,
        "messages": [{"message_id": message.message_id} for message in task.messages],
    }
    sha256 = images.put(draw_session(task))
    prompt: Prompt = (
        text_message("system", image_instruction(language)),
        PromptMessage("user", (TextPart(canonical_json(session)), ImagePart(sha256))),
    )
    return RestorationRequest(
        prompt=prompt, fingerprint=prompt_sha256(prompt), task=task, images=images.get
    )


def build_request(task: RestorationTask, language: str) -> RestorationRequest:
    """Return the request that asks for `task`."""
    session = {
        "platform": task.platform,
        "surface": task.surface.value,
        "messages": [
            {"message_id": message.message_id, "content": message.content}
            for message in task.messages
        ],
    }
    prompt: Prompt = (
        text_message("system", instruction(language)),
        text_message("user", canonical_json(session)),
    )
    return RestorationRequest(prompt=prompt, fingerprint=prompt_sha256(prompt), task=task)
