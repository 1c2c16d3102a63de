"""Making the system that a run evaluates; the one place that hands the oracle its answers."""

from __future__ import annotations

from riskchainbench.bundle import Bundle, Gold, open_gold
from riskchainbench.checks.walk import oracle_walk
from riskchainbench.core.restoration import EntryCandidate, Restoration, RestoredMessage
from riskchainbench.core.system import System
from riskchainbench.models.oracle import Answers, CaseAnswer
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.registry import make_system, require_known
from riskchainbench.pipeline.human import human_system, is_human


def system_for(
    bundle: Bundle, name: str, *, seed: int = 0, caller: ModelCaller | None = None
) -> System:
    """Return the system called `name`, ready for `bundle`; `caller` asks a provider's model.

    Raises:
        InputError: there is no such system, or the oracle has no gold to read.
    """
    if is_human(name):
        return human_system(name)
    require_known(name)
    answers = oracle_answers(bundle, open_gold(bundle).labeled()) if name == "oracle" else None
    return make_system(name, seed=seed, answers=answers, caller=caller)


def oracle_answers(bundle: Bundle, gold: Gold) -> Answers:
    """Return every right answer in the form of the output contracts."""
    return Answers(
        samples={
            sample_id: Restoration(
                messages=tuple(
                    RestoredMessage(message_id=message_id, text=text)
                    for message_id, text in sample.messages.items()
                ),
                intent=sample.intent,
                candidates=(EntryCandidate(rank=1, value=sample.entry, confidence=1.0),),
            )
            for sample_id, sample in gold.samples.items()
        },
        cases={
            case_id: CaseAnswer(
                label=label,
                components=gold.components[case_id],
                walk=oracle_walk(bundle.website(case_id), gold.components[case_id]),
            )
            for case_id, label in gold.labels.items()
        },
    )
