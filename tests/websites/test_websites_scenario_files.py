"""A scenario bears the name of its file, by which its words are found."""

import pytest

from riskchainbench.core.errors import InputError
from riskchainbench.websites import texts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "_data", lambda: tmp_path)
    (tmp_path / "scenarios").mkdir()
    texts.scenarios.cache_clear()
    yield tmp_path / "scenarios"
    texts.scenarios.cache_clear()


def test_scenario_under_another_name_is_refused(folder):
    (folder / "lamp.toml").write_text(
        'scenario = "shelf"\ntopic = "health"\nforms = ["landing page"]\nflows = ["browse"]\n'
        'mechanism = "half-loaded pages"\nbank = "a"\n[components]\nA = "X"\nB = "Y"\n'
    )
    with pytest.raises(InputError, match=r"^lamp\.toml: scenario: shelf is not the file's name"):
        texts.scenarios()
