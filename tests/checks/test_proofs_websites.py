from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from riskchainbench.checks.proofs import (
    Designed,
    Proof,
    asserted_components,
    pool_findings,
    prove_pool,
    prove_set,
    prove_website,
)
from riskchainbench.checks.walk import oracle_walk
from riskchainbench.core.codebook import default_codebook, load_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import Medium
from riskchainbench.core.investigation import HORIZON, ActionKind
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.synthesis import build_pool, fitting_scenarios, realizations

CODEBOOK = default_codebook()
KNOWN = realizations(CODEBOOK)


def _designed(built):
    return Designed(
        built.pool_id, built.loaded, built.decision, built.violation_type, built.components
    )


@pytest.fixture(scope="module")
def pool():
    return build_pool(3, CODEBOOK, len(fitting_scenarios(CODEBOOK)))


@pytest.fixture(scope="module")
def one_set(pool):
    """The betting set: text evidence behind a registration."""
    members = [built for built in pool if built.stratum.scenario == "matches"]
    return {built.decision: built for built in members}


def _with_page(built, page_id, change):
    file = built.loaded.pages[page_id].file
    files = {**built.loaded.files, file: change(built.loaded.files[file])}
    return replace(built, loaded=LoadedWebsite(built.loaded.website, files))


def _proofs(built, **options):
    return {f.proof for f in prove_website(_designed(built), CODEBOOK, KNOWN, **options)}


def test_every_website_and_set_of_a_pool_is_proved(pool):
    for built in pool:
        assert prove_website(_designed(built), CODEBOOK, KNOWN) == []
    for _, members in groupby(pool, key=lambda built: built.stratum.contrast_set):
        assert prove_set([_designed(built) for built in members]) == []
    prove_pool(pool, CODEBOOK)


def test_pool_under_a_second_codebook_is_proved():
    small = load_codebook(Path(__file__).parent.parent / "data" / "codebook_small.toml")
    prove_pool(build_pool(3, small, 5), small)


def test_a_page_that_is_no_sound_html_is_caught(one_set):
    built = one_set[Decision.VIOLATION]
    page = next(iter(built.loaded.pages))
    broken = _with_page(built, page, lambda body: body.replace(b"</main>", b"<b></main>", 1))
    found = pool_findings([broken], CODEBOOK)
    assert [f.where for f in found if f.proof is Proof.HTML] == [built.pool_id] * len(found)
    assert page in found[0].detail


def test_missing_component_put_into_a_hard_negative_is_caught(one_set):
    wanted = [c for c in one_set[Decision.VIOLATION].components if c.asserted]
    words = "".join(f"<p>{part.realization}</p>" for part in wanted).encode()
    page = one_set[Decision.NON_VIOLATION].components[0].page
    mutant = _with_page(
        one_set[Decision.NON_VIOLATION], page, lambda b: b.replace(b"</main>", words + b"</main>")
    )
    assert Proof.ABSENT in _proofs(mutant)


def test_component_taken_out_of_a_violation_is_caught(one_set):
    part = one_set[Decision.VIOLATION].components[0]
    words = part.realization.encode()
    mutant = _with_page(
        one_set[Decision.VIOLATION], part.page, lambda body: body.replace(words, b"")
    )
    assert {Proof.PLACED, Proof.COMPLETE} <= _proofs(mutant)


def test_component_drawn_into_pixels_is_found_there_and_missed_when_taken_out(pool):
    built = next(
        b
        for b in pool
        if b.decision is Decision.VIOLATION and all(c.medium is Medium.PIXELS for c in b.components)
    )
    assert asserted_components(_designed(built), {}) == {c.component_id for c in built.components}
    plain = built.loaded
    empty = {
        name: b"<svg></svg>" if name.endswith(".svg") else data
        for name, data in plain.files.items()
    }
    mutant = replace(built, loaded=LoadedWebsite(plain.website, empty))
    assert {Proof.PLACED, Proof.COMPLETE} <= _proofs(mutant)


def test_component_shown_on_an_earlier_page_too_is_caught(one_set):
    built = one_set[Decision.VIOLATION]
    part = built.components[0]
    start = built.loaded.website.transitions[0].next.page
    words = f"<p>{part.realization}</p></main>".encode()
    mutant = _with_page(built, start, lambda body: body.replace(b"</main>", words))
    assert _proofs(mutant) == {Proof.PLACED}


def test_page_behind_hidden_links_alone_cannot_be_walked_to(one_set):
    built = one_set[Decision.VIOLATION]
    for page in built.loaded.pages:
        built = _with_page(built, page, lambda body: body.replace(b"<a ", b"<a hidden "))
    assert _proofs(built) == {Proof.WALK}


