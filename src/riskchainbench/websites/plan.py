"""A website before it is drawn: views made of blocks, and transitions between named paths.

A plan knows nothing of HTML, style or language; `render` turns it into files. Blocks that
carry decisive words look like any other block of their kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from riskchainbench.core.gold import Medium, Placement
from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.records import FieldFixtures, FieldTest, Method, RedirectKind


@dataclass(frozen=True)
class Hero:
    """The large opening of a page."""

    title: str
    text: str


@dataclass(frozen=True)
class Panel:
    """A titled block of paragraphs."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Poster:
    """A panel whose words are drawn into an image and stand nowhere else.

    With `figure`, a neutral drawing that stands for a picture is above them.
    """

    title: str
    paragraphs: tuple[str, ...]
    figure: bool = False


@dataclass(frozen=True)
class CodePicture:
    """A short code drawn into an image."""

    code: str


@dataclass(frozen=True)
class Cards:
    """Short titled items side by side; `target` is a path key or empty."""

    items: tuple[tuple[str, str], ...]
    target: str = ""
    more: str = ""


@dataclass(frozen=True)
class Strip:
    """Passing remarks side by side at the foot of a page."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """Rows under column heads."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Links:
    """Ways on from here: label and path key; `apart` ones open in a tab of their own."""

    items: tuple[tuple[str, str], ...]
    apart: bool = False


@dataclass(frozen=True)
class Folds:
    """Titled remarks that are folded away until they are opened."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Tabs:
    """Panels of which one is shown at a time; the first is open, `labels` name their tabs."""

    labels: tuple[str, ...]
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Endless:
    """Items that appear group by group as the visitor scrolls to the end of the page."""

    groups: tuple[tuple[Panel, ...], ...]


@dataclass(frozen=True)
class Input:
    """One control of a form; a choice has options as value and label."""

    name: str
    label: str
    kind: str = "text"
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Form:
    """Inputs that are posted to the path key `target`."""

    target: str
    inputs: tuple[Input, ...]
    submit: str


@dataclass(frozen=True)
class Bubbles:
    """A conversation: who speaks, and what is said."""

    lines: tuple[tuple[str, str], ...]


Block = (
    Hero
    | Panel
    | Poster
    | CodePicture
    | Cards
    | Strip
    | Table
    | Links
    | Folds
    | Tabs
    | Endless
    | Form
    | Bubbles
)


@dataclass(frozen=True)
class View:
    """One page; `redirect` sends its visitor on by itself to a path key.

    A `bare` page stands before the website proper and has no navigation. `says` is told in a
    native dialog when the page opens.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    redirect: tuple[RedirectKind, str] | None = None
    bare: bool = False
    says: str = ""


@dataclass(frozen=True)
class Move:
    """A transition between path keys: shows a view, redirects to a path, or hands out a file."""

    path: str
    view: str = ""
    redirect: str = ""
    download: bool = False
    method: Method = Method.GET
    when: dict[str, tuple[str, ...]] = field(default_factory=dict)
    form: dict[str, FieldTest] = field(default_factory=dict)
    effects: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Placed:
    """Where the decisive words of a slot stand, and how an agent gets there."""

    slot: str
    view: str
    placement: Placement
    medium: Medium = Medium.TEXT


@dataclass(frozen=True)
class Plan:
    """A whole website as its flow lays it out; `menu` is the navigation of every page."""

    views: tuple[View, ...]
    moves: tuple[Move, ...]
    placed: tuple[Placed, ...]
    menu: tuple[tuple[str, str], ...]
    scaffold: tuple[ScaffoldClass, ...]
    depth: int
    gates: int = 0
    state: dict[str, str] = field(default_factory=dict)
    fields: tuple[FieldFixtures, ...] = ()
    start: str = "home"
