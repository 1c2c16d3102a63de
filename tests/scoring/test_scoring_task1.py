"""Task 1: the gate, text distance and every rule of full reconstruction."""

import pytest
from scoring_world import N, U, V, benchmark, failure, restored, run

from riskchainbench.core.failures import FailureClass, Stage
from riskchainbench.core.restoration import EntryCandidate, Intent, Prediction, RestoredMessage
from riskchainbench.scoring.distance import Reference
from riskchainbench.scoring.gate import entry_rank, opens_gate, opens_gate_tolerantly
from riskchainbench.scoring.score import Options, score
from riskchainbench.scoring.task1 import score_message

FEW = Options(draws=20)


@pytest.fixture
def sample():
    _, gold = benchmark([V])
    return gold.samples["m00000"]


def scored(sample, prediction):
    return score_message(sample, Reference(sample.messages, sample.accepted), prediction)


def test_only_rank_one_opens_the_gate(sample):
    second = restored(sample, ranked=["wrong0.xx.test", sample.entry]).restoration
    assert not opens_gate(second, sample.entry)
    assert entry_rank(second, sample.entry) == 2


def test_no_candidate_of_rank_one_is_wrong(sample):
    late = restored(sample, candidates=(EntryCandidate(rank=2, value=sample.entry),)).restoration
    assert not opens_gate(late, sample.entry)
    assert entry_rank(late, sample.entry) == 2


def test_entries_are_equal_after_strip_and_nothing_else(sample):
    def top(value):
        return restored(sample, ranked=[value]).restoration

    assert opens_gate(top(f" {sample.entry}\n"), sample.entry)
    for value in (sample.entry.upper(), f"http://{sample.entry}/", f"{sample.entry}.", ""):
        assert not opens_gate(top(value), sample.entry)
    for value in (sample.entry.upper(), f"https://{sample.entry}:80/a?b", f"{sample.entry}."):
        assert opens_gate_tolerantly(top(value), sample.entry)


def test_an_entry_of_another_website_is_wrong():
    _, gold = benchmark([V, N])
    first, second = gold.samples.values()
    assert not opens_gate(restored(first, entry=second.entry).restoration, first.entry)


def test_a_duplicate_candidate_counts_at_its_best_rank(sample):
    twice = restored(sample, ranked=["wrong0.xx.test", sample.entry, sample.entry])
    assert scored(sample, twice).outcome.entry_rank == 2


def test_full_reconstruction_needs_text_intent_and_entry(sample):
    assert scored(sample, restored(sample)).outcome.full
    for wrong in (
        restored(sample, text="别的"),
        restored(sample, intent=Intent.UNKNOWN),
        restored(sample, right=False),
    ):
        assert not scored(sample, wrong).outcome.full


def test_accepted_spellings_count_in_the_second_rate_alone(sample):
    declared = sample.but(messages={"m1": "请登录"}, accepted={"m1": ("请登陆",)})
    outcome = scored(declared, restored(declared, text="请登陆")).outcome
    assert (outcome.full, outcome.full_accepted) == (False, True)
    assert outcome.edits == 1


def test_white_space_and_composition_are_folded_before_comparing():
    reference = Reference({"m1": "caf\u00e9  a\t b \n c"})
    assert reference.texts == {"m1": "caf\u00e9 a b\nc"}
    _, gold = benchmark([V], texts=["caf\u00e9 a"])
    sample = gold.samples["m00000"]
    assert scored(sample, restored(sample, text=" cafe\u0301 \u3000a ")).outcome.message_exact


def test_distance_by_message_id_worked_by_hand():
    reference = Reference({"a": "打开kaw08x.me.test", "b": "再见"})
    # 16 code points in a and 2 in b make 18; tokens: 打 开 kaw08x . me . test, and 再 见.
    assert (reference.length, reference.tokens) == (18, 9)
    # One code point of a changes one token; b is missing; x is one too many.
    found = reference.distance({"a": "打开kaw09x.me.test", "x": "好!"})
    assert found == (1 + 2 + 2, 18, 1 + 2 + 2, 9)


def test_a_restoration_of_more_words_than_there_are_private_characters_is_scored():
    words = " ".join(f"w{number}" for number in range(70_000))
    found = Reference({"a": "打开kaw08x.me"}).distance({"a": words})
    assert (found.token_edits, found.tokens) == (70_000, 5)


def test_a_private_character_is_no_word_of_the_reference():
    found = Reference({"a": "kaw08x"}).distance({"a": "\U00100000"})
    assert found.token_edits == 1


def test_a_missing_message_is_deletion_and_an_extra_one_insertion(sample):
    extra = restored(
        sample,
        messages=(
            RestoredMessage(message_id="m1", text=sample.messages["m1"]),
            RestoredMessage(message_id="m2", text="多余"),
        ),
    )
    outcome = scored(sample, extra).outcome
    assert (outcome.edits, outcome.message_exact) == (2, False)
    nothing = scored(sample, restored(sample, messages=())).outcome
    assert nothing.edits == nothing.length


def test_a_failed_restoration_loses_all_text_and_closes_the_gate(sample):
    malformed = Prediction(
        sample_id=sample.sample_id,
        restoration=None,
        failure=failure("SCHEMA_MISMATCH", Stage.RESTORATION),
    )
    outcome = scored(sample, malformed).outcome
    assert outcome.failure is FailureClass.SCHEMA_MISMATCH
    assert not outcome.entry_correct
    assert outcome.edits == outcome.length


def test_failures_and_missing_predictions_stay_in_the_denominator():
    bundle, gold = benchmark([V, N, U])
    keys = sorted(gold.samples)
    predictions = {
        keys[0]: restored(gold.samples[keys[0]]),
        keys[1]: Prediction(
            sample_id=keys[1], restoration=None, failure=failure("REFUSAL", Stage.RESTORATION)
        ),
        keys[2]: restored(gold.samples[keys[2]], candidates=(), abstain=True),
    }
    row = score(bundle, gold, [run(gold, predictions=predictions)], FEW).systems[0]
    assert row.metric("task1.entry_top1").count.denominator == 3
    assert row.metric("task1.entry_top1").count.numerator == 1
    assert row.metric("task1.abstention").count.numerator == 1
    assert row.metric("task1.output_valid").count.numerator == 2
    lengths = [len(s.messages["m1"]) for s in gold.samples.values()]
    count = row.metric("task1.cer").count
    assert (count.numerator, count.denominator) == (lengths[1], sum(lengths))
    refusals = {r.key: r.count.numerator for r in row.failures[0].rows}
    assert refusals["REFUSAL"] == 1
    assert sum(refusals.values()) == 1


def test_recall_grows_with_k_and_starts_at_top_one():
    bundle, gold = benchmark([V] * 4, set_size=1)
    predictions = {
        key: restored(sample, ranked=[f"wrong{k}.xx.test" for k in range(place)] + [sample.entry])
        for place, (key, sample) in enumerate(gold.samples.items())
    }
    row = score(bundle, gold, [run(gold, predictions=predictions)], FEW).systems[0]
    recalls = [row.metric(f"task1.recall_at_{k}").count.numerator for k in range(1, 11)]
    assert recalls == [1, 2, 3, 4, 4, 4, 4, 4, 4, 4]
    assert row.metric("task1.entry_top1").count.numerator == 1
