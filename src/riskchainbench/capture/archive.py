"""Looks responses up by URL: redirects followed, versions told apart, the start page found."""

from __future__ import annotations

from dataclasses import dataclass

from riskchainbench.capture.content import HTML, media_type
from riskchainbench.capture.exchange import Capture, Exchange, noted
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.capture.urls import absolute, canonical, host_of, other_scheme

MAX_REDIRECTS = 20


@dataclass(frozen=True)
class Found:
    """A response and the URL it stands under once redirects were followed."""

    url: str
    exchange: Exchange
    kind: str


class Archive:
    """The responses of a capture by URL; a lookup tries http and https alike."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self._gets: dict[str, list[Exchange]] = {}
        for exchange in capture.exchanges:
            if exchange.method in ("GET", "HEAD") and exchange.status != 304:
                self._gets.setdefault(exchange.url, []).append(exchange)
        self.hosts = tuple(dict.fromkeys(h for e in capture.exchanges if (h := host_of(e.url))))
        self._found: dict[str, Found | None] = {}

    def find(self, url: str) -> Found | None:
        """Return what a browser ends up with at `url`; None where the capture lacks it."""
        if url not in self._found:
            self._found[url] = self._follow(url)
        return self._found[url]

    def versions(self, url: str) -> tuple[Exchange, ...]:
        """Return the successful responses of a URL in order of time."""
        return tuple(e for e in self._at(url) if 200 <= e.status < 300 and e.whole)

    def posts(self) -> tuple[Exchange, ...]:
        """Return the submissions of forms and scripts in order of time."""
        return tuple(e for e in self.capture.exchanges if e.method == "POST")

    def target_of(self, exchange: Exchange) -> str | None:
        """Return where a redirect leads, or None if the response is none."""
        if not 300 <= exchange.status < 400:
            return None
        location = exchange.header("location")
        found = absolute(exchange.url, location) if location else None
        return found[0] if found else None

    def start(self) -> Found:
        """Return the start page: the one the capture names, or the first that was loaded.

        Raises:
            CaptureError: no response is a page.
        """
        named = self.capture.start and self.find(canonical(self.capture.start) or "")
        if named and named.kind == HTML:
            return named
        for exchange in self.capture.exchanges:
            if exchange.method != "GET" or not exchange.body or exchange.status >= 400:
                continue
            found = self.find(exchange.url)
            if found and found.kind == HTML and found.exchange.body:
                return found
        detail = noted("no response in it is a page", self.capture.notes)
        raise CaptureError(Trouble.NO_START_PAGE, detail)

    def _at(self, url: str) -> list[Exchange]:
        found = self._gets.get(url)
        if found is None and (other := other_scheme(url)) is not None:
            found = self._gets.get(other)
        return found or []

    def _follow(self, url: str) -> Found | None:
        for _ in range(MAX_REDIRECTS):
            answers = self._at(url)
            if not answers:
                return None
            best = _best(answers)
            target = self.target_of(best)
            if target is None:
                if not best.whole and not best.body:
                    return None
                return Found(url, best, media_type(best))
            url = target
        return None


def _best(answers: list[Exchange]) -> Exchange:
    """Prefer a whole success, then a redirect, then whatever there is."""
    for exchange in answers:
        if exchange.status == 200 and exchange.whole:
            return exchange
    for exchange in answers:
        if exchange.status < 400:
            return exchange
    return answers[0]
