"""Builds a pool of websites from a seed: contrast sets of three over the codebook's types.

Within a set everything but the decisive words is drawn from one stream, so brand, layout,
paths, file names, controls and scaffold are equal. What the decisive words realize is
returned beside the website and stands in none of its files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from riskchainbench.core.codebook import Codebook, Role
from riskchainbench.core.decisions import NO_TYPE, UNKNOWN_TYPE, Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource, Medium, PlacedComponent, Stratum
from riskchainbench.core.seeds import stream
from riskchainbench.websites.alternatives import drawn, readings
from riskchainbench.websites.dealing import Deal, deals, scenario_turns
from riskchainbench.websites.exploration import reachable, shortest_walk
from riskchainbench.websites.files import check_website
from riskchainbench.websites.forms import form_words
from riskchainbench.websites.plan import Plan
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.render import Look, render
from riskchainbench.websites.scenarios.flows import FLOWS
from riskchainbench.websites.scenarios.words import Words
from riskchainbench.websites.takes import ScenarioText, Slots
from riskchainbench.websites.texts import (
    BENIGN_CODE,
    COUNTER_CODE,
    Phrases,
    Scenario,
    marks,
    phrases,
    scenario_takes,
    scenarios,
    unmarked,
)
from riskchainbench.websites.texts import languages as written_languages

SET_DECISIONS = (
    Decision.VIOLATION,
    Decision.NON_VIOLATION,
    Decision.INSUFFICIENT_EVIDENCE,
)
"""The members of a contrast set."""

_SLOTS = ("d1", "d2", "d3")


@dataclass(frozen=True)
class BuiltWebsite:
    """One website of a pool with all that is known of it; `loaded` alone is model-visible.

    `decision` is None where nobody has labeled a captured website.
    """

    pool_id: str
    loaded: LoadedWebsite
    decision: Decision | None
    violation_type: str
    secondary_types: tuple[str, ...]
    components: tuple[PlacedComponent, ...]
    stratum: Stratum

    @property
    def label_source(self) -> LabelSource:
        """Where the label comes from: the labels of captured websites are people's."""
        if self.decision is None:
            return LabelSource.NONE
        return LabelSource.HUMAN if self.stratum.captured else LabelSource.DESIGNED


def build_pool(
    seed: int,
    codebook: Codebook,
    sets: int,
    *,
    pairs: int = 0,
    languages: Sequence[str] | None = None,
) -> tuple[BuiltWebsite, ...]:
    """Return all websites of `build_sets`.

    Raises:
        InputError: no scenario fits the codebook, or `sets` is not positive.
    """
    found = build_sets(seed, codebook, sets, pairs=pairs, languages=languages)
    return tuple(built for members in found for built in members)


def build_sets(
    seed: int,
    codebook: Codebook,
    sets: int,
    *,
    pairs: int = 0,
    languages: Sequence[str] | None = None,
    part: tuple[int, int] = (0, 1),
) -> Iterator[tuple[BuiltWebsite, ...]]:
    """Yield `sets` contrast sets of three websites each, and `pairs` of the first two kinds.

    Scenarios take turns, so every type that the codebook and the scenarios share comes up
    before one comes up again; languages take turns within a scenario. `languages` are
    those to build in, all that are written if None. With `part` ``(k, n)`` only every n-th
    set is built, from the k-th on, exactly as it is in the whole pool.

    Raises:
        InputError: no scenario fits the codebook, or `sets` is not positive.
    """
    if sets < 1:
        raise InputError(f"sets: at least one contrast set is needed, not {sets}")
    fitting = fitting_scenarios(codebook, languages=languages)
    if not fitting:
        raise InputError(f"codebook {codebook.codebook_id}: no scenario completes one of its types")
    turns = scenario_turns(fitting, codebook, stream(seed, "scenario-order"))
    spoken = {scenario.scenario: _spoken(scenario, languages) for scenario in fitting}
    mine, of = part
    for deal in deals(seed, turns, spoken, sets + pairs):
        if deal.number % of == mine:
            members = SET_DECISIONS if deal.number < sets else SET_DECISIONS[:2]
            yield tuple(_build_set(seed, codebook, deal, members))


