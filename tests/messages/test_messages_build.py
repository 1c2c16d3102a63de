from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest
from pydantic import ValidationError

from riskchainbench.core.errors import InputError
from riskchainbench.messages.build import accepted_spellings, build_sessions
from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.lexicons import Lexicon, load_lexicon
from riskchainbench.messages.recipes import PAPER_RECIPES, Recipe
from riskchainbench.messages.records import BuiltSession, BuiltVariant, SourceSession
from riskchainbench.messages.sources import build_sources
from riskchainbench.messages.steps import Step
from riskchainbench.messages.trace import replay, revert

MakeSession = Callable[..., SourceSession]


@pytest.fixture(scope="module")
def built() -> tuple[BuiltSession, ...]:
    return build_sessions(7, build_sources(11, 96))


def variants(built: tuple[BuiltSession, ...], recipe: str) -> list[BuiltVariant]:
    return [v for session in built for v in session.variants if v.recipe == recipe]


def rules(variant: BuiltVariant, operator: str) -> list[str]:
    return [
        edit.rule
        for stage in variant.trace.stages
        if stage.operator == operator
        for edit in stage.edits
    ]


def codes(variant: BuiltVariant) -> int:
    weights = {"code": 1, "abutting codes": 2}
    return sum(weights[rule] for rule in rules(variant, "platform_tokens"))


def test_there_are_six_recipes_and_one_is_primary() -> None:
    assert [recipe.variant for recipe in PAPER_RECIPES] == [f"v00{n}" for n in range(6)]
    assert [recipe.recipe_id for recipe in PAPER_RECIPES if recipe.primary] == ["composite"]


def test_every_variant_reverts_and_replays(built: tuple[BuiltSession, ...]) -> None:
    for session in built:
        assert len(session.variants) == 6
        for variant in session.variants:
            assert revert(variant.messages, variant.trace) == session.source.messages
            assert replay(session.source.messages, variant.trace) == variant.messages


def test_one_seed_gives_one_build_and_another_seed_another() -> None:
    sources = build_sources(11, 12)
    first, again, other = (
        json.dumps([session.to_json() for session in build_sessions(seed, sources)])
        for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other


def test_a_session_does_not_depend_on_its_neighbors_or_on_the_recipes_beside() -> None:
    sources = build_sources(11, 12)
    whole = build_sessions(7, sources)
    alone = build_sessions(7, sources[5:6])
    assert alone[0] == whole[5]
    one_recipe = build_sessions(7, sources, recipes=PAPER_RECIPES[3:4])
    assert one_recipe[5].variants[0] == whole[5].variants[3]


def test_composite_has_five_to_eleven_tokens(built: tuple[BuiltSession, ...]) -> None:
    for variant in variants(built, "composite"):
        assert 5 <= codes(variant) <= 11
        assert 1 <= len(rules(variant, "entry_confusables")) <= 6
        assert len(rules(variant, "redundant_marks")) <= 4


def test_about_half_the_composites_alter_the_first_dot(built: tuple[BuiltSession, ...]) -> None:
    altered = sum("dot_alteration" in v.operators for v in variants(built, "composite"))
    assert 30 <= altered <= 66


def test_phonetic_uses_homophones_and_one_confusable(built: tuple[BuiltSession, ...]) -> None:
    for variant in variants(built, "phonetic"):
        assert set(variant.operators) <= {"homophone", "entry_confusables"}
        assert len(rules(variant, "homophone")) >= 1


def test_entry_encoding_touches_names_only(built: tuple[BuiltSession, ...]) -> None:
    for session in built:
        names = 1 + len(session.source.decoys)
        variant = next(v for v in session.variants if v.recipe == "entry_encoding")
        assert variant.operators == ("dot_alteration", "entry_confusables")
        assert len(rules(variant, "entry_confusables")) == 2 * names
        assert len(rules(variant, "dot_alteration")) == names


def test_lexical_keeps_the_dots(built: tuple[BuiltSession, ...]) -> None:
    for variant in variants(built, "lexical"):
        assert "dot_alteration" not in variant.operators
        assert 9 <= codes(variant) <= 13


def test_few_lines_and_vertical_lay_out_the_entry(built: tuple[BuiltSession, ...]) -> None:
    for variant in variants(built, "few_lines"):
        assert "few_line_layout" in variant.operators
        assert 10 <= codes(variant) <= 14
    for variant in variants(built, "vertical"):
        assert "vertical_layout" in variant.operators
        assert any("\n\n" in message.content for message in variant.messages)


def test_severity_falls_into_even_thirds(built: tuple[BuiltSession, ...]) -> None:
    for recipe in ("composite", "lexical", "few_lines", "vertical"):
        counts = [v.severity for v in variants(built, recipe)]
        for severity in ("low", "medium", "high"):
            assert 16 <= counts.count(severity) <= 48, (recipe, severity)


def test_homophones_that_are_declared_equal_are_accepted(make_session: MakeSession) -> None:
    text = "先登录账号再打开ka0w8x.m2.test"
    (session,) = build_sessions(1, [make_session(text)])
    assert set(session.source.accepted["m0"]) == {
        text.replace("登录", "登陆"),
        text.replace("账号", "帐号"),
        text.replace("登录", "登陆").replace("账号", "帐号"),
    }


def test_accepted_spellings_are_bounded() -> None:
    assert len(accepted_spellings("登录账号" * 10, load_lexicon())) == 16
    assert accepted_spellings("今天", load_lexicon()) == ()


def test_a_held_out_half_is_never_used() -> None:
    lexicon = load_lexicon().half("a")
    for session in build_sessions(7, build_sources(11, 24), lexicon_half="a"):
        for variant in session.variants:
            for stage in variant.trace.stages:
                for edit in stage.edits:
                    known = {
                        "homophone": {**lexicon.homophones, **lexicon.homophone_characters},
                        "look_alike": lexicon.look_alikes,
                        "decomposition": lexicon.decompositions,
                    }
                    assert stage.operator not in known or edit.before in known[stage.operator]


def test_a_session_without_entry_still_differs_from_its_source(make_session: MakeSession) -> None:
    (session,) = build_sessions(7, [make_session("我们今天就不出门了，大家在家休息吧")])
    assert len({variant.messages for variant in session.variants}) == 6


def test_a_variant_that_cannot_differ_is_named(make_session: MakeSession) -> None:
    with pytest.raises(InputError, match=r"s0000: variant v00\d .* equals the source"):
        build_sessions(7, [make_session("嗯")], recipes=PAPER_RECIPES[1:3])


def test_two_variants_that_coincide_are_named(make_session: MakeSession) -> None:
    comma = PAPER_RECIPES[2].steps[1:]
    same = [Recipe(name, "comma", comma) for name in ("x001", "x002")]
    with pytest.raises(InputError, match=r"s0000: variant x002 .* equals variant x001"):
        build_sessions(7, [make_session("看ka0w8x.m2.test")], recipes=same)


def test_a_variant_that_reads_as_a_live_name_is_drawn_anew(make_session: MakeSession) -> None:
    def part(draft: Draft, random: Random, _: Lexicon) -> list[Proposal]:
        at = draft.messages[0].text.index(".test") + random.choice((0, 2))
        return [Proposal("m0", at, at, "*", "mark")]

    recipe = Recipe("x001", "parting", (Step("mark", part),))
    for seed in range(8):
        (session,) = build_sessions(
            seed, [make_session("看ab.cn.test", entry="ab.cn.test")], [recipe]
        )
        assert session.variants[0].messages[0].content == "看ab.cn.t*est"


def test_an_unknown_platform_is_refused(make_session: MakeSession) -> None:
    with pytest.raises(InputError, match="platform 'fidonet' is unknown"):
        build_sessions(7, [make_session("看ka0w8x.m2.test", platform="fidonet")])


def test_two_recipes_of_one_variant_are_refused() -> None:
    with pytest.raises(InputError, match="same variant"):
        build_sessions(7, [], recipes=PAPER_RECIPES[:1] * 2)


@pytest.mark.parametrize("name", ["shop.example.com", "ka0w8x.m2.com", "KA.m2.test", "m2.test"])
def test_an_entry_outside_the_reserved_names_cannot_be_made(
    make_session: MakeSession, name: str
) -> None:
    with pytest.raises(ValidationError, match="no three-label name"):
        make_session(f"看{name}", entry=name)


def test_a_decoy_outside_the_reserved_names_cannot_be_made(make_session: MakeSession) -> None:
    with pytest.raises(ValidationError, match="no three-label name"):
        make_session("看ka0w8x.m2.test别看a.com", decoys=("a.com",))


@pytest.mark.parametrize("text", ["上shop.com看", "加QQ1234567", "打13800001234", "a[at]b[.]cn"])
def test_a_source_with_a_live_identifier_is_refused(make_session: MakeSession, text: str) -> None:
    with pytest.raises(InputError, match=r"s0000, m0: holds a live \w+ .*only reserved names"):
        build_sessions(7, [make_session(f"看ka0w8x.m2.test，{text}")])


def test_a_lone_surrogate_cannot_be_made_a_message(make_session: MakeSession) -> None:
    with pytest.raises(ValidationError, match="m0 holds a lone surrogate"):
        make_session("看\ud83dka0w8x.m2.test")


def test_an_entry_that_stands_twice_is_refused(make_session: MakeSession) -> None:
    with pytest.raises(InputError, match="stands 2 times"):
        build_sessions(7, [make_session("看ka0w8x.m2.test或ka0w8x.m2.test")])


def test_a_long_and_an_empty_message_are_built(make_session: MakeSession) -> None:
    source = make_session("好" * 60_000 + "看ka0w8x.m2.test", "")
    (session,) = build_sessions(7, [source], recipes=PAPER_RECIPES[:1])
    assert revert(session.variants[0].messages, session.variants[0].trace) == source.messages
