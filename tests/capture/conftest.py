"""Captures of the awkward site, made over loopback once."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from awkward_site import AwkwardSite, serving

WGET = shutil.which("wget")


@pytest.fixture(scope="session")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, AwkwardSite]:
    """A WARC (``x.warc.gz``) and a mirror (``m``) of the awkward site, made by wget."""
    if WGET is None:
        pytest.skip("wget is not installed")
    folder = tmp_path_factory.mktemp("awkward")
    with serving() as site:
        common = [WGET, "-q", "-r", "-l", "3", "-p"]
        subprocess.run([*common, "--warc-file=x", "-P", "w", site.url], cwd=folder, check=False)
        subprocess.run([*common, "-k", "-E", "-P", "m", site.url], cwd=folder, check=False)
    return folder, site
