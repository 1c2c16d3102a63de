"""What the tests of the pipeline share."""

from stub_fixtures import stub

__all__ = ["stub"]
