"""The same project on PostgreSQL, started by the test from the installed package."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from annotation_world import V

from riskchainbench.annotation.opening import open_project
from riskchainbench.core.errors import InputError


def _program(name: str) -> str | None:
    found = shutil.which(name)
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return found or (str(newest[-1]) if newest else None)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """The address of a PostgreSQL server that lives as long as these tests."""
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    pytest.importorskip("pg8000", reason="the extra 'teams' is not installed")
    folder = tmp_path_factory.mktemp("postgres")
    for each in (folder, *folder.parents):
        if each.stat().st_uid == os.geteuid() and str(each).startswith("/tmp/"):
            each.chmod(each.stat().st_mode | 0o711)
    root = os.geteuid() == 0
    if root and shutil.which("runuser") is None:
        pytest.skip("started by root, PostgreSQL needs runuser to become another user")
    if root:
        shutil.chown(folder, "postgres")
    as_other = ["runuser", "-u", "postgres", "--"] if root else []
    data, port = folder / "data", 20000 + os.getpid() % 20000
    subprocess.run(
        [*as_other, initdb, "-D", data, "-U", "riskchain", "--auth=trust", "-N"],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off"
    subprocess.run(
        [*as_other, pg_ctl, "-D", data, "-w", "-o", options, "-l", folder / "log", "start"],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    yield f"postgresql+pg8000://riskchain@127.0.0.1:{port}/postgres"
    subprocess.run(
        [*as_other, pg_ctl, "-D", data, "-m", "immediate", "stop"], capture_output=True, cwd=folder
    )


def test_a_team_works_at_once_on_postgres(world, postgres):
    w = world(8, database=postgres)
    w.people("ann", "bob", "cyd", "dan")
    w.project.plan()

    def work(name: str) -> None:
        while (slot := w.project.next_slot(name)) is not None:
            w.project.save_draft(name, slot.slot_id, '{"note": "所见"}')
            w.project.submit(name, slot.slot_id, w.judged(V))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, ("ann", "bob", "cyd", "dan")))
    assert {r.path.value for r in w.project.standing().resolutions.values()} == {"pair_consensus"}
    w.project.close()
    again = open_project(w.project.folder, w.project.codebook, "a" * 64, time.time)
    assert len(again.lines()) == 5 + 16
    again.close()


def test_a_database_that_is_not_there_is_told_plainly(world):
    with pytest.raises(InputError, match="the database cannot be opened"):
        world(1, database="postgresql+pg8000://riskchain@127.0.0.1:1/none")
