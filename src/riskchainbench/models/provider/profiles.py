"""What is known of each provider: how it is reached, asked for JSON, and which images it takes."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from riskchainbench.core.errors import InputError

ANY_ENDPOINT = "openai-api"
"""The provider whose names carry the endpoint's own: ``openai-api/NAME/MODEL``."""


@dataclass(frozen=True)
class ImageLimits:
    """The largest images a provider takes: longest edge in pixels, encoded bytes, number."""

    edge: int
    encoded_bytes: int
    count: int


@dataclass(frozen=True)
class Profile:
    """One provider. `keys` are environment variables; any one of them is enough."""

    name: str
    keys: tuple[str, ...]
    format: Literal["body", "schema"]
    arguments: Mapping[str, object]
    images: ImageLimits


@cache
def _table() -> dict[str, Profile]:
    file = resources.files("riskchainbench.models.provider") / "data" / "providers.toml"
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: _profile(name, {**read["default"], **row}) for name, row in _rows(read)}


def _rows(read: dict[str, dict[str, dict[str, object]]]) -> list[tuple[str, dict[str, object]]]:
    return sorted(read["provider"].items())


def _profile(name: str, row: dict[str, object]) -> Profile:
    keys, edge, size, count = (row[key] for key in ("keys", "image_edge", "image_bytes", "images"))
    arguments = row.get("arguments", {})
    assert isinstance(keys, list)
    assert isinstance(arguments, dict)
    assert isinstance(edge, int)
    assert isinstance(size, int)
    assert isinstance(count, int)
    return Profile(
        name=name,
        keys=tuple(keys),
        format="body" if row["format"] == "body" else "schema",
        arguments=arguments,
        images=ImageLimits(edge, size, count),
    )


def provider_names() -> tuple[str, ...]:
    """Return the providers that can be named, sorted."""
    return tuple(_table())


def profile_of(model: str) -> Profile:
    """Return the profile of the provider that the name `model` starts with.

    Raises:
        InputError: the name has no provider, an unknown one, or too few parts.
    """
    provider, _, rest = model.partition("/")
    profile = _table().get(provider)
    if profile is None:
        raise InputError(
            f"no provider {provider!r} in {model!r}; choose one of {', '.join(_table())}, or "
            f"{ANY_ENDPOINT}/NAME/MODEL with NAME_BASE_URL and NAME_API_KEY in the environment"
        )
    parts = rest.split("/")
    needed = 2 if provider == ANY_ENDPOINT else 1
    if len(parts) < needed or not all(parts):
        form = f"{ANY_ENDPOINT}/NAME/MODEL" if needed == 2 else f"{provider}/MODEL"
        raise InputError(f"model {model!r}: write it as {form}")
    return profile


def require_environment(model: str) -> None:
    """Check that the environment holds what calling `model` needs.

    Raises:
        InputError: naming the variable to set.
    """
    profile = profile_of(model)
    if profile.name == ANY_ENDPOINT:
        prefix = endpoint_prefix(model)
        missing = [
            f"{prefix}_{part}" for part in ("BASE_URL", "API_KEY") if not _set(f"{prefix}_{part}")
        ]
        if missing:
            raise InputError(f"{model}: set {' and '.join(missing)} in the environment")
        return
    if profile.keys and not any(map(_set, profile.keys)):
        raise InputError(f"{model}: set {' or '.join(profile.keys)} in the environment")


def endpoint_prefix(model: str) -> str:
    """Return what the environment variables of ``openai-api/NAME/MODEL`` start with."""
    return model.split("/")[1].upper().replace("-", "_")


def secrets_of(model: str) -> tuple[str, ...]:
    """Return the values that must appear in no file and no message."""
    profile = profile_of(model)
    names = profile.keys
    if profile.name == ANY_ENDPOINT:
        names = (f"{endpoint_prefix(model)}_API_KEY",)
    return tuple(value for name in names if len(value := os.environ.get(name, "")) > 3)


def _set(name: str) -> bool:
    return bool(os.environ.get(name, "").strip())
