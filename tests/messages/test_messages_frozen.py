from __future__ import annotations

import pytest

from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import SampleGold
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.messages.audit import AuditError, audit
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.frozen import reassemble
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.records import BuiltSession, Trace
from riskchainbench.messages.sources import build_sources

Frozen = tuple[dict[str, RestorationTask], dict[str, SampleGold], dict[str, Trace]]
RECIPES = (*PAPER_RECIPES, *EXTENDED_RECIPES)


@pytest.fixture(scope="module")
def built() -> tuple[BuiltSession, ...]:
    return build_sessions(7, build_sources(11, 24), RECIPES)


@pytest.fixture
def frozen(built: tuple[BuiltSession, ...]) -> Frozen:
    tasks, samples, traces = {}, {}, {}
    for session in built:
        source = session.source
        for variant in session.variants:
            name = f"m{len(tasks):05d}"
            tasks[name] = RestorationTask(
                sample_id=name,
                platform=source.platform,
                surface=source.surface,
                messages=variant.messages,
            )
            traces[name] = variant.trace.but(sample_id=name)
            samples[name] = SampleGold(
                sample_id=name,
                case_id="c1",
                variant=variant.variant,
                session=source.session_id,
                messages={m.message_id: m.content for m in session.expected(variant)},
                accepted=source.accepted,
                intent=source.intent,
                entry=source.entry,
                platform=source.platform,
                recipe=variant.recipe,
                operators=variant.operators,
                severity=variant.severity,
                entry_position=source.entry_position,
                length="short",
                theme=source.theme,
                template=source.template,
                rearranged=bool(variant.expected),
            )
    return tasks, samples, traces


def test_what_is_frozen_is_what_was_built(built: tuple[BuiltSession, ...], frozen: Frozen) -> None:
    found = reassemble(*frozen)
    assert [session.source for session in found] == [session.source for session in built]
    for session, before in zip(found, built, strict=True):
        by_name = {variant.variant: variant for variant in before.variants}
        for variant in session.variants:
            own = by_name[variant.variant]
            assert variant.trace.stages == own.trace.stages
            assert variant.but(trace=own.trace) == own
    assert audit(found).variants == 24 * len(RECIPES)


def test_a_reference_that_was_edited_is_named(frozen: Frozen) -> None:
    tasks, samples, traces = frozen
    messages = {name: text + "。" for name, text in samples["m00000"].messages.items()}
    samples["m00000"] = samples["m00000"].but(messages=messages)
    with pytest.raises(AuditError, match="m00000: alignment: the trace leads to another"):
        reassemble(tasks, samples, traces)


def test_an_entry_that_was_edited_is_named(frozen: Frozen) -> None:
    tasks, samples, traces = frozen
    samples["m00000"] = samples["m00000"].but(entry="aa.bb.test")
    with pytest.raises(
        AuditError, match=r"alignment: its gold says other of s0000 than that of m0000\d"
    ):
        reassemble(tasks, samples, traces)


def test_an_entry_that_is_not_in_the_source_is_named(frozen: Frozen) -> None:
    tasks, samples, traces = frozen
    for name, sample in samples.items():
        if sample.session == "s0000":
            samples[name] = sample.but(entry="aa.bb.test")
    with pytest.raises(InputError, match=r"alignment: record: .*does not hold the entry"):
        reassemble(tasks, samples, traces)


def test_swapped_traces_are_named(frozen: Frozen) -> None:
    tasks, samples, traces = frozen
    traces["m00000"], traces["m00001"] = traces["m00001"], traces["m00000"]
    with pytest.raises(InputError, match=r"m0000[01]: stage"):
        reassemble(tasks, samples, traces)


def test_two_sessions_mixed_up_are_named(frozen: Frozen) -> None:
    tasks, samples, traces = frozen
    last = max(samples)
    samples[last] = samples[last].but(session=samples["m00000"].session, variant="x999")
    with pytest.raises(AuditError, match=f"{last}: alignment: leads back to another source"):
        reassemble(tasks, samples, traces)


def test_a_task_without_trace_is_named(frozen: Frozen) -> None:
    tasks, samples, traces = frozen
    del traces["m00003"]
    with pytest.raises(InputError, match="m00003: the task has no gold or no trace"):
        reassemble(tasks, samples, traces)
