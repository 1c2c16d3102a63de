"""The ledger is append-only and says which entry was touched."""

from __future__ import annotations

import sqlite3

import pytest
from annotation_world import PASSWORD, TASKS, U, V

from riskchainbench.annotation import labels
from riskchainbench.annotation.accounts import hash_password, password_fits
from riskchainbench.annotation.opening import create_project, open_project
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.errors import DriftError, InputError, IntegrityError


def _reopen(w, codebook=None, tasks=TASKS):
    project = open_project(w.project.folder, codebook or default_codebook(), tasks, w.clock)
    project.close()


def _tampered(w, statement: str) -> None:
    w.project.close()
    with sqlite3.connect(w.project.folder / "project.sqlite") as connection:
        connection.execute(statement)
    connection.close()


def _judged_world(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.judge("ann", V)
    return w


def test_an_untouched_ledger_opens(world):
    _reopen(_judged_world(world))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE ledger SET body = replace(body, 'GAMBLING', 'PHISHING') WHERE number = 4",
            r"entry 4 \(judgment w000 by ann\) was changed",
        ),
        ("DELETE FROM ledger WHERE number = 2", "entry 2 of the ledger is missing"),
        ("DELETE FROM ledger WHERE number = 1", "entry 1 of the ledger is missing"),
        ("DELETE FROM ledger WHERE number = 4", "ends at entry 3 and entry 4 is cut off"),
        ("DELETE FROM ledger WHERE number > 2", "ends at entry 2 and entries 3 to 4 are cut off"),
        ("DELETE FROM ledger", "ends at entry 0 and entries 1 to 4 are cut off"),
        ("DELETE FROM ledger_head", "the ledger's head is missing"),
        ("UPDATE ledger_head SET number = 3", "entry 4 of the ledger is not the last one"),
    ],
)
def test_a_touched_ledger_is_refused_by_name(world, statement, message):
    w = _judged_world(world)
    _tampered(w, statement)
    with pytest.raises(IntegrityError, match=message):
        _reopen(w)


def test_an_end_cut_off_while_people_work_is_missed_before_freezing(world):
    w = _judged_world(world)
    with sqlite3.connect(w.project.folder / "project.sqlite") as connection:
        connection.execute("DELETE FROM ledger WHERE number = 4")
    connection.close()
    w.judge("bob", V)  # goes on from what was written, not from what is left
    with pytest.raises(IntegrityError, match="entry 4 of the ledger is missing"):
        labels.freeze_labels(w.project, None, w.project.folder / "out")


def test_a_password_never_reaches_the_projects_folder(world):
    with pytest.raises(InputError, match=r"riskchain:\*\*\*@.*PGPASSWORD"):
        world(1, database="postgresql+pg8000://riskchain:secret@127.0.0.1:1/none")


def test_two_projects_never_share_a_database(world):
    w = world(1)
    (w.project.folder / "project.json").unlink()
    with pytest.raises(InputError, match="the database holds a project already"):
        create_project(w.project.folder, w.project.settings, w.project.codebook, w.clock)


def test_another_codebook_is_refused_in_mid_project(world):
    w = _judged_world(world)
    with pytest.raises(DriftError, match="begun under codebook"):
        _reopen(w, codebook=default_codebook().but(version="1.1"))


def test_another_bundle_is_refused(world):
    with pytest.raises(DriftError, match="labels tasks"):
        _reopen(_judged_world(world), tasks="b" * 64)


def test_a_project_is_not_begun_twice(world):
    w = world(1)
    with pytest.raises(InputError, match="holds a project"):
        create_project(w.project.folder, w.project.settings, w.project.codebook, w.clock)


def test_passwords_are_kept_as_hashes_only(world):
    w = world(1)
    w.people("ann")
    stored = w.project.store.password_of("ann")
    assert PASSWORD not in stored
    assert password_fits(PASSWORD, stored)
    assert not password_fits(PASSWORD + "x", stored)
    with pytest.raises(InputError, match="at least 10"):
        hash_password("short")


def test_a_killed_server_loses_nothing_that_was_saved(world):
    w = world(2)
    w.people("ann", "bob")
    w.project.plan()
    slot = w.project.next_slot("ann")
    w.project.save_draft("ann", slot.slot_id, '{"note": "kept"}')
    w.project.close()
    again = open_project(w.project.folder, w.project.codebook, TASKS, w.clock)
    assert again.store.draft("ann", str(slot.slot_id)).body == '{"note": "kept"}'
    assert again.next_slot("ann").slot_id == slot.slot_id
    again.submit("ann", slot.slot_id, w.judged(U))
    assert again.progress("ann").done == 1
    again.close()
