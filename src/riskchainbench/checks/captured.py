"""What is proved of a captured website: that it is sealed and that no page names anybody.

Nobody designed it: it holds no declared component, its names are its own, and its pages may
lead nowhere. The proofs of a design have nothing to stand on, and are not made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser

from riskchainbench.capture.seal import seal_problems
from riskchainbench.messages.identifiers import find_live_identifiers
from riskchainbench.websites.records import HTML, LoadedWebsite


def sealed(loaded: LoadedWebsite, entries: Sequence[str]) -> Iterator[str]:
    """Yield what leads outside of a website, or names an entry of the bundle."""
    yield from seal_problems(loaded, ())
    for name, data in sorted(loaded.files.items()):
        text = data.decode("utf-8", "replace")
        yield from (f"{name} holds the entry {entry}" for entry in entries if entry in text)


def named(loaded: LoadedWebsite) -> Iterator[str]:
    """Yield the live identifiers that pages show; the mask should have replaced them all."""
    for page in loaded.website.pages:
        if page.media_type != HTML:
            continue
        body = LexborHTMLParser(loaded.files[page.file]).body
        text = body.text(separator="\n") if body is not None else ""
        for found in find_live_identifiers(text):
            yield f"{page.file}: a live identifier: {found}"
