import importlib.util

import pytest

from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.bundle.layout import SELECTION
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.errors import DriftError, InputError, IntegrityError, UsageError
from riskchainbench.core.store import read_json
from riskchainbench.pipeline.build import build
from riskchainbench.pipeline.data_identity import data_sha256
from riskchainbench.pipeline.release import build_release, make_release, releases
from riskchainbench.pipeline.select import select_pool
from riskchainbench.websites.pool import write_pool
from riskchainbench.websites.selection import Certificate
from riskchainbench.websites.synthesis import build_pool

QUOTAS = """
name = "mine"
websites = 12
whole_sets = true
[exact]
language = "even"
"""


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "pool"
    codebook = default_codebook()
    write_pool(folder, build_pool(4, codebook, 12, languages=("en", "zh-CN")), codebook)
    return folder


@pytest.fixture
def quotas(tmp_path):
    path = tmp_path / "quotas.toml"
    path.write_text(QUOTAS)
    return path


def test_own_pool_and_quotas_become_a_bundle_with_a_certificate(pool, quotas, tmp_path):
    manifest = build(tmp_path / "out", "demo", 1, pool=pool, quotas=quotas)
    assert (manifest.websites, manifest.selection) == (12, "mine")
    bundle = open_bundle(tmp_path / "out")
    certificate = read_json(bundle.checked(SELECTION), Certificate)
    assert (certificate.status, len(certificate.selected)) == ("Optimal", 12)
    languages = [stratum.language for stratum in open_gold(bundle).strata.values()]
    assert languages.count("en") == languages.count("zh-CN") == 6
    assert build(tmp_path / "out", "demo", 1, pool=pool, quotas=quotas) == manifest
    with pytest.raises(DriftError, match="of selection mine, not none"):
        build(tmp_path / "out", "demo", 1)
    other = default_codebook().but(version="9.9")
    with pytest.raises(DriftError, match="another codebook"):
        build(tmp_path / "out", "demo", 1, other, pool=pool, quotas=quotas)
    with pytest.raises(DriftError, match="its pool was not kept"):
        build(tmp_path / "out", "demo", 1, quotas=quotas, keep_pool=tmp_path / "kept")
    quotas.write_text(f"{QUOTAS}form = 'even'")
    with pytest.raises(DriftError, match="other quotas of the name mine"):
        build(tmp_path / "out", "demo", 1, pool=pool, quotas=quotas)


def test_selecting_alone_writes_the_certificate(pool, quotas, tmp_path):
    found = select_pool(pool, None, quotas, 3, tmp_path / "s.json")
    assert read_json(tmp_path / "s.json", Certificate) == found
    assert len(found.selected) == 12


def test_quotas_and_a_packaged_selection_are_not_both_taken(pool, quotas, tmp_path):
    with pytest.raises(UsageError, match="give one of them"):
        select_pool(pool, "balanced", quotas, 3, tmp_path / "s.json")
    with pytest.raises(UsageError, match="give one of them"):
        build(tmp_path / "out", "demo", 1, selection="balanced", quotas=quotas)


def test_pool_too_small_for_a_selection_says_what_is_missing(pool, tmp_path):
    with pytest.raises(InputError, match=r"websites is missed by 564 \(asked 600\)"):
        select_pool(pool, None, None, 0, tmp_path / "s.json")


def test_unknown_release_lists_the_known_ones(tmp_path):
    assert "rcb-2026.1" in releases()
    with pytest.raises(InputError, match=r"choose one of rcb-2026\.1"):
        build_release(tmp_path / "out", "rcb-1999")


def test_release_of_other_data_or_another_version_is_refused(tmp_path):
    release = releases()["rcb-2026.1"]
    with pytest.raises(InputError, match="release x: made from data 000000000000, those installed"):
        make_release(tmp_path / "out", "x", release.but(data_sha256="0" * 64))
    with pytest.raises(InputError, match=r"release x: made by version 0\.0\.1"):
        make_release(tmp_path / "out", "x", release.but(generator="0.0.1"))


def test_release_that_comes_out_otherwise_is_refused(tmp_path):
    small = releases()["rcb-2026.1"].but(preset="demo", selection="", data_sha256=data_sha256())
    with pytest.raises(IntegrityError, match="gold_sha256 is not that of release x"):
        make_release(tmp_path / "out", "x", small.but(tasks_sha256="", gold_sha256="0" * 64))


def test_hashes_are_filled_into_the_list_of_releases(repository):
    spec = importlib.util.spec_from_file_location("release_tool", repository / "tools/release.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    text = '# c\n["a"]\nseed = 1\ndata_sha256 = "old"\n\n["b"]\nseed = 2\n'
    assert tool.written(text, "a", {"data_sha256": "new", "gold_sha256": "g"}) == (
        '# c\n["a"]\nseed = 1\ndata_sha256 = "new"\ngold_sha256 = "g"\n\n["b"]\nseed = 2\n'
    )
