"""A part of a bundle is a bundle: it verifies, and holds nothing of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from riskchainbench.bundle import Bundle, open_bundle, open_gold
from riskchainbench.bundle.part import part_bundle
from riskchainbench.core.errors import InputError, UsageError
from riskchainbench.pipeline.part import build_part
from riskchainbench.pipeline.verify import verify


@pytest.fixture
def part(demo_bundle: Bundle, tmp_path: Path) -> Bundle:
    """Two whole sets of the demonstration with their messages."""
    gold = open_gold(demo_bundle)
    sets = sorted({stratum.contrast_set for stratum in gold.strata.values()})[:2]
    cases = {case for case, stratum in gold.strata.items() if stratum.contrast_set in sets}
    samples = {key for key, sample in gold.samples.items() if sample.case_id in cases}
    part_bundle(demo_bundle, gold, tmp_path / "part", "lite", cases, samples)
    return open_bundle(tmp_path / "part")


def test_part_verifies_and_names_the_whole(part: Bundle, demo_bundle: Bundle) -> None:
    result = verify(part.folder)
    assert (result.websites, result.messages) == (6, 36)
    assert (part.manifest.part, part.manifest.part_of) == ("lite", demo_bundle.tasks_sha256)
    assert part.manifest.sources.sessions == 6
    assert part.tasks_sha256 != demo_bundle.tasks_sha256


def test_part_holds_nothing_of_the_rest(part: Bundle, demo_bundle: Bundle) -> None:
    gold, whole = open_gold(part), open_gold(demo_bundle)
    cases = set(part.investigation_tasks)
    assert len(cases) == 6
    assert set(gold.labels) == set(gold.strata) == set(gold.components) == cases
    assert set(gold.resolver.values()) == cases
    assert {sample.case_id for sample in gold.samples.values()} == cases
    left_out = set(whole.labels) - cases
    for name in part.manifest.files:
        data = (part.folder / name).read_bytes()
        assert not [case for case in left_out if case in name or case.encode() in data]


def test_part_that_a_bundle_does_not_have_is_refused(demo_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no part 'half'; choose one of train, test, lite"):
        build_part(tmp_path / "p", demo_folder, "half")
    with pytest.raises(InputError, match="has no parts; a bundle of --preset full"):
        build_part(tmp_path / "p", demo_folder, "lite")
