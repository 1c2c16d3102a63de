"""Brand families: a name, a palette, a typeface, a layout and a voice that websites share.

Families are drawn from a seed; a family looks the same in every website that bears it.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from random import Random

from riskchainbench.core.seeds import stream
from riskchainbench.websites.faces import TYPEFACES
from riskchainbench.websites.texts import languages, phrases

LAYOUTS = ("top", "side", "band", "center", "mast")
FRONT_ENDS = ("plain", "card", "script")
DRESSES = ("plain", "classic", "soft", "sheet")
VOICES = 3
MARKS = 10


@dataclass(frozen=True)
class Palette:
    """Colors as ``#rrggbb``: accent, its ink, page, surface, text, muted text and line."""

    accent: str
    accent_ink: str
    page: str
    surface: str
    text: str
    muted: str
    line: str


@dataclass(frozen=True)
class Family:
    """One brand family; `names` holds its name in every language."""

    family_id: str
    names: dict[str, str]
    palette: Palette
    layout: str
    dress: str
    typeface: str
    front_end: str
    radius: int
    mark: int
    voice: int


def brand_families(seed: int, count: int) -> tuple[Family, ...]:
    """Return `count` families whose names differ in every language.

    The first families are the same whatever `count` is.
    """
    names = {language: _names(seed, language, count) for language in languages()}
    return tuple(
        _family(stream(seed, "family", number), number, {k: v[number] for k, v in names.items()})
        for number in range(count)
    )


def _names(seed: int, language: str, count: int) -> list[str]:
    bank = phrases(language)
    pairs = [(head, end) for head in bank.name_heads for end in bank.name_ends]
    stream(seed, "family-names", language).shuffle(pairs)
    unique = list(dict.fromkeys(bank.name_form.format(head=h, end=e) for h, e in pairs))
    if len(unique) < count:
        raise ValueError(f"phrases {language}: only {len(unique)} family names for {count}")
    return unique[:count]


def _family(rng: Random, number: int, names: dict[str, str]) -> Family:
    layout = LAYOUTS[number % len(LAYOUTS)]
    return Family(
        family_id=f"family-{number:03d}",
        names=names,
        palette=_palette(rng, number),
        layout=layout,
        dress=rng.choice(DRESSES if layout in ("top", "band") else DRESSES[:3]),
        typeface=rng.choice(TYPEFACES),
        front_end=FRONT_ENDS[number // len(LAYOUTS) % len(FRONT_ENDS)],
        radius=rng.choice((0, 3, 6, 10, 16)),
        mark=rng.randrange(MARKS),
        voice=rng.randrange(VOICES),
    )


def _palette(rng: Random, number: int) -> Palette:
    hue = (number * 0.381966 + rng.random() * 0.04) % 1.0
    dark = rng.random() < 0.2
    if dark:
        return Palette(
            accent=_hex(hue, 0.70, 0.62),
            accent_ink="#10131a",
            page=_hex(hue, 0.22, 0.09),
            surface=_hex(hue, 0.20, 0.14),
            text="#eef1f6",
            muted="#b4bcc9",
            line=_hex(hue, 0.16, 0.26),
        )
    tint = rng.choice((0.965, 0.98, 0.94))
    second = rng.choice((hue, 0.11, (hue + 0.5) % 1.0))
    page, surface = _hex(second, 0.30, tint), "#ffffff"
    if rng.random() < 0.3:
        page, surface = surface, page
    return Palette(
        accent=_hex(hue, rng.choice((0.35, 0.5, 0.65, 0.85)), rng.choice((0.24, 0.29, 0.33))),
        accent_ink="#ffffff",
        page=page,
        surface=surface,
        text="#1b2029",
        muted="#545d6b",
        line=_hex(second, 0.18, 0.87),
    )


def _hex(hue: float, saturation: float, lightness: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
