"""The leaderboard as a site: boards apart, no gold, readable by all."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from reporting_world import World

from riskchainbench.core.errors import InputError
from riskchainbench.reporting.leaderboard import Board, BoardKind, write_leaderboard

MARKER = "GOLDMARKER7"
COMMON = (
    ("tasks", "7" * 64),
    ("labels", "designed, unaudited"),
    ("generator", "1.0"),
    ("codebook", "riskchain 1.0"),
)


def boards(world: World) -> list[Board]:
    assert world.scores is not None
    scores = world.scores.without_units()
    return [
        Board(BoardKind.INVESTIGATION, (*COMMON, ("clock", "with provider time")), scores),
        Board(BoardKind.COMPOSITION, COMMON, scores),
    ]


@pytest.fixture(scope="module")
def site(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_leaderboard(boards(world), tmp_path_factory.mktemp("board") / "site")


def test_each_board_is_a_table_of_its_own_with_its_protocol(site: Path) -> None:
    page = site.read_text("utf-8")
    assert page.count('<table class="scores">') == 2
    assert page.count("with provider time") == 1
    for number, column in ((1, "web_only_accuracy"), (2, "gated_accuracy")):
        with (site.parent / "tables" / f"board-{number}.csv").open(encoding="utf-8") as file:
            head = next(csv.reader(file))
        assert any(column in each or "accuracy" in each for each in head)


def test_baselines_stand_below_the_systems(site: Path) -> None:
    page = site.read_text("utf-8")
    table = page[page.index('<table class="scores">') :]
    places = [table.index(f">{name}<") for name in ("careful", "hasty", "always-violation")]
    assert places == sorted(places)


def test_the_data_has_every_count_and_the_tied_groups(site: Path) -> None:
    data = json.loads((site.parent / "leaderboard.json").read_text("utf-8"))
    assert [each["kind"] for each in data] == ["investigation", "composition"]
    metric = next(
        each for each in data[0]["rows"][0]["metrics"] if each["metric_id"] == "web_only.accuracy"
    )
    assert metric["count"]["denominator"] == 12
    assert data[0]["tied_groups"]


def test_no_stratum_and_no_case_reaches_the_site(world: World, tmp_path: Path) -> None:
    assert world.scores is not None
    systems = tuple(
        row.but(
            strata=tuple(each.but(value=MARKER) for each in row.strata),
            cases=tuple(each.but(gold_type=MARKER) for each in row.cases),
            open_cases=(MARKER,),
        )
        for row in world.scores.systems
    )
    board = Board(BoardKind.INVESTIGATION, COMMON, world.scores.but(systems=systems))
    page = write_leaderboard([board], tmp_path / "site")
    files = [path for path in page.parent.rglob("*") if path.is_file()]
    assert [path.name for path in files if MARKER in path.read_text("utf-8")] == []


def test_a_folder_of_something_else_is_left_alone(world: World, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", "utf-8")
    with pytest.raises(InputError, match="no report"):
        write_leaderboard(boards(world), tmp_path)
    assert (tmp_path / "thesis.txt").exists()


@pytest.mark.browser
def test_the_site_sorts_translates_and_passes_axe(
    site: Path, opened: Callable[..., Page], axe: Callable[[Page], list[tuple[str, str]]]
) -> None:
    page = opened(site, bypass_csp=True)
    page.click("#language")
    assert page.title() == "RiskChainBench · 排行榜"
    told = page.locator(".facts").first.inner_text()
    assert "按设计给定，未经人工审核" in told
    assert "计入服务商耗时" in told
    assert "designed" not in told
    button = page.locator("table.scores .sort").nth(1)
    button.click()
    assert button.locator("xpath=..").get_attribute("aria-sort") == "ascending"
    assert axe(page) == []
    phone = opened(site, viewport={"width": 360, "height": 740})
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
