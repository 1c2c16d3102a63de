"""What the tests of the models share."""

from stub_fixtures import stub

__all__ = ["stub"]
