import json

import pytest

from riskchainbench.core.errors import InputError
from riskchainbench.websites.files import check_website, read_website, write_website
from riskchainbench.websites.records import LoadedWebsite, Redirect, Show


def test_written_website_reads_back_and_foreign_files_are_ignored(small_site, tmp_path):
    write_website(tmp_path / "c1", small_site)
    (tmp_path / "c1" / "foreign.html").write_text("x")
    assert read_website(tmp_path / "c1") == small_site


def test_record_bytes_do_not_depend_on_the_case_id(small_site, tmp_path):
    write_website(tmp_path / "c1", small_site)
    write_website(tmp_path / "c2", small_site)
    one, two = ((tmp_path / c / "website.json").read_bytes() for c in ("c1", "c2"))
    assert one == two


def test_missing_page_names_site_and_file(small_site, tmp_path):
    write_website(tmp_path / "c1", small_site)
    (tmp_path / "c1" / "pages" / "p2.html").unlink()
    with pytest.raises(InputError, match=r"website c1: file pages/p2.html is missing"):
        read_website(tmp_path / "c1")


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "pages/../../x", "a//b", ""])
def test_file_name_that_climbs_is_refused(small_site, tmp_path, path):
    write_website(tmp_path / "c1", small_site)
    record = tmp_path / "c1" / "website.json"
    value = json.loads(record.read_text())
    value["pages"][0]["file"] = path
    record.write_text(json.dumps(value))
    with pytest.raises(InputError, match=r"website c1: pages\.0\.file"):
        read_website(tmp_path / "c1")


@pytest.mark.parametrize("path", ["/../x", "//host.test/x", "x", "/a/./b", "/a b", "/%2e%2e/x"])
def test_url_path_that_climbs_or_leaves_is_refused(small_site, tmp_path, path):
    write_website(tmp_path / "c1", small_site)
    record = tmp_path / "c1" / "website.json"
    value = json.loads(record.read_text())
    value["transitions"][0]["path"] = path
    record.write_text(json.dumps(value))
    with pytest.raises(InputError, match=r"website c1: transitions\.0\.path"):
        read_website(tmp_path / "c1")


def _with_transition(site, number, **changes):
    transitions = list(site.website.transitions)
    transitions[number] = transitions[number].but(**changes)
    return LoadedWebsite(site.website.but(transitions=tuple(transitions)), site.files)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"next": Redirect(path="/gone")}, r"transitions\.0 \(GET /\)\.next: /gone leads nowhere"),
        ({"next": Show(page="p9")}, r"transitions\.0 \(GET /\)\.next: no page p9"),
        ({"when": {"ghost": ("no",)}}, r"transitions\.0 \(GET /\)\.when: no state variable ghost"),
        ({"when": {"joined": ("yes",)}}, r"transitions: .* stands twice"),
        ({"path": "/a/s.css"}, r"an asset stands at the same path"),
    ],
)
def test_open_ends_name_site_and_field(small_site, changes, message):
    with pytest.raises(InputError, match="website c1: .*" + message):
        check_website(_with_transition(small_site, 0, **changes), "c1")


def test_duplicate_page_id_is_named(small_site):
    pages = (*small_site.website.pages, small_site.website.pages[0])
    doubled = LoadedWebsite(small_site.website.but(pages=pages), small_site.files)
    with pytest.raises(InputError, match="website c1: pages: p1 stands twice"):
        check_website(doubled, "c1")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"language": "en"}'])
def test_broken_record_is_one_line_that_names_the_site(tmp_path, content):
    (tmp_path / "c1").mkdir()
    (tmp_path / "c1" / "website.json").write_bytes(content)
    with pytest.raises(InputError, match=r"^website c1: [^\n]*$"):
        read_website(tmp_path / "c1")
