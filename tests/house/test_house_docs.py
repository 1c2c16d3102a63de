"""The documentation says what the code says, and the project speaks of itself alone."""

from __future__ import annotations

import re
import runpy
import subprocess
from pathlib import Path

import pytest

LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")
FOREIGN = re.compile(
    r"/w" + r"ork/|\.\./sh" + r"ared|before-st" + r"op|files\.python" + r"hosted|registry\.npm"
    r"js|deb\.deb" + r"ian\.org"
)


def tracked(repository: Path) -> list[Path]:
    """The files of the project that hold text, as git knows them."""
    done = subprocess.run(
        ["git", "ls-files"], cwd=repository, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    names = [repository / name for name in done.stdout.splitlines()]
    return [p for p in names if p.suffix not in {".png", ".woff2", ".gz"} and p.is_file()]


def test_generated_pages_are_current(repository: Path) -> None:
    pages = runpy.run_path(str(repository / "tools" / "export_docs.py"))["pages"]()
    stale = [
        name
        for name, text in pages.items()
        if (repository / "docs" / name).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run python tools/export_docs.py"


def test_links_between_pages_lead_somewhere(repository: Path) -> None:
    broken = [
        f"{page.name}: {target}"
        for page in [*repository.glob("*.md"), *(repository / "docs").glob("*.md")]
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_no_file_names_a_place_outside_the_project(repository: Path) -> None:
    found = [
        f"{path.relative_to(repository)}"
        for path in tracked(repository)
        if FOREIGN.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []
