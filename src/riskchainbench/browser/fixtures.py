"""Which synthetic value goes into a field: the website's declared ones, else one by input type."""

from __future__ import annotations

from collections.abc import Mapping

from riskchainbench.browser.settings import FixtureValue

_BY_TYPE: dict[str, tuple[FixtureValue, ...]] = {
    "email": (FixtureValue(name="email", value="visitor@mail.test"),),
    "tel": (FixtureValue(name="phone", value="00000000000"),),
    "password": (FixtureValue(name="password", value="Sample-pass-1"),),
    "number": (FixtureValue(name="number", value="1"),),
    "range": (FixtureValue(name="number", value="50"),),
    "date": (FixtureValue(name="date", value="2026-01-15"),),
    "datetime-local": (FixtureValue(name="date and time", value="2026-01-15T10:00"),),
    "month": (FixtureValue(name="month", value="2026-01"),),
    "week": (FixtureValue(name="week", value="2026-W03"),),
    "time": (FixtureValue(name="time", value="10:00"),),
    "color": (FixtureValue(name="color", value="#336699"),),
    "url": (FixtureValue(name="address", value="http://visitor.test/"),),
    "search": (FixtureValue(name="search words", value="sample"),),
}
_DEFAULT = (FixtureValue(name="text", value="Sample text"),)

SET_DIRECTLY = frozenset({"range", "date", "datetime-local", "month", "week", "time", "color"})
"""Input types that typing does not fill."""


class FixtureCycle:
    """Hands out values for the fields of one episode; filling a field again gives the next one.

    A field is known by the path of its page and its name, so a page that comes back after a
    failed submission goes on with the next value.
    """

    def __init__(self, declared: Mapping[str, tuple[FixtureValue, ...]]) -> None:
        self._declared = declared
        self._used: dict[tuple[str, str], int] = {}

    def next(self, path: str, field: str, input_type: str) -> FixtureValue:
        """Return the value to fill `field` with now."""
        values = self._declared.get(field) or _BY_TYPE.get(input_type, _DEFAULT)
        turn = self._used.get((path, field), 0)
        self._used[path, field] = turn + 1
        return values[turn % len(values)]
