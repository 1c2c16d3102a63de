"""The certificate of a bundle's websites: made when it is built, held to when it is verified."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from riskchainbench.bundle import open_bundle
from riskchainbench.bundle.layout import MANIFEST, WEBSITE_CHECKS
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.hashing import sha256_file
from riskchainbench.pipeline import certifying, pools
from riskchainbench.pipeline.build import build
from riskchainbench.pipeline.certifying import certificate_of, read_certificate, require_audited
from riskchainbench.pipeline.pools import PoolRecipe, examined, generated
from riskchainbench.pipeline.verify import verify
from riskchainbench.pipeline.workers import Workers

RECIPE = PoolRecipe(5, default_codebook(), 4, 1, ("en",))


@pytest.fixture
def _small_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audit the demonstration, which is too small for it otherwise."""
    monkeypatch.setattr(pools, "ENOUGH", 10)


@pytest.fixture(scope="module")
def certified_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certified") / "bundle"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pools, "ENOUGH", 10)
        build(folder, "demo", 7)
    return folder


@pytest.fixture
def certified(certified_folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(certified_folder, tmp_path / "bundle")


def _edit(folder: Path, change: str, to: str) -> None:
    """Change the certificate and let the manifest name the changed file."""
    path = folder / WEBSITE_CHECKS
    text = path.read_text(encoding="utf-8")
    assert change in text
    path.write_text(text.replace(change, to), encoding="utf-8")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["files"][WEBSITE_CHECKS] |= {
        "sha256": sha256_file(path),
        "size": path.stat().st_size,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


@pytest.mark.usefixtures("_small_is_enough")
def test_pool_is_the_same_in_one_process_and_in_two() -> None:
    with Workers(2) as workers:
        one, two = generated(RECIPE, Workers()), generated(RECIPE, workers)
    whole = tuple(built for members in RECIPE.build() for built in members)
    assert one.websites == two.websites == whole
    assert [w.case_id for w in one.audited] == [w.case_id for w in two.audited]
    assert [w.words for w in one.audited] == [w.words for w in two.audited]
    assert (one.findings, two.findings) == ((), ())
    given = examined(one.websites[::-1], RECIPE.codebook, Workers())
    assert [w.case_id for w in given.audited] == [w.case_id for w in one.audited[::-1]]


def test_demonstration_is_too_small_for_audits(demo_folder: Path) -> None:
    assert read_certificate(open_bundle(demo_folder)) is None
    assert verify(demo_folder).figures == ()


@pytest.mark.usefixtures("_small_is_enough")
def test_certificate_stands_beside_the_identity_and_is_made_again(
    certified: Path, demo_folder: Path
) -> None:
    bundle, plain = open_bundle(certified), open_bundle(demo_folder)
    assert bundle.manifest.gold_sha256 == plain.manifest.gold_sha256
    told = read_certificate(bundle)
    assert told is not None
    assert (told.websites, told.sets, told.generated) == (24, 8, True)
    assert told.languages == {"en": 12, "zh-CN": 12}
    found = verify(certified)
    assert verify(certified, processes=2) == found
    assert any("shortcut: element counts" in figure for figure in found.figures)
    assert found.notes == ()


@pytest.mark.usefixtures("_small_is_enough")
@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        ('"websites": 24', '"websites": 2500', "websites is 24, not 2500"),
        ('"families": 8', '"families": 400', "families is 8, not 400"),
    ],
)
def test_edited_certificate_is_found_out(
    certified: Path, change: str, to: str, message: str
) -> None:
    _edit(certified, change, to)
    with pytest.raises(IntegrityError, match=f"website_checks.json: made again, .*{message}"):
        verify(certified)


@pytest.mark.usefixtures("_small_is_enough")
def test_certificate_of_other_data_is_told_and_not_made_again(
    certified: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certifying, "data_sha256", lambda: "0" * 64)
    (note,) = verify(certified).notes
    assert "other data than those installed" in note


@pytest.mark.usefixtures("_small_is_enough")
def test_websites_that_share_their_words_fail_the_build() -> None:
    found = generated(RECIPE, Workers())
    words = found.audited[0].words
    copies = tuple(replace(website, words=words) for website in found.audited)
    examined_again = pools.Examined(found.websites, (), copies)
    copied = certificate_of(examined_again, 1, Workers(), generated=True)
    with pytest.raises(InputError, match=r"audit of 14 websites: en: nearest .* share 1\.00"):
        require_audited(copied)
