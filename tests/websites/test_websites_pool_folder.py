import json

import pytest

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.websites.pool import candidates_of, read_candidates, read_pool, write_pool
from riskchainbench.websites.synthesis import build_pool

CODEBOOK = default_codebook()
READERS = (read_candidates, lambda pool: read_pool(pool, CODEBOOK))
"""A selection reads a pool as carefully as a build does."""


@pytest.fixture(scope="module")
def pool():
    return build_pool(5, CODEBOOK, 2, pairs=1)


@pytest.fixture
def folder(pool, tmp_path):
    write_pool(tmp_path / "pool", pool, CODEBOOK)
    return tmp_path / "pool"


def test_pool_and_its_candidates_read_back(folder, pool):
    by_id = {built.pool_id: built for built in pool}
    assert {built.pool_id: built for built in read_pool(folder, CODEBOOK)} == by_id
    assert len(pool) == 8
    expected = {candidate.pool_id: candidate for candidate in candidates_of(pool)}
    assert {candidate.pool_id: candidate for candidate in read_candidates(folder)} == expected


def test_website_files_hold_no_label(folder, pool):
    for built in pool:
        for path in (folder / "websites" / built.pool_id).rglob("*"):
            if path.is_file():
                assert built.decision.value.encode() not in path.read_bytes()


def _changed(folder, pool_id, **changes):
    path = folder / "private" / f"{pool_id}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_type_that_the_codebook_lacks_is_named(folder, pool):
    _changed(folder, pool[0].pool_id, violation_type="SMUGGLING")
    with pytest.raises(InputError, match=f"website {pool[0].pool_id}: violation_type: SMUGGLING"):
        read_pool(folder, CODEBOOK)


def test_changed_label_is_noticed(folder, pool):
    kinds = [built for built in pool if built.violation_type == "NONE"]
    _changed(folder, kinds[0].pool_id, decision="INSUFFICIENT_EVIDENCE")
    for read in READERS:
        with pytest.raises(IntegrityError, match=f"website {kinds[0].pool_id}: changed"):
            read(folder)


def test_missing_page_and_record_are_named(folder, pool):
    page = next((folder / "websites" / pool[0].pool_id / "pages").iterdir())
    page.unlink()
    for read in READERS:
        with pytest.raises(InputError, match=f"website {pool[0].pool_id}: file pages/{page.name}"):
            read(folder)
    (folder / "private" / f"{pool[0].pool_id}.json").unlink()
    with pytest.raises(InputError, match=f"website {pool[0].pool_id}: private/"):
        read_candidates(folder)


def _edit(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def test_transition_to_nowhere_is_named(folder, pool):
    site = pool[0].pool_id

    def change(record):
        record["transitions"][0]["next"] = {"kind": "redirect", "path": "/gone"}

    _edit(folder / "websites" / site / "website.json", change)
    for read in READERS:
        with pytest.raises(InputError, match=rf"^website {site}: transitions\.0 .*next: /gone lea"):
            read(folder)


def test_file_that_climbs_out_of_its_website_is_named(folder, pool):
    site = pool[0].pool_id

    def change(record):
        record["pages"][0]["file"] = "../../private/x.json"

    _edit(folder / "websites" / site / "website.json", change)
    for read in READERS:
        with pytest.raises(InputError, match=rf"^website {site}: pages\.0\.file: [^\n]*$"):
            read(folder)


@pytest.mark.parametrize("name", ["../other", "/etc", "a/b", ""])
def test_website_whose_id_climbs_out_of_the_pool_is_named(folder, name):
    def change(manifest):
        manifest["websites"][name] = next(iter(manifest["websites"].values()))

    _edit(folder / "manifest.json", change)
    for read in READERS:
        with pytest.raises(InputError, match=r"manifest\.json: websites\.[^\n]*$"):
            read(folder)


def test_website_that_is_listed_twice_is_named(folder, pool):
    path, site = folder / "manifest.json", pool[0].pool_id
    doubled = f'"websites": {{"{site}": ["{"0" * 64}", "{"0" * 64}"],'
    path.write_text(path.read_text().replace('"websites": {', doubled))
    with pytest.raises(InputError, match=rf"manifest\.json: {site}: is given twice"):
        read_candidates(folder)


def test_component_that_the_codebook_lacks_is_named(folder, pool):
    built = next(built for built in pool if built.components)

    def change(record):
        record["components"][0]["component_id"] = "SMUGGLED_GOODS"

    _edit(folder / "private" / f"{built.pool_id}.json", change)
    with pytest.raises(InputError, match=f"website {built.pool_id}: components: SMUGGLED_GOODS"):
        read_pool(folder, CODEBOOK)


def test_type_that_another_codebook_lacks_is_named(folder, pool):
    used = next(built.violation_type for built in pool if built.violation_type != "NONE")
    kinds = tuple(kind for kind in CODEBOOK.types if kind.type_id != used)
    with pytest.raises(InputError, match=f"violation_type: {used} is no type of codebook"):
        read_pool(folder, CODEBOOK.but(types=kinds))


def test_duplicate_id_is_refused(pool, tmp_path):
    with pytest.raises(InputError, match="its id is given twice"):
        write_pool(tmp_path / "pool", [pool[0], pool[0]], CODEBOOK)
    assert not (tmp_path / "pool").exists()


def test_folder_without_a_pool_says_so(tmp_path):
    with pytest.raises(InputError, match="not a pool"):
        read_candidates(tmp_path)


def test_pool_without_websites_says_so(folder):
    _edit(folder / "manifest.json", lambda manifest: manifest["websites"].clear())
    for read in READERS:
        with pytest.raises(InputError, match=r"manifest\.json: websites: the pool holds none"):
            read(folder)
