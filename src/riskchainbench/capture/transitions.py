"""Turns the forms and submissions of a capture into declared transitions.

A submission that was captured leads where it led; a form whose answer was not captured leads
to a state that stands in, and is labelled so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from riskchainbench.capture.content import HTML, JSON, media_type
from riskchainbench.capture.exchange import Exchange
from riskchainbench.capture.record import Origin
from riskchainbench.capture.references import FieldSeen, FormSeen
from riskchainbench.capture.states import StandIn, stand_in_for, stand_in_page
from riskchainbench.capture.submissions import (
    NAME,
    Observation,
    guards,
    lasting,
    query_fields,
    sent_fields,
)
from riskchainbench.capture.trackers import is_beacon
from riskchainbench.capture.urls import host_of
from riskchainbench.websites.records import (
    Effect,
    FieldFixtures,
    FieldTest,
    Fixture,
    Method,
    Redirect,
    Show,
    Transition,
)
from riskchainbench.websites.step import MAX_FIELD_LENGTH
from riskchainbench.websites.submitted import named

if TYPE_CHECKING:
    from riskchainbench.capture.compiler import Compiler

_TYPED = frozenset(
    {"text", "password", "email", "tel", "number", "search", "url", "textarea", "date", "month",
     "week", "time", "datetime-local"}
)  # fmt: skip
_GENERIC = {
    "email": ("person@mail.test", "someone@mail.test"),
    "tel": ("100-0000-0001", "100-0000-0002"),
    "password": ("sample-pass-1", "sample-pass-2"),
    "number": ("1", "2"),
    "date": ("2026-01-02", "2026-01-03"),
    "month": ("2026-01", "2026-02"),
    "week": ("2026-W01", "2026-W02"),
    "time": ("10:00", "11:00"),
    "datetime-local": ("2026-01-02T10:00", "2026-01-03T10:00"),
    "url": ("http://site.test/", "http://other.test/"),
}
_MAX_FIXTURES = 6
_MAX_ECHOES = 500
_PATH = re.compile(r"^(?:/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$")


class FormTable:
    """All forms of a website under construction.

    `stage` counts the captured submissions that a visitor has been through; a page that was
    captured before and after one is shown as it was at that stage.
    """

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        archive = compiler.archive
        self._observed = [e for e in archive.posts() if self._is_page(e)]
        self._names: dict[str, str] = {}
        self._seen: dict[tuple[str, str], FormSeen] = {}
        self._paths: dict[tuple[str, str], str] = {}
        self._transitions: list[Transition] = []
        self._values: dict[str, dict[str, None]] = {}
        self._sent = False

    def _is_page(self, exchange: Exchange) -> bool:
        archive = self._compiler.archive
        target = archive.target_of(exchange)
        if target is not None:
            found = archive.find(target)
            return found is not None and found.kind == HTML
        return bool(exchange.body) and exchange.whole and media_type(exchange) == HTML

    @property
    def seen(self) -> tuple[FormSeen, ...]:
        """The forms, each way to submit one once."""
        return tuple(self._seen.values())

    @property
    def stages(self) -> int:
        """The number of submissions that were captured with a page as their answer."""
        return len(self._observed)

    def stage_at(self, time: float | None) -> int:
        """Return how many captured submissions came before `time`."""
        if time is None:
            return 0
        return sum(1 for each in self._observed if each.time is not None and each.time <= time)

    def name_of(self, original: str) -> str:
        """Return the name of an input: its own where a transition can hold it."""
        if original not in self._names:
            name = re.sub(r"\W+", "_", original, flags=re.ASCII).strip("_")
            name = name if NAME.match(name) else f"f_{name}".rstrip("_")
            taken = set(self._names.values())
            free, number = name, 2
            while free in taken:
                free, number = f"{name}_{number}", number + 1
            self._names[original] = free
        return self._names[original]

    def path_of(self, seen: FormSeen) -> str:
        """Return where a form is sent to, and see to what happens then."""
        action = seen.action.partition("?")[0] if seen.method == "GET" else seen.action
        key = (seen.method, action)
        if key in self._paths:
            self._note_fields(seen)
            return self._paths[key]
        self._seen[key] = seen
        self._note_fields(seen)
        if seen.method == "GET":
            self._paths[key] = self._searched(seen, action)
        else:
            self._paths[key] = self._compiler.path_for(f"POST {action}")
            self._posted(seen, self._paths[key])
        return self._paths[key]

    def submitted(self) -> Iterator[tuple[str, str]]:
        """Yield the action of each form that is posted, and its path here."""
        for (method, action), path in self._paths.items():
            if method == "POST":
                yield action, path

    def state(self) -> dict[str, str]:
        """Return the state variables with their first values."""
        state = {"stage": "0"} if self._observed else {}
        return {**state, "sent": "no"} if self._sent else state

    def fixtures(self) -> tuple[FieldFixtures, ...]:
        """Return the values that inputs can be filled with."""
        found = []
        for name, values in sorted(self._values.items()):
            fixtures = tuple(
                Fixture(name=f"value {chr(ord('A') + number)}", value=value)
                for number, value in enumerate(list(values)[:_MAX_FIXTURES])
            )
            found.append(FieldFixtures(field=name, fixtures=fixtures))
        return tuple(found)

    def transitions(self) -> list[Transition]:
        """Return what forms do, then what scripts are answered."""
        echoes = self._echoes() if self._compiler.keep else []
        return [*self._transitions, *echoes]

    # --- forms -------------------------------------------------------------------------------
    def _note_fields(self, seen: FormSeen) -> None:
        for each in seen.fields:
            if each.kind in _TYPED:
                generic = _GENERIC.get(each.kind, ("sample", "another"))
                values = self._values.setdefault(each.name, {})
                if each.value.strip():
                    values.setdefault(each.value[:200])
                for value in generic:
                    values.setdefault(value)

    def _searched(self, seen: FormSeen, action: str) -> str:
        """See to a GET form: captured URLs with its path and a query are its answers."""
        compiler = self._compiler
        plain = compiler.archive.find(action)
        own = compiler.page(action, "") if plain is not None and plain.kind == HTML else None
        path = own or compiler.path_for(f"GET {action}")
        observations: list[Observation] = []
        for exchange in compiler.archive.capture.exchanges:
            url = exchange.url
            if exchange.method != "GET" or url.partition("?")[0] != action or "?" not in url:
                continue
            found = compiler.archive.find(url)
            fields = self._renamed(query_fields(url), seen.fields)
            if found is None or found.kind != HTML or not fields:
                continue
            target = compiler.page(url, "")
            if target != compiler.spare() and target not in {o.outcome for o in observations}:
                observations.append(Observation(fields, target))
        self._offer(observations, seen)
        for each in observations:
            tests = {n: FieldTest(one_of=(v[:200],)) for n, v in each.fields.items()}
            self._transitions.append(
                Transition(path=path, form=tests, next=Redirect(path=each.outcome))
            )
        if own is None:
            self._stand_in(seen, path, Method.GET, {})
        return path

    def _posted(self, seen: FormSeen, path: str) -> None:
        """See to a POST form: what was captured first, then what stands in."""
        typed = frozenset(f.name for f in seen.fields if f.kind in _TYPED)
        observed = [e for e in self._observed if e.url == seen.action]
        observations: list[Observation] = []
        ends: list[Show | Redirect] = []
        for number, exchange in enumerate(observed):
            end = self._end(exchange, f"{path} {number}")
            fields = self._renamed(sent_fields(exchange), seen.fields)
            observations.append(Observation(fields, end.to_json()))
            ends.append(end)
        self._offer(observations, seen)
        for exchange, end, tests in zip(observed, ends, guards(observations, typed), strict=True):
            stage = str(1 + self._observed.index(exchange))
            self._transitions.append(
                Transition(
                    method=Method.POST,
                    path=path,
                    form=tests,
                    effects=(Effect(variable="stage", value=stage),),
                    next=end,
                )
            )
        if not observed:
            required = sorted(
                f.name
                for f in seen.fields
                if f.kind in _TYPED and (f.required or f.kind == "password")
            )
            self._stand_in(seen, path, Method.POST, {name: FieldTest() for name in required})

    def _end(self, exchange: Exchange, key: str) -> Show | Redirect:
        compiler = self._compiler
        target = compiler.archive.target_of(exchange)
        if target is not None:
            path = compiler.page(target, "")
            return Redirect(path=path.partition("#")[0])
        return Show(page=compiler.add_answer(f"answer {key}", exchange))

    def _stand_in(
        self, seen: FormSeen, path: str, method: Method, tests: dict[str, FieldTest]
    ) -> None:
        kind = stand_in_for(seen) if method is Method.POST else _get_kind(seen)
        html = stand_in_page(kind, self._compiler.language, "/")
        page_id = self._compiler.add_page(f"stand-in {kind.value}", html, Origin.SYNTHETIC)
        effects: tuple[Effect, ...] = ()
        if method is Method.POST:
            self._sent = True
            effects = (Effect(variable="sent", value=kind.value),)
        self._transitions.append(
            Transition(
                method=method, path=path, form=tests, effects=effects, next=Show(page=page_id)
            )
        )

    def _renamed(self, fields: dict[str, str], known: Iterable[FieldSeen]) -> dict[str, str]:
        """Return the fields that the form has, under their names here, with masked values."""
        names = {each.original: each.name for each in known}
        mask = self._compiler.masker.text
        return {names[n]: mask(v) for n, v in fields.items() if n in names}

    def _offer(self, observations: list[Observation], seen: FormSeen) -> None:
        """Offer what was sent as the first values of the form's inputs."""
        typed = {f.name for f in seen.fields if f.kind in _TYPED}
        for each in reversed(observations):
            for name, value in each.fields.items():
                if name in typed and value.strip():
                    others = self._values.get(name, {})
                    self._values[name] = {value[:200]: None, **others}

    # --- scripts -----------------------------------------------------------------------------
    def echo_path(self, url: str) -> str | None:
        """Return the path at which a script finds an answer of its own website."""
        if not self._compiler.keep or host_of(url) != host_of(self._compiler.start.url):
            return None
        path = url.partition("?")[0].split("/", 3)[-1]
        return f"/{path}" if _PATH.match(f"/{path}") and "/.." not in path else None

    def _echoes(self) -> list[Transition]:
        """Return the answers that scripts read, by method, path and fields."""
        compiler = self._compiler
        found: list[Transition] = []
        for number, exchange in enumerate(compiler.archive.capture.exchanges):
            kind = media_type(exchange)
            path = self.echo_path(exchange.url)
            if path is None or exchange.method not in ("GET", "POST"):
                continue
            if len(found) >= 3 * _MAX_ECHOES:
                break
            if kind != JSON or not exchange.whole or compiler.shown_at(path):
                continue
            if is_beacon(exchange.url, exchange.body):
                compiler.removed["beacon"] += 1
                continue
            page = compiler.add_data(f"echo {number}", compiler.data(exchange, kind), JSON)
            given = named({**query_fields(exchange.url), **sent_fields(exchange)})
            method = Method(exchange.method)
            found += [self._echo(method, path, f, page) for f in (given, lasting(given), {})]
        found.sort(key=lambda each: -len(each.form))
        return found

    def _echo(self, method: Method, path: str, fields: Mapping[str, str], page: str) -> Transition:
        """Return what answers a script that sends `fields`."""
        mask = self._compiler.masker.text
        tests = {
            name: FieldTest(one_of=(mask(value)[:MAX_FIELD_LENGTH],))
            for name, value in sorted(fields.items())
        }
        return Transition(method=method, path=path, form=tests, next=Show(page=page))


def _get_kind(seen: FormSeen) -> StandIn:
    kind = stand_in_for(seen)
    return StandIn.NO_RESULTS if kind is StandIn.RECEIVED else kind
