"""The training set: websites of their own with a known reference, judged with feedback."""

from __future__ import annotations

from dataclasses import dataclass

from riskchainbench.core.codebook import Codebook, Language
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import PlacedComponent
from riskchainbench.core.seeds import derive
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.synthesis import BuiltWebsite, build_pool


@dataclass(frozen=True)
class TrainingSite:
    """One website to practice on."""

    case_id: str
    website: LoadedWebsite
    decision: Decision
    violation_type: str
    components: tuple[PlacedComponent, ...]

    def evidence(self, codebook: Codebook, language: Language) -> list[tuple[str, str]]:
        """Return what there was to see: each asserted component's text and its words."""
        texts = {c.component_id: c.text[language] for c in codebook.components}
        return [
            (texts[c.component_id], c.realization)
            for c in self.components
            if c.asserted and c.component_id in texts
        ]


def training_sites(seed: int, codebook: Codebook, count: int) -> tuple[TrainingSite, ...]:
    """Return `count` websites of one contrast set after another, none of them in a bundle."""
    if count == 0:
        return ()
    pool = build_pool(derive(seed, "training"), codebook, -(-count // 3))
    return tuple(_site(number, built) for number, built in enumerate(pool[:count], start=1))


def _site(number: int, built: BuiltWebsite) -> TrainingSite:
    assert built.decision is not None
    return TrainingSite(
        case_id=f"practice-{number}",
        website=built.loaded,
        decision=built.decision,
        violation_type=built.violation_type,
        components=tuple(built.components),
    )
