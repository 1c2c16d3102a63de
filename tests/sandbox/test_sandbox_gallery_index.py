import re
from random import Random

import pytest
from starlette.testclient import TestClient

from riskchainbench.sandbox.gallery_index import GalleryIndex
from riskchainbench.websites.records import Asset, LoadedWebsite


@pytest.fixture
def index(two_sites):
    return GalleryIndex(two_sites, Random(1))


@pytest.fixture
def client(index):
    return TestClient(index, base_url="http://127.0.0.1:8100")


def _frame_host(client, case):
    page = client.get(f"/site/{case}").text
    return re.search(r'src="(http://[0-9a-f]+\.localhost:8100)/"', page)[1]


def test_index_lists_every_website(client):
    page = client.get("/").text
    assert 'href="/site/c1"' in page
    assert 'href="/site/c2"' in page


def test_website_stands_in_a_frame_without_top_navigation_or_origin(client):
    page = client.get("/site/c1").text
    assert re.findall(r'sandbox="([^"]*)"', page) == ["allow-forms"]
    assert "new tab, and dialogs, do nothing here" in page


def test_scripts_run_where_the_website_has_any(two_sites):
    site = two_sites["c1"]
    script = Asset(path="/s.js", file="s.js", media_type="text/javascript; charset=utf-8")
    scripted = LoadedWebsite(site.website.but(assets=(script,)), {**site.files, "s.js": b""})
    client = TestClient(GalleryIndex({"c1": scripted}, Random(1)), base_url="http://127.0.0.1:8100")
    assert 'sandbox="allow-scripts allow-forms"' in client.get("/site/c1").text


def test_frame_serves_the_website_and_reset_clears_it(client, index):
    frame = TestClient(index, base_url=_frame_host(client, "c1"))
    assert "First Lin" in frame.post("/n", data={"name": "Lin"}).text
    client.post("/reset/c1")
    assert "Lin" not in frame.get("/").text


def test_reset_by_a_mere_link_and_unknown_websites_are_not_found(client):
    assert client.get("/reset/c1").status_code == 404
    assert client.get("/site/c9").status_code == 404


def test_index_pages_are_not_served_on_other_hosts(index):
    stranger = TestClient(index, base_url="http://rebound.test:8100")
    assert stranger.get("/").status_code == 421
