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
MAY_OPEN_GOLD = {"checks", "scoring", "annotation", "pipeline"}


def rooms(repository: Path) -> Path:
    return repository / "src" / PACKAGE


def imports(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield (line, module, name) for everything that a file imports from the package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(PACKAGE):
            for alias in node.names:
                yield node.lineno, node.module, alias.name
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith(PACKAGE):
                    yield node.lineno, alias.name, ""


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
    wrong = []
    for path in files(repository):
        room = room_of(repository, path)
        if room not in FLOORS:
            continue
        for line, module, name in imports(path):
            parts = module.split(".")
            target = parts[1] if len(parts) > 1 else name
            if target in FLOORS and FLOORS.index(target) > FLOORS.index(room):
                wrong.append(f"{path.relative_to(repository)}:{line} imports {target}")
    assert wrong == []


def test_gold_is_opened_by_four_rooms_only(repository: Path) -> None:
    wrong = []
    for path in files(repository):
        room = room_of(repository, path)
        if room in MAY_OPEN_GOLD | {"bundle"}:
            continue
        for line, module, name in imports(path):
            if name == "open_gold" or module == f"{PACKAGE}.bundle.gold":
                wrong.append(f"{path.relative_to(repository)}:{line}")
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
    ("room", "imported", "allowed"), [("messages", "pipeline", False), ("pipeline", "core", True)]
)
def test_the_order_can_tell_right_from_wrong(room: str, imported: str, allowed: bool) -> None:
    assert (FLOORS.index(imported) <= FLOORS.index(room)) is allowed


def test_the_rules_system_shares_nothing_with_the_generators(repository: Path) -> None:
    for path in (rooms(repository) / "models").rglob("*.py"):
        for line, module, _ in imports(path):
            assert module.split(".")[1] not in {"messages", "websites", "bundle"}, (path, line)


def test_no_file_is_long_without_a_reason(repository: Path) -> None:
    long = {
        path.relative_to(rooms(repository)).as_posix()
        for path in files(repository)
        if len(path.read_text(encoding="utf-8").splitlines()) > 420
    }
    assert long == set()
