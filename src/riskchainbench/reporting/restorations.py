"""What the message view shows of a website's variants: source, trace, restorations, differences.

Everything here rests on gold, so a public report holds none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz.distance import Levenshtein

from riskchainbench.core.entries import same_entry, tolerantly_same_entry
from riskchainbench.core.gold import SampleGold
from riskchainbench.core.restoration import Prediction, RestorationTask
from riskchainbench.core.text import compared_text
from riskchainbench.messages.records import Trace
from riskchainbench.reporting.cases import failure_view

Json = dict[str, Any]


def difference(expected: str, found: str) -> list[list[str]]:
    """Return the opcodes from `expected` to `found` as [kind, expected part, found part].

    Both are compared texts already; kinds are equal, replace, insert and delete.
    """
    return [
        [
            code.tag,
            expected[code.src_start : code.src_end],
            found[code.dest_start : code.dest_end],
        ]
        for code in Levenshtein.opcodes(expected, found)
    ]


def variant_view(
    task: RestorationTask,
    gold: SampleGold,
    trace: Trace | None,
    predictions: Mapping[str, Prediction],
) -> Json:
    """Return one variant with each run's restoration; `predictions` go by row id."""
    given = {message.message_id: message.content for message in task.messages}
    return {
        "sample": task.sample_id,
        "variant": gold.variant,
        "platform": task.platform,
        "surface": task.surface.value,
        "recipe": gold.recipe,
        "severity": gold.severity,
        "operators": list(gold.operators),
        "intent": gold.intent.value,
        "entry": gold.entry,
        "messages": [
            {"id": key, "given": given.get(key, ""), "source": text}
            for key, text in gold.messages.items()
        ]
        + [
            {"id": key, "given": text, "source": None}
            for key, text in given.items()
            if key not in gold.messages
        ],
        "trace": _trace(trace) if trace else [],
        "runs": {
            row_id: _prediction(prediction, gold) for row_id, prediction in predictions.items()
        },
    }


def _trace(trace: Trace) -> list[Json]:
    return [
        {
            "operator": stage.operator,
            "edits": [
                {"rule": e.rule, "message": e.message_id, "before": e.before, "after": e.after}
                for e in stage.edits
            ],
        }
        for stage in trace.stages
    ]


def _prediction(prediction: Prediction, gold: SampleGold) -> Json:
    made = prediction.restoration
    if made is None:
        return {"failure": failure_view(prediction.failure)}
    texts = {message.message_id: message.text for message in made.messages}
    ranked = sorted(made.candidates, key=lambda candidate: candidate.rank)
    return {
        "messages": [
            {"id": key, "diff": difference(compared_text(text), compared_text(texts.get(key, "")))}
            for key, text in gold.messages.items()
        ]
        + [
            {"id": key, "diff": difference("", compared_text(text))}
            for key, text in texts.items()
            if key not in gold.messages
        ],
        "intent": made.intent.value,
        "intentRight": made.intent is gold.intent,
        "abstain": made.abstain,
        "candidates": [
            {
                "rank": candidate.rank,
                "value": candidate.value,
                "confidence": candidate.confidence,
                "right": same_entry(candidate.value, gold.entry),
                "tolerant": tolerantly_same_entry(candidate.value, gold.entry),
            }
            for candidate in ranked
        ],
        "uncertainties": list(made.uncertainties),
    }


def by_variant(samples: Sequence[SampleGold]) -> list[SampleGold]:
    """Return a website's samples in the order of their variants."""
    return sorted(samples, key=lambda sample: (sample.variant, sample.sample_id))
