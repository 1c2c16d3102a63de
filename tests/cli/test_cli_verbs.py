"""The command line as a stranger meets it: exit codes, one clear line, JSON where asked."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from riskchainbench.bundle import Bundle

VERBS = (
    *("demo", "doctor", "build", "verify", "check", "serve", "trace"),
    *("eval", "restore", "investigate", "conclude", "judge", "score", "report"),
    *("verify-run", "leaderboard", "export"),
)


def riskchain(
    *arguments: str | Path,
    environment: dict[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "riskchainbench.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=170,
        env={**os.environ, **(environment or {})},
        preexec_fn=before,
    )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


def test_help_names_every_verb() -> None:
    done = riskchain("--help")
    assert done.returncode == 0
    for verb in VERBS:
        assert re.search(rf"\b{verb}\b", done.stdout), verb


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str) -> None:
    done = riskchain(verb, "--help")
    assert done.returncode == 0
    assert "Usage: riskchain" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["build"],
        ["unheard-of"],
        ["build", "out", "--seed", "many"],
        ["build", "out", "--unheard-of"],
        ["build", "out", "--part", "lite"],
        ["build", "out", "--of", "b", "--part", "lite", "--seed", "3"],
        ["build", "out", "--release", "rcb-2026.1", "--seed", "3"],
        ["investigate", "b", "r", "--system", "rules", "--workers", "0"],
        ["report", "b", "r", "--out", "o", "--images", "some"],
    ],
)
def test_misuse_exits_with_two(arguments: list[str]) -> None:
    done = riskchain(*arguments)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_preset_is_told(tmp_path: Path) -> None:
    done = riskchain("build", tmp_path / "b", "--preset", "huge")
    assert done.returncode == 2
    assert "no preset 'huge'" in one_line(done)
    assert not (tmp_path / "b").exists()


def test_an_unknown_system_is_told_before_anything_is_written(
    demo_folder: Path, tmp_path: Path
) -> None:
    done = riskchain("restore", demo_folder, tmp_path / "run", "--system", "oracel")
    assert done.returncode == 2
    assert "oracle" in one_line(done)
    assert not (tmp_path / "run").exists()


def test_a_refused_option_claims_no_run(demo_folder: Path, tmp_path: Path) -> None:
    arguments = ["restore", demo_folder, tmp_path / "run", "--system", "rules"]
    done = riskchain(*arguments, "--prompt-language", "fr")
    assert done.returncode == 2
    assert "no restoration prompt in fr" in one_line(done)
    assert not (tmp_path / "run").exists()


def test_an_unknown_case_claims_no_run(demo_folder: Path, tmp_path: Path) -> None:
    arguments = ["investigate", demo_folder, tmp_path / "run", "--system", "rules"]
    done = riskchain(*arguments, "--case", "wnope")
    assert done.returncode == 1
    assert "case wnope: the bundle has no such case" in one_line(done)
    assert not (tmp_path / "run").exists()


def test_edited_predictions_are_refused_before_any_browsing(
    demo_folder: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert riskchain("restore", demo_folder, run, "--system", "random").returncode == 0
    path = run / "restoration" / "predictions.jsonl"
    path.write_bytes(path.read_bytes().replace(b".test", b".tesx", 1))
    for verb in ("restore", "investigate"):
        done = riskchain(verb, demo_folder, run, "--system", "random")
        assert done.returncode == 1
        assert "predictions.jsonl: changed after it was frozen" in one_line(done)


def test_no_bundle_is_told(tmp_path: Path) -> None:
    done = riskchain("verify", tmp_path)
    assert done.returncode == 1
    assert "not a bundle" in one_line(done)


def test_no_run_is_told(demo_folder: Path, tmp_path: Path) -> None:
    for arguments in (["score", demo_folder, tmp_path], ["conclude", demo_folder, tmp_path]):
        done = riskchain(*arguments)
        assert done.returncode == 1
        assert "not a run" in one_line(done)


def test_debug_shows_the_traceback_wherever_it_stands(tmp_path: Path) -> None:
    for arguments in (["--debug", "verify", tmp_path], ["verify", tmp_path, "--debug"]):
        assert "Traceback" in riskchain(*arguments).stderr


def test_no_browser_is_one_line(demo_folder: Path, tmp_path: Path) -> None:
    done = riskchain(
        "investigate",
        demo_folder,
        tmp_path / "run",
        "--system",
        "always-violation",
        environment={"RISKCHAIN_CHROMIUM": "/nowhere/chromium"},
    )
    assert done.returncode == 1
    assert "/nowhere/chromium" in one_line(done)


def test_doctor_says_what_mends_a_missing_browser() -> None:
    broken = {"RISKCHAIN_CHROMIUM": "/nowhere/chromium"}
    done = riskchain("doctor", "--only", "browser", "--json", environment=broken)
    assert done.returncode == 1
    item = json.loads(done.stdout)["items"][0]
    assert item["state"] == "missing"
    assert item["mend"]


def test_a_bundle_in_place_of_a_run_is_told(demo_folder: Path) -> None:
    done = riskchain("verify-run", demo_folder)
    assert done.returncode == 1
    assert "should be 'run/1', not 'bundle/" in one_line(done)


@pytest.mark.parametrize("verb", ["demo", "annotate"])
def test_a_file_where_a_folder_is_to_be_made_is_told_at_once(
    verb: str, demo_folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "notes"
    file.write_text("mine", encoding="utf-8")
    bundle = [demo_folder] if verb == "annotate" else []
    done = riskchain(verb, *bundle, file)
    assert done.returncode == 1
    assert "is no folder" in one_line(done)
    assert file.read_text(encoding="utf-8") == "mine"


def test_doctor_takes_no_machine_without_fonts_for_ill() -> None:
    done = riskchain("doctor", "--only", "fonts", environment={"PATH": "/nowhere"})
    if sys.platform != "darwin":
        assert done.stdout.startswith("warning  fonts: no fontconfig; captured websites")
    assert done.returncode == 0


def test_a_restoration_is_resumed_and_reported_as_json(demo_folder: Path, tmp_path: Path) -> None:
    arguments = ["restore", demo_folder, tmp_path / "run", "--system", "always-violation", "--json"]
    first, second = riskchain(*arguments), riskchain(*arguments)
    assert first.returncode == second.returncode == 0
    assert json.loads(first.stdout) == json.loads(second.stdout)
    assert json.loads(first.stdout)["units"] == 144


def test_other_options_on_resume_are_refused_with_the_difference(
    demo_folder: Path, tmp_path: Path
) -> None:
    arguments = ["restore", demo_folder, tmp_path / "run", "--system", "always-violation"]
    assert riskchain(*arguments).returncode == 0
    done = riskchain(*arguments, "--prompt-language", "en")
    assert done.returncode == 1
    assert "prompt_language: 'zh-CN' then, 'en' now" in one_line(done)


def test_a_disk_that_takes_no_more_is_one_line(tmp_path: Path) -> None:
    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = riskchain("build", tmp_path / "b", "--seed", "7", before=no_large_files)
    assert done.returncode == 1
    assert "cannot be written" in one_line(done)
    assert not (tmp_path / "b").exists()


def test_a_build_is_the_same_under_another_locale(demo_bundle: Bundle, tmp_path: Path) -> None:
    done = riskchain(
        "build",
        tmp_path / "b",
        "--seed",
        "7",
        "--json",
        environment={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONHASHSEED": "5"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tasks_sha256"] == demo_bundle.tasks_sha256
    assert json.loads(done.stdout)["gold_sha256"] == demo_bundle.manifest.gold_sha256


def test_a_trace_is_walked_back(demo_bundle: Bundle) -> None:
    sample = next(iter(demo_bundle.restoration_tasks))
    done = riskchain("trace", demo_bundle.folder, sample, environment={"COLUMNS": "200"})
    assert done.returncode == 0, done.stderr
    assert "walked back" in done.stdout
    assert riskchain("trace", demo_bundle.folder, "m0").returncode == 1


def test_a_person_browses_on_loopback_only(demo_folder: Path) -> None:
    done = riskchain("serve", demo_folder, "--host", "0.0.0.0")
    assert done.returncode == 1
    assert "loopback" in one_line(done)
    server = subprocess.Popen(
        [sys.executable, "-m", "riskchainbench.cli", "serve", str(demo_folder), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        # Shells let what they start in the background ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[0]
        with urllib.request.urlopen(url, timeout=20) as answer:
            page = answer.read().decode("utf-8")
        assert "sandbox" in page or "<li>" in page
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=20)
        assert server.returncode == 130
        assert said == "riskchain: interrupted; give the same command to go on\n"
    finally:
        server.kill()
        server.wait(timeout=20)


def test_a_program_that_is_no_browser_is_not_taken_for_one() -> None:
    done = riskchain(
        "doctor", "--only", "browser", environment={"RISKCHAIN_CHROMIUM": sys.executable}
    )
    assert done.returncode == 1
    assert "tells no version, so it is no Chromium" in done.stdout


@pytest.fixture
def dying_browser(tmp_path: Path) -> dict[str, str]:
    fake = tmp_path / "chromium"
    fake.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Chromium 150.0.1.2\nexit 1\n')
    fake.chmod(0o755)
    return {"RISKCHAIN_CHROMIUM": str(fake)}


@pytest.mark.browser
def test_a_browser_that_dies_at_launch_is_no_fault_of_a_pictured_website(
    demo_folder: Path, tmp_path: Path, dying_browser: dict[str, str]
) -> None:
    out = tmp_path / "gallery"
    done = riskchain(
        "gallery", demo_folder, "--sample", "1", "--out", out, environment=dying_browser
    )
    assert done.returncode == 1
    assert ": not pictured: BROWSER_LAUNCH: " in done.stdout


@pytest.mark.browser
def test_a_browser_that_dies_at_launch_leaves_cases_open_and_says_so(
    demo_folder: Path, tmp_path: Path, dying_browser: dict[str, str]
) -> None:
    done = riskchain(
        "investigate",
        demo_folder,
        tmp_path / "run",
        "--system",
        "always-violation",
        "--limit",
        "1",
        environment=dying_browser,
    )
    assert done.returncode == 1
    assert "1 of 24 stay open after system failures" in one_line(done)
    assert "BROWSER_LAUNCH" in done.stderr