def test_benign_words_on_a_website_without_evidence_are_caught(one_set):
    benign = next(
        part
        for part in one_set[Decision.NON_VIOLATION].components
        if part.component_id == "BENIGN_SERVICE"
    )
    built = one_set[Decision.INSUFFICIENT_EVIDENCE]
    words = f"<p>{benign.realization}</p></main>".encode()
    start = built.loaded.website.transitions[0].next.page
    mutant = _with_page(built, start, lambda body: body.replace(b"</main>", words))
    assert Proof.GROUNDED in _proofs(mutant)


def test_counter_evidence_cancels_a_violation(one_set):
    counter = next(
        part
        for part in one_set[Decision.NON_VIOLATION].components
        if part.component_id == "COUNTER_EVIDENCE"
    )
    built = one_set[Decision.VIOLATION]
    words = f"<p>{counter.realization}</p></main>".encode()
    start = built.loaded.website.transitions[0].next.page
    mutant = _with_page(built, start, lambda body: body.replace(b"</main>", words))
    assert Proof.COMPLETE in _proofs(mutant)


def test_quoted_words_inside_a_declared_decoy_assert_nothing(one_set):
    built = one_set[Decision.NON_VIOLATION]
    decoys = [part for part in built.components if not part.asserted]
    assert {part.component_id for part in decoys} == {
        "GAMBLING_BET_OFFER",
        "GAMBLING_STAKE_OR_PAYOUT",
    }
    quoted = {part.component_id: (part.realization[1:-1],) for part in decoys}
    assert not asserted_components(_designed(built), quoted) & set(quoted)


@pytest.mark.parametrize(
    ("words", "proof"),
    [
        (b'<p class="gambling">x</p>', Proof.SILENT),
        (b'<p id="decoy-1">x</p>', Proof.SILENT),
        (b"<!-- phishing page --><p>x</p>", Proof.SILENT),
        (b'<a href="https://outside.example/">x</a>', Proof.CLOSED),
        (b'<img src="//outside.example/x.png">', Proof.CLOSED),
        (b"<p>kaw08x.me.test</p>", Proof.CLOSED),
    ],
)
def test_telling_name_or_outside_reference_is_caught(one_set, words, proof):
    built = one_set[Decision.VIOLATION]
    page = built.components[0].page
    mutant = _with_page(built, page, lambda body: body.replace(b"</main>", words + b"</main>"))
    assert proof in _proofs(mutant)


def test_entry_string_in_a_file_is_caught(one_set):
    built = one_set[Decision.VIOLATION]
    page = built.components[0].page
    mutant = _with_page(built, page, lambda b: b.replace(b"</main>", b"<p>ab-1.cd.net</p></main>"))
    assert Proof.CLOSED in _proofs(mutant, entries=["ab-1.cd.net"])


def test_member_with_one_more_control_breaks_its_set(one_set):
    built = one_set[Decision.INSUFFICIENT_EVIDENCE]
    page = built.loaded.website.pages[-1].page_id
    more = b'<a href="/">more</a></main>'
    mutant = _with_page(built, page, lambda body: body.replace(b"</main>", more))
    violation = one_set[Decision.VIOLATION]
    (finding,) = prove_set([_designed(violation), _designed(mutant)])
    assert (finding.proof, finding.where) == (Proof.EQUAL, mutant.pool_id)
    assert finding.detail == f"controls differs from {violation.pool_id}"


@pytest.mark.parametrize(
    "change", [{"language": "fr"}, {"scaffold": ()}, {"fields": ()}, {"state": {"joined": "no"}}]
)
def test_member_with_another_record_breaks_its_set(one_set, change):
    built = one_set[Decision.NON_VIOLATION]
    website = built.loaded.website.but(**change)
    mutant = replace(built, loaded=LoadedWebsite(website, built.loaded.files))
    findings = prove_set([_designed(one_set[Decision.VIOLATION]), _designed(mutant)])
    assert [finding.proof for finding in findings] == [Proof.EQUAL]


def test_walk_registers_with_the_second_code_and_stays_within_the_horizon(one_set):
    built = one_set[Decision.VIOLATION]
    walk = oracle_walk(built.loaded, built.components)
    assert len(walk) == built.stratum.oracle_steps <= HORIZON
    filled = [step.fixture for step in walk if step.action is ActionKind.FILL]
    assert filled == ["value A", "value A", "value B"]


def test_walk_longer_than_the_horizon_is_caught(one_set):
    assert _proofs(one_set[Decision.VIOLATION], horizon=2) == {Proof.WALK}


def test_pool_with_a_broken_member_is_refused_by_name(one_set):
    built = one_set[Decision.VIOLATION]
    mutant = _with_page(
        built,
        built.components[0].page,
        lambda body: body.replace(built.components[0].realization.encode(), b""),
    )
    with pytest.raises(InputError, match=f"website {built.pool_id}: not proved that"):
        prove_pool([mutant], CODEBOOK)
