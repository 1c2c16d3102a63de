"""Deals a pool out: which scenario, language, brand family and frame each contrast set gets.

Sets come in parallel groups. The sets of a group are one in each language, of one scenario and
one frame (form, flow, viewport, layout, front end, way of redirecting, notice bar), so they
state the same facts and only their words, names and colors differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from random import Random

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import Stratum
from riskchainbench.core.investigation import Viewport
from riskchainbench.core.seeds import stream
from riskchainbench.websites.families import FRONT_ENDS, LAYOUTS, Family, brand_families
from riskchainbench.websites.records import RedirectKind
from riskchainbench.websites.texts import BANKS, Scenario

MIN_FAMILIES, MAX_FAMILIES = 45, 440
DESKTOP = Viewport(width=1280, height=720)
MOBILE = Viewport(width=390, height=844)
_MOBILE_ONE_IN = 4
_BAR_SHARE = 0.25

Make = tuple[str, str]
"""How the websites of a family are laid out and built: layout and front end."""


@dataclass(frozen=True)
class Frame:
    """What the sets of a parallel group share beside the scenario."""

    viewport: Viewport
    redirect: RedirectKind | None
    bar: bool
    form: str
    flow: str


@dataclass(frozen=True)
class Deal:
    """What one contrast set is made of, words aside."""

    number: int
    scenario: Scenario
    language: str
    family: Family
    parallel: str
    frame: Frame

    @property
    def name(self) -> str:
        """The name of the contrast set."""
        return f"set-{self.number:04d}"


def deals(
    seed: int, turns: Sequence[Scenario], spoken: Mapping[str, Sequence[str]], sets: int
) -> Iterator[Deal]:
    """Yield what each of `sets` contrast sets is made of; the first ones depend on no later one.

    Args:
        seed: draws families and frames.
        turns: the scenarios in the order in which they take turns.
        spoken: the languages of each scenario, by its name.
        sets: how many.
    """
    families = _families(seed, sets)
    makes: dict[str, Make] = {}
    frames: dict[str, Frame] = {}
    shaped: Counter[tuple[str, str]] = Counter()
    begun: Counter[str] = Counter()
    used: Counter[tuple[str, Make]] = Counter()
    for number in range(sets):
        turn, place = divmod(number, len(turns))
        scenario = turns[place]
        languages = spoken[scenario.scenario]
        group = turn // len(languages) * len(turns) + place
        parallel = f"group-{group:03d}"
        if parallel not in makes:
            makes[parallel] = _MAKES[begun[scenario.bank] % len(_MAKES)]
            begun[scenario.bank] += 1
            flow = scenario.flows[(turn // len(languages) + place) % len(scenario.flows)]
            frames[parallel] = _frame(seed, group, _form(scenario, shaped), flow)
        key = scenario.bank, makes[parallel]
        yield Deal(
            number=number,
            scenario=scenario,
            language=languages[(turn + place) % len(languages)],
            family=families[key][used[key] % len(families[key])],
            parallel=parallel,
            frame=frames[parallel],
        )
        used[key] += 1


def _form(scenario: Scenario, shaped: Counter[tuple[str, str]]) -> str:
    """Choose the form of a new group, one that few groups have had, and count it in `shaped`.

    A scenario that has had a form before takes another one first; so each form has its share
    of any pool, and of each type.
    """
    name = scenario.scenario
    form = min(scenario.forms, key=lambda form: shaped["", form] + 4 * shaped[name, form])
    shaped["", form] += 1
    shaped[name, form] += 1
    return form


def scenario_turns(
    fitting: Sequence[Scenario], codebook: Codebook, rng: Random
) -> tuple[Scenario, ...]:
    """Return the scenarios so that each type comes up once before one comes up again."""
    of_type: dict[str, list[Scenario]] = {}
    for scenario in fitting:
        kind = codebook.complete_types(scenario.components.values())[0]
        of_type.setdefault(kind, []).append(scenario)
    groups = [of_type[kind] for kind in sorted(of_type)]
    for group in groups:
        rng.shuffle(group)
    rng.shuffle(groups)
    most = max(map(len, groups))
    return tuple(group[turn] for turn in range(most) for group in groups if turn < len(group))


def parallel_groups(strata: Sequence[Stratum]) -> dict[int, int]:
    """Return how many groups of whole contrast sets there are, by their number of languages."""
    members = Counter(stratum.contrast_set for stratum in strata)
    spoken: dict[str, set[str]] = {}
    for stratum in strata:
        if stratum.parallel and members[stratum.contrast_set] == len(Decision):
            spoken.setdefault(stratum.parallel, set()).add(stratum.language)
    return dict(sorted(Counter(map(len, spoken.values())).items()))


def _frame(seed: int, group: int, form: str, flow: str) -> Frame:
    mobile = stream(seed, "viewport", group // _MOBILE_ONE_IN).randrange(_MOBILE_ONE_IN)
    rng = stream(seed, "frame", group)
    return Frame(
        viewport=MOBILE if mobile == group % _MOBILE_ONE_IN else DESKTOP,
        redirect=rng.choice((RedirectKind.META, RedirectKind.SCRIPT, None)),
        bar=rng.random() < _BAR_SHARE,
        form=form,
        flow=flow,
    )


_MAKES: tuple[Make, ...] = tuple(
    # Both change from one to the next, so few groups already show all of either.
    (LAYOUTS[number % len(LAYOUTS)], FRONT_ENDS[number % len(FRONT_ENDS)])
    for number in range(lcm(len(LAYOUTS), len(FRONT_ENDS)))
)


def _families(seed: int, sets: int) -> Mapping[tuple[str, Make], Sequence[Family]]:
    """Deal the brand families out so that no family bears websites of both banks.

    Two of three scenarios, and so of three families of each make, are of the first bank.
    """
    first, second = BANKS
    dealt: dict[tuple[str, Make], list[Family]] = {}
    for make in _MAKES:
        dealt[first, make], dealt[second, make] = [], []
    families = list(brand_families(seed, min(max(MIN_FAMILIES, sets), MAX_FAMILIES)))
    stream(seed, "family-order").shuffle(families)
    seen: Counter[Make] = Counter()
    for family in families:
        make = family.layout, family.front_end
        dealt[second if seen[make] % 3 == 1 else first, make].append(family)
        seen[make] += 1
    return dealt
