"""The one style sheet of a website: its typefaces, its brand's colors, its layout and form."""

from __future__ import annotations

from functools import cache
from importlib import resources

from riskchainbench.websites.faces import face_rules, head_face, text_face
from riskchainbench.websites.families import Family


@cache
def data_file(folder: str, name: str) -> str:
    """Return a file of the package's data as text."""
    file = resources.files("riskchainbench.websites") / "data" / folder / name
    return file.read_text(encoding="utf-8")


def style_sheet(family: Family, template: str, language: str) -> str:
    """Return the style of a website of `family` in the form of `template`."""
    names = (
        "base",
        f"layout-{family.layout}",
        f"front-{family.front_end}",
        f"dress-{family.dress}",
        f"form-{template}",
    )
    return (
        face_rules(language)
        + _variables(family, language)
        + "".join(data_file("styles", f"{name}.css") for name in names)
    )


def _variables(family: Family, language: str) -> str:
    palette = family.palette
    return (
        f":root{{--accent:{palette.accent};--ink:{palette.accent_ink};--page:{palette.page};"
        f"--surface:{palette.surface};--text:{palette.text};--muted:{palette.muted};"
        f"--line:{palette.line};--radius:{family.radius}px;"
        f"--face:{text_face(family.typeface, language)};"
        f"--display:{head_face(family.typeface, language)}}}\n"
    )