def fitting_scenarios(
    codebook: Codebook, *, languages: Sequence[str] | None = None
) -> tuple[Scenario, ...]:
    """Return the scenarios that complete a type of the codebook, in a fixed order.

    With `languages`, only those that have words in one of them.
    """
    return tuple(
        scenario
        for scenario in scenarios()
        if codebook.complete_types(scenario.components.values()) and _spoken(scenario, languages)
    )


def realizations(codebook: Codebook) -> Mapping[str, tuple[str, ...]]:
    """Return all words that assert each component, over every scenario and language.

    These are what the proofs look for in every website, whichever scenario it came from.
    """
    found: dict[str, dict[str, None]] = {}
    for scenario in fitting_scenarios(codebook):
        codes = _codes(scenario, codebook)
        for language in _spoken(scenario):
            for words in _all_words(scenario, language):
                for mark in marks(words):
                    if mark.asserted and mark.code in codes:
                        known = found.setdefault(codes[mark.code], {})
                        known.update(dict.fromkeys(readings(mark.words)))
    return {component: tuple(words) for component, words in sorted(found.items())}


def _all_words(scenario: Scenario, language: str) -> Iterable[str]:
    takes = scenario_takes(scenario.scenario, language)
    for slots in takes.members.values() if takes else ():
        for words in slots:
            yield from words


def _spoken(scenario: Scenario, among: Sequence[str] | None = None) -> tuple[str, ...]:
    return tuple(
        language
        for language in written_languages()
        if (among is None or language in among)
        and scenario_takes(scenario.scenario, language) is not None
    )


def _codes(scenario: Scenario, codebook: Codebook) -> dict[str, str]:
    codes = dict(scenario.components)
    for code, role in ((BENIGN_CODE, Role.BENIGN), (COUNTER_CODE, Role.COUNTER)):
        ids = [c.component_id for c in codebook.components if c.role is role]
        if ids:
            codes[code] = ids[0]
    return codes


def _build_set(
    seed: int, codebook: Codebook, deal: Deal, members: Sequence[Decision]
) -> list[BuiltWebsite]:
    scenario, language, family, name = deal.scenario, deal.language, deal.family, deal.name
    takes = scenario_takes(scenario.scenario, language)
    if takes is None:
        raise InputError(f"scenario {scenario.scenario}: no words in {language}")
    text = takes.draw(stream(seed, "words", name))
    built = []
    for decision in members:
        rng = stream(seed, "set", name)
        brand = family.names[language] + rng.choice(text.tails)
        words = _words(deal, text, decision, brand, rng)
        footers = phrases(language).bank(scenario.bank).footers
        look = _look(seed, deal, brand, words, footers, rng)
        plan = FLOWS[deal.frame.flow](words)
        loaded, page_ids = render(plan, look)
        pool_id = f"w{stream(seed, 'pool-id', name, decision).getrandbits(48):012x}"
        check_website(loaded, pool_id)
        slots = _branded(text.members[decision], brand)
        components = _components(
            pool_id, plan, slots, page_ids, _codes(scenario, codebook), codebook
        )
        stratum = _stratum(pool_id, deal, plan, components, loaded)
        kind, *secondary = _types(decision, scenario, codebook)
        built.append(
            BuiltWebsite(
                pool_id=pool_id,
                loaded=loaded,
                decision=decision,
                violation_type=kind,
                secondary_types=tuple(secondary),
                components=components,
                stratum=stratum,
            )
        )
    return built


def _types(decision: Decision, scenario: Scenario, codebook: Codebook) -> tuple[str, ...]:
    """Return the primary type and, for a violation, the secondary ones."""
    if decision is Decision.NON_VIOLATION:
        return (NO_TYPE,)
    if decision is Decision.INSUFFICIENT_EVIDENCE:
        return (UNKNOWN_TYPE,)
    return codebook.complete_types(scenario.components.values())


