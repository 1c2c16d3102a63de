"""The units that are scored, in one canonical order, with their gold and their clusters."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import PlacedComponent, SampleGold, Stratum, WebsiteLabel
from riskchainbench.scoring.distance import Reference

Integers = NDArray[np.int64]

DECISIONS = tuple(Decision)


@dataclass(frozen=True, eq=False)
class Frame:
    """Gold in the order of case ids and sample ids, whatever order it was read in.

    `set_of_case`, `set_of_sample`, `case_of_sample` and `template_of_sample` number the
    cluster of each unit; `references` are the samples' compared texts.
    """

    codebook: Codebook
    labels: tuple[WebsiteLabel, ...]
    strata: tuple[Stratum, ...]
    components: tuple[tuple[PlacedComponent, ...], ...]
    samples: tuple[SampleGold, ...]
    set_sizes: dict[str, int] = field(repr=False)
    all_websites: int
    all_messages: int

    @cached_property
    def case_ids(self) -> tuple[str, ...]:
        """The cases, sorted."""
        return tuple(label.case_id for label in self.labels)

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The contrast sets, sorted."""
        return tuple(sorted({stratum.contrast_set for stratum in self.strata}))

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The message templates, sorted."""
        return tuple(sorted({sample.template for sample in self.samples}))

    @cached_property
    def set_of_case(self) -> Integers:
        """The number of each case's contrast set."""
        return _numbers([stratum.contrast_set for stratum in self.strata], self.sets)

    @cached_property
    def case_of_sample(self) -> Integers:
        """The number of each sample's case."""
        return _numbers([sample.case_id for sample in self.samples], self.case_ids)

    @cached_property
    def set_of_sample(self) -> Integers:
        """The number of each sample's contrast set."""
        found: Integers = self.set_of_case[self.case_of_sample]
        return found

    @cached_property
    def template_of_sample(self) -> Integers:
        """The number of each sample's template."""
        return _numbers([sample.template for sample in self.samples], self.templates)

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """What each sample's restoration is compared with."""
        return tuple(Reference(sample.messages, sample.accepted) for sample in self.samples)

    @cached_property
    def lengths(self) -> Integers:
        """The code points of each sample's reference."""
        return np.array([reference.length for reference in self.references], dtype=np.int64)

    @cached_property
    def tokens(self) -> Integers:
        """The mixed tokens of each sample's reference."""
        return np.array([reference.tokens for reference in self.references], dtype=np.int64)

    @cached_property
    def gold(self) -> dict[Decision, Integers]:
        """For each decision, 1 where it is the gold one."""
        return {d: np.array([x.decision is d for x in self.labels], np.int64) for d in DECISIONS}

    @cached_property
    def case_ones(self) -> Integers:
        """1 for every case; one array, so that its sums are taken once."""
        return np.ones(len(self.labels), np.int64)

    @cached_property
    def sample_ones(self) -> Integers:
        """1 for every sample."""
        return np.ones(len(self.samples), np.int64)

    @cached_property
    def supported_types(self) -> tuple[str, ...]:
        """The codebook's types that a gold violation has, by precedence."""
        present = {x.violation_type for x in self.labels if x.decision is Decision.VIOLATION}
        return tuple(kind for kind in self.codebook.type_ids if kind in present)

    @cached_property
    def whole_sets(self) -> tuple[tuple[int, ...], ...]:
        """For each contrast set its cases, or nothing if it has one member or not all are here."""
        members: list[list[int]] = [[] for _ in self.sets]
        for case, number in enumerate(self.set_of_case.tolist()):
            members[number].append(case)
        return tuple(
            tuple(found) if len(found) == self.set_sizes[name] and len(found) > 1 else ()
            for name, found in zip(self.sets, members, strict=True)
        )


def _numbers(names: Iterable[str], order: tuple[str, ...]) -> Integers:
    index = {name: number for number, name in enumerate(order)}
    return np.array([index[name] for name in names], dtype=np.int64)


def make_frame(bundle: Bundle, gold: Gold, cases: Collection[str] | None = None) -> Frame:
    """Put the gold of `cases` (default: all) in order and check that it is whole.

    Raises:
        InputError: a case has no label or stratum, or a label the codebook does not know.
    """
    known = sorted(bundle.investigation_tasks)
    wanted = set(known if cases is None else cases)
    unknown = sorted(wanted - set(known))
    if unknown:
        raise InputError(f"no case {unknown[0]} in the bundle; name cases of this bundle")
    chosen = [case for case in known if case in wanted]
    for case in chosen:
        _require_gold(case, gold, bundle.codebook)
    sizes: dict[str, int] = {}
    for case in known:
        name = gold.strata[case].contrast_set if case in gold.strata else ""
        sizes[name] = sizes.get(name, 0) + 1
    return Frame(
        codebook=bundle.codebook,
        labels=tuple(gold.labels[case] for case in chosen),
        strata=tuple(gold.strata[case] for case in chosen),
        components=tuple(tuple(gold.components.get(case, ())) for case in chosen),
        samples=tuple(s for _, s in sorted(gold.samples.items()) if s.case_id in wanted),
        set_sizes=sizes,
        all_websites=len(known),
        all_messages=len(gold.samples),
    )


def _require_gold(case: str, gold: Gold, codebook: Codebook) -> None:
    label = gold.labels.get(case)
    if label is None:
        raise InputError(f"labels.jsonl: case {case} has no label; label it, or score a subset")
    if case not in gold.strata:
        raise InputError(f"strata.jsonl: case {case} has no stratum; restore the file")
    if not codebook.fits(label.decision, label.violation_type):
        raise InputError(
            f"labels.jsonl: case {case}: the codebook {codebook.codebook_id} knows no type "
            f"{label.violation_type}; relabel the case, or use the codebook it was labeled under"
        )
