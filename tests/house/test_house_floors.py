"""The rules of the house: imports point downwards, and gold has one door."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "riskchainbench"
FLOORS = (
    "core",
    "statistics",
    "messages",
    "websites",
    "bundle",
    "sandbox",
    "browser",
    "capture",
    "models",
    "restoration",
    "investigation",
    "judging",
    "checks",
    "scoring",
    "annotation",
    "reporting",
    "doors",
    "pipeline",
    "cli",
)
GENERATORS = {"messages", "websites"}
MAY_OPEN_GOLD = {"checks", "scoring", "annotation", "pipeline"}


def rooms(repository: Path) -> Path:
    return repository / "src" / PACKAGE


def imports(path: Path, source: str | None = None) -> Iterator[tuple[int, str, str]]:
    """Yield (line, module, name) for everything that a file imports from the package.

    Relative imports are resolved; of ``from riskchainbench.bundle import gold`` both the room
    and the module that is meant are told.
    """
    tree = ast.parse(path.read_text(encoding="utf-8") if source is None else source)
    parts = path.with_suffix("").parts
    package = parts[len(parts) - 1 - parts[::-1].index(PACKAGE) :]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level]) if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module.split(".")[0] == PACKAGE:
                for alias in node.names:
                    yield node.lineno, module, alias.name
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == PACKAGE:
                    yield node.lineno, alias.name, ""


def too_high(room: str, path: Path, source: str | None = None) -> list[str]:
    """Tell which imports of a file point to a higher floor."""
    wrong = []
    for line, module, name in imports(path, source):
        parts = [*module.split("."), name]
        target = parts[1]
        if target in FLOORS and FLOORS.index(target) > FLOORS.index(room):
            wrong.append(f"{path.name}:{line} imports {target}")
    return wrong


def at_gold(path: Path, source: str | None = None) -> list[str]:
    """Tell which imports of a file lead to gold."""
    return [
        f"{path.name}:{line}"
        for line, module, name in imports(path, source)
        if name == "open_gold" or f"{module}.{name}.".startswith(f"{PACKAGE}.bundle.gold.")
    ]


def files(repository: Path) -> list[Path]:
    found = sorted(rooms(repository).rglob("*.py"))
    assert found
    return found


def room_of(repository: Path, path: Path) -> str:
    return path.relative_to(rooms(repository)).parts[0]


def test_every_folder_is_a_floor(repository: Path) -> None:
    folders = {
        path.name for path in rooms(repository).iterdir() if path.is_dir() and path.name[0] != "_"
    }
    assert folders <= set(FLOORS)


def test_imports_point_to_lower_floors(repository: Path) -> None:
    wrong = [
        found
        for path in files(repository)
        if room_of(repository, path) in FLOORS
        for found in too_high(room_of(repository, path), path)
    ]
    assert wrong == []


def test_gold_is_opened_by_four_rooms_only(repository: Path) -> None:
    wrong = [
        found
        for path in files(repository)
        if room_of(repository, path) not in MAY_OPEN_GOLD | {"bundle"}
        for found in at_gold(path)
    ]
    assert wrong == []


def test_only_the_door_names_the_folder_of_gold(repository: Path) -> None:
    wrong = [
        path.relative_to(repository).as_posix()
        for path in files(repository)
        if room_of(repository, path) != "bundle"
        and re.search(r"[\"']evaluator_only", path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        "from riskchainbench.pipeline import build",
        "from riskchainbench import pipeline",
        "import riskchainbench.pipeline.build",
        "from ..pipeline import build",
        "from .. import pipeline",
    ],
)
def test_an_import_from_a_higher_floor_is_found(repository: Path, source: str) -> None:
    assert too_high("judging", rooms(repository) / "judging" / "planted.py", source)
    assert not too_high("cli", rooms(repository) / "cli" / "planted.py", source)


@pytest.mark.parametrize(
    "source",
    [
        "from riskchainbench.bundle import open_gold",
        "from riskchainbench.bundle import gold",
        "from riskchainbench.bundle.gold import Gold",
        "import riskchainbench.bundle.gold",
        "from ..bundle import gold",
    ],
)
def test_a_way_to_gold_is_found(repository: Path, source: str) -> None:
    assert at_gold(rooms(repository) / "judging" / "planted.py", source)


def test_the_rules_system_shares_nothing_with_the_generators(repository: Path) -> None:
    for path in (rooms(repository) / "models").rglob("*.py"):
        for line, module, _ in imports(path):
            assert module.split(".")[1] not in GENERATORS | {"bundle"}, (path, line)


def test_the_rules_system_reads_only_its_own_data_files(repository: Path) -> None:
    for path in (rooms(repository) / "models").rglob("*.py"):
        for found in re.findall(r"resources\.files\(\s*\"([\w.]+)\"", path.read_text("utf-8")):
            assert found.split(".")[1] not in GENERATORS, (path, found)
        assert not re.search(r"(messages|websites)/data", path.read_text("utf-8")), path


def test_no_file_is_long_without_a_reason(repository: Path) -> None:
    long = {
        path.relative_to(rooms(repository)).as_posix()
        for path in files(repository)
        if len(path.read_text(encoding="utf-8").splitlines()) > 420
    }
    assert long == set()
