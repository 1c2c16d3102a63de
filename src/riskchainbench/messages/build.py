"""Builds the variants of source sessions from a seed.

Each variant draws from a stream of its own, named by session and variant: a session's
variants do not depend on which other sessions or recipes are built beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from riskchainbench.core.errors import InputError
from riskchainbench.core.restoration import Message
from riskchainbench.core.seeds import stream
from riskchainbench.messages.drafts import Draft
from riskchainbench.messages.identifiers import IdentifierKind, find_live_identifiers
from riskchainbench.messages.lexicons import Half, Lexicon, load_lexicon
from riskchainbench.messages.recipes import PAPER_RECIPES, Recipe
from riskchainbench.messages.records import BuiltSession, BuiltVariant, SourceSession, Trace
from riskchainbench.messages.trace import session_sha256

_ATTEMPTS = 8
_MOST_SPELLINGS = 16
"""So many accepted spellings a message at most."""


def build_sessions(
    seed: int,
    sources: Sequence[SourceSession],
    recipes: Sequence[Recipe] = PAPER_RECIPES,
    lexicon_half: Half | None = None,
) -> tuple[BuiltSession, ...]:
    """Build every recipe's variant of every source, in the order given.

    The sources' accepted spellings are completed from the declared equivalents. With
    `lexicon_half` only that half of the curated maps of Chinese characters is used.

    Raises:
        InputError: a platform is unknown, a source holds a live identifier, or a recipe cannot
            make a variant that differs from its source and from the session's other variants
            and reads as no live name; session and variant are named.
    """
    lexicon = load_lexicon()
    if lexicon_half is not None:
        lexicon = lexicon.half(lexicon_half)
    _check_recipes(recipes)
    return tuple(_session(seed, source, recipes, lexicon) for source in sources)


def accepted_spellings(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the other texts that declared equivalents make of `text`, at most sixteen."""
    choices: list[tuple[str, ...]] = []
    at = 0
    while at < len(text):
        spellings = lexicon.equivalents_at(text, at) or (text[at],)
        choices.append(spellings)
        at += len(spellings[0])
    found: list[str] = []
    for chosen in product(*choices):
        if len(found) > _MOST_SPELLINGS:
            break
        found.append("".join(chosen))
    return tuple(found[1:])


def _check_recipes(recipes: Sequence[Recipe]) -> None:
    names = [recipe.variant for recipe in recipes]
    if len(set(names)) != len(names):
        raise InputError("recipes: two make the same variant")


def _session(
    seed: int, source: SourceSession, recipes: Sequence[Recipe], lexicon: Lexicon
) -> BuiltSession:
    lexicon.profile(source.platform)
    _refuse_live(source)
    seen = {session_sha256(source.messages): "the source"}
    variants = []
    for recipe in recipes:
        variant = _variant(seed, source, recipe, lexicon, seen)
        seen[session_sha256(variant.messages)] = f"variant {variant.variant}"
        variants.append(variant)
    accepted = {
        message.message_id: tuple(
            dict.fromkeys(
                (
                    *source.accepted.get(message.message_id, ()),
                    *accepted_spellings(message.content, lexicon),
                )
            )
        )
        for message in source.messages
    }
    completed = {name: texts for name, texts in accepted.items() if texts}
    return BuiltSession(
        source=source if completed == source.accepted else source.but(accepted=completed),
        variants=tuple(variants),
    )


def _variant(
    seed: int,
    source: SourceSession,
    recipe: Recipe,
    lexicon: Lexicon,
    seen: dict[str, str],
) -> BuiltVariant:
    fault = "equals the source"
    for attempt in range(_ATTEMPTS):
        draft = _drafted(seed, source, recipe, lexicon, attempt)
        messages = draft.frozen()
        identity = session_sha256(messages)
        if identity in seen:
            fault = f"equals {seen[identity]}"
        elif _reads_as_live(messages):
            fault = "reads as a live name"
        else:
            return _finished(source, recipe, draft, messages)
    raise InputError(
        f"{source.session_id}: variant {recipe.variant} ({recipe.recipe_id}) {fault}; "
        "give the session more text or leave the recipe out"
    )


def _refuse_live(source: SourceSession) -> None:
    for message in source.messages:
        for finding in find_live_identifiers(message.content):
            raise InputError(
                f"{source.session_id}, {message.message_id}: holds a live {finding.kind} "
                f"{finding.text!r}; only reserved names are disguised"
            )


def _reads_as_live(messages: Sequence[Message]) -> bool:
    """Tell whether chance made something of a name that looks like a live one."""
    return any(
        finding.kind is not IdentifierKind.ACCOUNT
        for message in messages
        for finding in find_live_identifiers(message.content)
    )


def _drafted(
    seed: int, source: SourceSession, recipe: Recipe, lexicon: Lexicon, attempt: int
) -> Draft:
    random = stream(seed, "variant", source.session_id, recipe.variant, attempt)
    draft = Draft(source)
    for step in recipe.steps:
        step.take(draft, random, lexicon)
    if not draft.stages:
        for step in recipe.otherwise:
            step.take(draft, random, lexicon)
    return draft


def _finished(
    source: SourceSession, recipe: Recipe, draft: Draft, messages: tuple[Message, ...]
) -> BuiltVariant:
    edits = [edit for stage in draft.stages for edit in stage.edits]
    edited = sum(max(len(edit.before), len(edit.after)) for edit in edits)
    length = sum(len(message.content) for message in source.messages)
    return BuiltVariant(
        variant=recipe.variant,
        recipe=recipe.recipe_id,
        messages=messages,
        trace=Trace(sample_id=f"{source.session_id}-{recipe.variant}", stages=tuple(draft.stages)),
        operators=tuple(sorted({stage.operator for stage in draft.stages})),
        severity=recipe.severity(edited / max(length, 1)),
        edited=edited,
        expected=draft.expected,
    )