def _branded(slots: Slots, brand: str) -> Slots:
    return Slots.model_validate(
        {name: [w.replace("{brand}", brand) for w in words] for name, words in slots}
    )


def _words(deal: Deal, text: ScenarioText, decision: Decision, brand: str, rng: Random) -> Words:
    scenario = deal.scenario
    bank = phrases(deal.language).bank(scenario.bank)
    slots = _branded(text.members[decision], brand)
    shown = {name: tuple(unmarked(w) for w in words) for name, words in slots}
    dead = scenario.dead_form and decision is Decision.INSUFFICIENT_EVIDENCE
    shared = text.model_dump_json(exclude={"members"}).replace("{brand}", brand)
    members = {decision: Slots(**shown)}
    plain = ScenarioText.model_validate_json(shared[:-1] + ',"members":{}}').but(members=members)
    return Words(
        brand=brand,
        text=plain,
        ui=drawn(_labels(bank, deal.family.voice), rng),
        remarks=drawn(tuple(rng.sample(bank.remarks, 5)), rng),
        teasers=drawn(tuple(rng.sample(bank.teasers, 6)), rng),
        slots=members[decision],
        dead_form=dead,
        redirect=deal.frame.redirect,
        code="".join(str(rng.randrange(1, 10)) for _ in range(4)),
        form=form_words(bank.forms, rng),
    )


def _labels(bank: Phrases, voice: int) -> dict[str, str]:
    """Return the labels of a language as a family with `voice` says them."""
    said = bank.forms.voices[voice % len(bank.forms.voices)]
    return {**bank.ui, **bank.forms.labels, "more": said.more, "back_home": said.back_home}


def _look(
    seed: int, deal: Deal, brand: str, words: Words, footers: tuple[str, ...], rng: Random
) -> Look:
    footer = drawn(rng.sample(footers, 2), rng)
    return Look(
        family=deal.family,
        form=deal.frame.form,
        form_words=words.form,
        brand=brand,
        language=deal.language,
        viewport=deal.frame.viewport,
        ui=words.ui,
        footer=(footer[0], footer[1]),
        aside=words.teasers[5],
        bar=deal.frame.bar,
        file_text=words.ui["file_text"].format(brand=brand) + "\n",
        names=stream(seed, "names", deal.name),
        art=stream(seed, "art", deal.name),
    )


def _components(
    pool_id: str,
    plan: Plan,
    slots: Slots,
    page_ids: Mapping[str, str],
    codes: Mapping[str, str],
    codebook: Codebook,
) -> tuple[PlacedComponent, ...]:
    roles = {component.component_id: component.role for component in codebook.components}
    return tuple(
        PlacedComponent(
            case_id=pool_id,
            component_id=codes[mark.code],
            role=roles[codes[mark.code]],
            page=page_ids[place.view],
            placement=place.placement,
            medium=place.medium,
            realization=mark.words,
            asserted=mark.asserted,
        )
        for place in plan.placed
        for words in getattr(slots, place.slot)
        for mark in marks(words)
        if mark.code in codes
    )


def _stratum(
    pool_id: str,
    deal: Deal,
    plan: Plan,
    components: tuple[PlacedComponent, ...],
    loaded: LoadedWebsite,
) -> Stratum:
    pages = tuple(dict.fromkeys(c.page for c in components if c.asserted))
    graph = reachable(loaded)
    steps = len(shortest_walk(loaded, pages, graph))
    drawn = sum(1 for c in components if c.asserted and c.medium is Medium.PIXELS)
    return Stratum(
        case_id=pool_id,
        contrast_set=deal.name,
        parallel=deal.parallel,
        scenario=deal.scenario.scenario,
        brand_family=deal.family.family_id,
        form=deal.frame.form,
        topic=deal.scenario.topic,
        language=deal.language,
        front_end=deal.family.front_end,
        clickable=graph.leads_on,
        stateful=bool(loaded.website.state),
        depth=plan.depth,
        difficulty=steps + plan.gates + drawn,
        oracle_steps=steps,
    )
