"""What tokens cost: a dated file, and a clear "unknown" for models that are not in it."""

from __future__ import annotations

import datetime
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Protocol, Self

from pydantic import Field, ValidationError, model_validator

from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record

_MILLION = 1_000_000
_VERSION = r"([-@]\d[-\d]*|-latest)?"


class Counted(Protocol):
    """Anything that counted tokens: a reply, or the usage of a unit."""

    @property
    def input_tokens(self) -> int:
        """Tokens sent, cached ones included."""

    @property
    def output_tokens(self) -> int:
        """Tokens received, reasoning included."""

    @property
    def cached_tokens(self) -> int:
        """Tokens sent that the provider read from its cache."""


@dataclass(frozen=True)
class Tokens:
    """Tokens in, out, and read from the provider's cache (part of those in)."""

    input: int = 0
    output: int = 0
    cached: int = 0

    @classmethod
    def of(cls, counted: Counted) -> Tokens:
        """Return the tokens of one reply or usage."""
        return cls(counted.input_tokens, counted.output_tokens, counted.cached_tokens)

    def plus(self, other: Tokens) -> Tokens:
        """Return the sum."""
        return Tokens(
            self.input + other.input, self.output + other.output, self.cached + other.cached
        )

    @property
    def all(self) -> int:
        """Tokens in and out."""
        return self.input + self.output


class Price(Record):
    """What a model's provider asks for a million tokens on a date.

    `model` is the system's name, without the date of a version; `date` is the day of which the
    price was, `source` where it was read.
    """

    model: str
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    currency: str = "USD"
    date: datetime.date
    source: str = Field(min_length=1)

    def cost(self, tokens: Tokens) -> float:
        """Return what `tokens` cost; cached ones at full price where no other is known."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, tokens.input - tokens.cached)
        return (
            fresh * self.input + tokens.cached * cached + tokens.output * self.output
        ) / _MILLION


class PriceList(Record):
    """All known prices, in one currency, since what a run spends is one sum."""

    price: tuple[Price, ...] = ()

    @model_validator(mode="after")
    def _one_currency(self) -> Self:
        currencies = sorted({each.currency for each in self.price})
        if len(currencies) > 1:
            raise ValueError(f"prices in {' and '.join(currencies)}; write them in one currency")
        return self

    def of(self, model: str) -> Price | None:
        """Return the price of the system called `model`, dated versions of it included."""
        fits = [
            price for price in self.price if re.fullmatch(re.escape(price.model) + _VERSION, model)
        ]
        return max(fits, key=lambda price: len(price.model), default=None)


@cache
def shipped_prices() -> PriceList:
    """Return the prices that ship with the project."""
    file = resources.files("riskchainbench.models.provider") / "data" / "prices.toml"
    return _parsed(file.read_text(encoding="utf-8"), "prices.toml")


def load_prices(path: Path | None) -> PriceList:
    """Return the prices in `path`, or those that ship if it is None.

    Raises:
        InputError: the file cannot be read or holds no prices.
    """
    if path is None:
        return shipped_prices()
    try:
        return _parsed(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as prices: {error}") from error


def _parsed(text: str, where: str) -> PriceList:
    try:
        return PriceList.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "price"
        told = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{where}: {place}: {told}") from error
