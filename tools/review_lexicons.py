"""Prints every lexicon entry with what a reviewer needs to judge it.

    python tools/review_lexicons.py [homophones|decompositions|look_alikes|confusables|...]

Homophones are shown with both readings and their class, confusables with their code
points. Where a CJK font is given by ``--font``, decompositions and look-alikes get the
share of ink that whole and form have in common; the least alike are printed last, since they
are the first to doubt.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Iterator, Mapping

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from riskchainbench.messages.lexicons import Lexicon, load_lexicon
from riskchainbench.messages.readings import readings

SIZE = 64
Ink = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def homophones(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    del font
    for table in (lexicon.homophones, lexicon.homophone_characters):
        for word, forms in table.items():
            for form in forms:
                sounds = (
                    " ".join(readings(word)),
                    " ".join(map(" ".join, map(readings, form.spelling))),
                )
                yield f"{word} {sounds[0]} -> {form.spelling} {sounds[1]}  {form.kind.value}"


def decompositions(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    yield from _drawn(lexicon.decompositions, font)


def look_alikes(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    yield from _drawn(lexicon.look_alikes, font)


def confusables(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    del font
    for table in (lexicon.confusables, lexicon.confusables_uts39):
        for letter, forms in table.items():
            for form in forms:
                yield f"{letter} -> {form} U+{ord(form):04X} {unicodedata.name(form, '?')}"


def characters(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    del font
    for table in (lexicon.traditional, lexicon.variants, lexicon.spoken):
        for character, form in table.items():
            yield f"{character} -> {form}"


def tokens(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    del font
    for profile in lexicon.profiles.values():
        state = "verified" if profile.verified else "placeholder"
        yield f"{profile.platform} ({state}): {' '.join(map(repr, profile.codes))}"


def equivalents(lexicon: Lexicon, font: str | None) -> Iterator[str]:
    del font
    yield from (" = ".join(group) for group in lexicon.equivalents)


VIEWS = {
    view.__name__: view
    for view in (
        homophones,
        decompositions,
        look_alikes,
        confusables,
        characters,
        tokens,
        equivalents,
    )
}


def _drawn(pairs: Mapping[str, str], font: str | None) -> Iterator[str]:
    if font is None:
        yield from (f"{whole} -> {form}" for whole, form in pairs.items())
        return
    face = ImageFont.truetype(font, SIZE)
    alike = {whole: _likeness(_ink(whole, face), _ink(form, face)) for whole, form in pairs.items()}
    for whole in sorted(alike, key=lambda key: (-alike[key], key)):
        yield f"{whole} -> {pairs[whole]}  {alike[whole]:.2f}"


def _ink(text: str, face: ImageFont.FreeTypeFont) -> Ink:
    """Return the ink of `text`, squeezed into the square of one character and blurred."""
    image = Image.new("L", (SIZE * len(text), SIZE + 24), 0)
    ImageDraw.Draw(image).text((0, 0), text, fill=255, font=face)
    return np.asarray(image.resize((24, 24), Image.Resampling.BOX), dtype=np.float64)


def _likeness(one: Ink, two: Ink) -> float:
    return float(np.corrcoef(one.ravel(), two.ravel())[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("view", nargs="?", choices=[*VIEWS])
    parser.add_argument("--font", help="a CJK font file")
    options = parser.parse_args()
    lexicon = load_lexicon()
    for name in [options.view] if options.view else VIEWS:
        lines = list(VIEWS[name](lexicon, options.font))
        print(f"== {name}: {len(lines)}")
        print("\n".join(lines))


if __name__ == "__main__":
    main()
