"""The report in a real Chromium, opened from disk: reading, stepping, comparing, translating."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from reporting_files import hostile_report
from reporting_world import World, score_world

from riskchainbench.core.conclusion import BoxLocator, EvidenceReference
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]
Checker = Callable[[Page], list[tuple[str, str]]]


@pytest.fixture(scope="module")
def full(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("full") / "report"
    return write_report(world, world, world.runs, world.scores, out, images="all")


def first_case(world: World, at: int = 0) -> str:
    return list(world.investigation_tasks)[at]


def open_case(opened: Opener, full: Path, case_id: str, more: str = "", **options: Any) -> Page:
    page = opened(full, f"#case={case_id}&system=careful{more}", **options)
    page.wait_for_selector(".detail .card")
    return page


def test_a_step_shows_picture_action_evidence_and_conclusion_together(
    opened: Opener, full: Path, world: World
) -> None:
    page = open_case(opened, full, first_case(world))

    assert page.get_attribute(".screen img", "alt") == "Screenshot of step 0: Lucky Pier"
    assert page.evaluate("document.querySelector('.screen img').naturalWidth") == 1280
    assert "click" in page.inner_text(".action .did")
    assert "The hall may show what is offered" in page.inner_text(".action .reason")
    assert "The hall takes bets" in page.inner_text(".rationale")
    assert page.locator(".frame.acted").count() == 1
    assert page.locator(".frame.evidence").count() == 1

    outline, picture = (
        page.locator(where).bounding_box() for where in (".frame.acted", ".screen img")
    )
    assert outline is not None
    assert picture is not None
    scale = picture["width"] / 1280
    assert outline["x"] - picture["x"] == pytest.approx(60 * scale, abs=1.5)
    assert outline["width"] == pytest.approx(240 * scale, abs=1.5)


def test_a_cited_area_as_large_as_the_screen_keeps_its_outline_and_number_in_sight(
    opened: Opener, world: World, tmp_path: Path
) -> None:
    case_id, run = first_case(world), world.runs[0]
    record = run.data.conclusions[case_id]
    whole = EvidenceReference(step=0, locator=BoxLocator(x=0, y=0, width=1280, height=720))
    cited = record.but(conclusion=record.conclusion.but(evidence=(whole,)))
    changed = replace(run.data, conclusions={**run.data.conclusions, case_id: cited})
    out = write_report(
        world, world, [ReportRun(changed, run.images)], world.scores, tmp_path / "report"
    )
    page = open_case(opened, out, case_id)
    screen, number = (
        page.locator(where).bounding_box() for where in (".screen", ".frame.evidence span")
    )
    assert number["y"] + number["height"] <= screen["y"] + screen["height"]
    inset = "getComputedStyle(document.querySelector('.frame.evidence'), '::before').top"
    assert page.evaluate(f"parseFloat({inset})") > 0


def test_labels_of_an_element_that_is_acted_on_and_cited_stay_apart(
    opened: Opener, full: Path, world: World
) -> None:
    page = open_case(opened, full, first_case(world))
    page.evaluate(
        """() => {
          const acted = document.querySelector(".frame.acted");
          const cited = document.querySelector(".frame.evidence");
          const place = "left:5%;top:1%;width:20%;height:5%";
          for (const each of [acted, cited]) each.style.cssText = place;
          acted.classList.add("inside");
          cited.classList.add("inside");
        }"""
    )
    first, second = (
        page.locator(f".frame.{kind} span").bounding_box() for kind in ("acted", "evidence")
    )
    assert first is not None
    assert second is not None
    assert (
        first["x"] + first["width"] <= second["x"]
        or second["x"] + second["width"] <= first["x"]
        or first["y"] + first["height"] <= second["y"]
        or second["y"] + second["height"] <= first["y"]
    )


def test_a_citation_leads_to_its_step_and_marks_the_quote(
    opened: Opener, full: Path, world: World
) -> None:
    page = open_case(opened, full, first_case(world))

    page.click(".citation >> nth=0")

    assert page.inner_text(".strip .now") == "1"
    assert page.inner_text("mark").startswith("Bets from 5 to 500 are paid out")
    assert page.get_attribute(".citation >> nth=0", "aria-pressed") == "true"


def test_arrows_walk_the_steps_and_letters_the_cases(
    opened: Opener, full: Path, world: World
) -> None:
    page = open_case(opened, full, first_case(world))

    page.keyboard.press("ArrowRight")
    assert page.inner_text(".strip .now") == "1"
    page.keyboard.press("ArrowLeft")
    assert page.inner_text(".strip .now") == "0"
    page.keyboard.press("j")
    page.wait_for_selector(f".case-head code:text-is('{first_case(world, 1)}')")
    page.keyboard.press("k")
    page.wait_for_selector(f".case-head code:text-is('{first_case(world)}')")


def test_a_key_typed_into_the_search_stays_there(opened: Opener, full: Path, world: World) -> None:
    page = open_case(opened, full, first_case(world))

    page.locator("#filter-find").press_sequentially(first_case(world, 2)[:8])

    assert page.input_value("#filter-find") == first_case(world, 2)[:8]
    assert page.inner_text("#how-many") == "1 of 12 cases"


def test_filters_leave_the_cases_that_match(opened: Opener, full: Path, world: World) -> None:
    page = open_case(opened, full, first_case(world))

    page.select_option("#pick-system", "hasty")
    page.select_option("#filter-failure", "NO_JSON")

    assert page.inner_text("#how-many") == "4 of 12 cases"
    page.wait_for_selector(".conclusion .failed")
    assert "I would say it looks fine." in page.inner_text(".conclusion .failed")


def test_two_systems_stand_side_by_side(opened: Opener, full: Path, world: World) -> None:
    page = open_case(opened, full, first_case(world, 1), "&with=hasty")
    page.wait_for_selector(".pane[aria-label=hasty] .verdict")

    left, right = (
        page.locator(f".pane[aria-label={name}]").bounding_box() for name in ("careful", "hasty")
    )
    assert left is not None
    assert right is not None
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    assert "non-violation" in page.inner_text(".pane[aria-label=careful] .verdict")
    assert "violation · gambling" in page.inner_text(".pane[aria-label=hasty] .verdict")


def test_a_restoration_shows_what_it_lost_and_added(
    opened: Opener, full: Path, world: World
) -> None:
    page = opened(full, f"#case={first_case(world)}&system=hasty&tab=messages")
    page.wait_for_selector(".diff")

    assert page.locator(".diff del").all_inner_texts() == ["打", "a"]
    assert page.locator(".diff ins").all_inner_texts() == ["扛", "o"]
    assert page.locator(".trace-stage").count() == 1


def test_messages_can_be_read_where_nothing_was_investigated(
    opened: Opener, world: World, tmp_path: Path
) -> None:
    runs = [
        ReportRun(replace(run.data, conclusions=None, trajectory=lambda _: None), run.images)
        for run in world.runs
    ]
    restored = replace(world, runs=runs)
    scores = score_world(restored)
    page = opened(
        write_report(restored, restored, runs, scores, tmp_path / "report"),
        f"#case={first_case(world)}&system=hasty",
    )
    page.wait_for_selector(".diff")

    assert page.inner_text("#how-many") == "12 of 12 cases"
    assert page.locator(".case-tools button").all_inner_texts()[0] == "Messages"
    page.select_option("#filter-form", "landing page")
    assert page.inner_text("#how-many") == "6 of 12 cases"


def test_the_language_switch_turns_every_word(opened: Opener, full: Path, world: World) -> None:
    page = open_case(opened, full, first_case(world))

    page.click("#language")

    assert page.get_attribute("html", "lang") == "zh-CN"
    assert page.inner_text("h1") == "评测报告"
    page.wait_for_selector(".conclusion h5:text-is('结论')")
    assert page.locator("[data-language=en]:visible").count() == 0


def test_a_chinese_reader_starts_in_chinese(opened: Opener, full: Path) -> None:
    page = opened(full, locale="zh-CN")

    assert page.inner_text("h1") == "评测报告"
    judge = "rules (not a validated judge)"
    assert page.evaluate(f"RCB.said('{judge}')") == "规则裁判（未经验证）"
    assert page.evaluate("RCB.said('acme/some_judge')") == "acme/some_judge"


def test_a_table_sorts_by_a_column_and_keeps_baselines_apart(opened: Opener, full: Path) -> None:
    page = opened(full)
    table = page.locator("#table-investigation")

    table.locator(".sort >> nth=1").click()

    assert table.locator("th[aria-sort=ascending]").count() == 1
    assert table.locator("tbody.systems .name").all_inner_texts() == ["hasty", "careful"]
    assert table.locator("tbody.reference-rows .name").all_inner_texts() == [
        "always-violation",
        "oracle",
    ]


def test_no_payload_runs_and_all_are_shown_as_text(
    opened: Opener, world: World, tmp_path: Path
) -> None:
    out = hostile_report(world, tmp_path / "r")
    page = opened(out / "index.html", script="window.boom = () => { window.exploded = true; };")
    page.evaluate("document.getElementById('browser').scrollIntoView()")
    page.wait_for_selector(".rationale")

    assert page.inner_text(".rationale").startswith("</script><script>boom()")
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("window.exploded") is None


@pytest.mark.parametrize(("scheme", "tab"), [("light", "steps"), ("dark", "messages")])
def test_axe_finds_nothing(
    opened: Opener, axe: Checker, full: Path, world: World, scheme: str, tab: str
) -> None:
    page = opened(
        full,
        f"#case={first_case(world)}&system=careful&with=hasty&tab={tab}",
        color_scheme=scheme,
        bypass_csp=True,
    )
    page.wait_for_selector(".detail .card")
    page.evaluate("for (const each of document.querySelectorAll('.card')) each.open = true")

    assert axe(page) == []


def test_any_metric_can_be_chosen_by_stratum(
    opened: Opener, axe: Checker, full: Path, world: World
) -> None:
    page = opened(full, bypass_csp=True)
    page.click("#all-strata summary")
    page.wait_for_selector("#all-strata table")
    assert page.locator("#all-strata option[value='task1.cer']").count() == 1
    assert page.locator("#all-strata option[value='gated.macro_f1']").count() == 1

    page.select_option("[data-choice=metric]", "web_only.recall_violation")
    page.select_option("[data-choice=dimension]", "language")
    heads = page.locator("#all-strata thead th").all_inner_texts()
    assert [head.splitlines()[0] for head in heads] == ["System", "English", "Chinese, simplified"]
    row = page.locator("#all-strata tbody tr", has_text="always-violation")
    assert row.locator("td .count").all_inner_texts() == ["2/2", "2/2"]
    assert axe(page) == []

    page.click("#language")
    assert page.locator("#all-strata thead th").first.inner_text() == "系统"


def test_what_goes_on_past_the_edge_fades_until_it_is_scrolled_to(
    opened: Opener, full: Path
) -> None:
    page = opened(full, viewport={"width": 360, "height": 740})
    table = "#results .scroll"
    page.wait_for_selector(f"{table}.more")
    page.eval_on_selector(table, "node => { node.scrollLeft = node.scrollWidth; }")
    page.wait_for_function(f"!document.querySelector('{table}').classList.contains('more')")


def test_a_phone_needs_no_sideways_scrolling(opened: Opener, full: Path, world: World) -> None:
    page = open_case(opened, full, first_case(world), viewport={"width": 360, "height": 740})

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator(".screen img").bounding_box()["width"] > 280


def test_a_missing_case_file_is_said_in_words(
    opened: Opener, world: World, tmp_path: Path, chromium: Browser
) -> None:
    page_path = write_report(world, world, world.runs, world.scores, tmp_path / "r")
    for path in (tmp_path / "r" / "cases").iterdir():
        path.unlink()
    page = chromium.new_page()
    page.goto(f"file://{page_path}#case={first_case(world)}")

    page.wait_for_selector(".nothing")

    assert "missing from the folder" in page.inner_text(".nothing")
    page.close()
