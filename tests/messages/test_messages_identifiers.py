from __future__ import annotations

import base64

import pytest

from riskchainbench.messages.identifiers import (
    IdentifierForm,
    IdentifierKind,
    find_live_identifiers,
)

ADDRESS = b"see http://abc.com/ now"
PLAIN, DEFANGED, ENCODED = IdentifierForm


@pytest.mark.parametrize(
    ("text", "kind", "form", "found"),
    [
        ("打开abc.com看", "domain", PLAIN, "abc.com"),
        ("www.abc.info", "domain", PLAIN, "www.abc.info"),
        ("www.abc.me看", "domain", PLAIN, "www.abc.me"),
        ("http://10.1.2.3:80/", "domain", PLAIN, "10.1.2.3"),
        ("ａｂｃ．ｃｏｍ", "domain", PLAIN, "abc.com"),
        ("abc[.]com", "domain", DEFANGED, "abc.com"),
        ("abc。cn", "domain", DEFANGED, "abc.cn"),
        ("abc点com", "domain", DEFANGED, "abc.com"),
        ("hxxps://a.b/1", "domain", DEFANGED, "a.b"),
        ("%61%62%63%2e%63%6f%6d", "domain", ENCODED, "abc.com"),
        ("abc&#46;com", "domain", ENCODED, "abc.com"),
        ("\\u0061bc\\x2ecom", "domain", ENCODED, "abc.com"),
        (base64.b64encode(ADDRESS).decode(), "domain", ENCODED, "abc.com"),
        (base64.b32encode(ADDRESS).decode(), "domain", ENCODED, "abc.com"),
        (ADDRESS.hex(), "domain", ENCODED, "abc.com"),
        ("写me@host.cn收", "email", PLAIN, "me@host.cn"),
        ("me[at]host[.]cn", "email", DEFANGED, "me@host.cn"),
        ("拨13800001234吧", "phone", PLAIN, "13800001234"),
        ("138 0000 1234", "phone", PLAIN, "138 0000 1234"),
        ("400-000-1234", "phone", PLAIN, "400-000-1234"),
        ("+44 20 7946 0000", "phone", PLAIN, "+44 20 7946 0000"),
        ("加QQ群：1234567", "account", PLAIN, "QQ群:1234567"),
        ("微信号：abcdef1，", "account", PLAIN, "微信号:abcdef1"),
        ("看t.me/abc啊", "account", PLAIN, "t.me/abc"),
        ("0x" + "a1" * 20, "account", PLAIN, "0x" + "a1" * 20),
        ("卡4111 1111 1111 1111转", "card", PLAIN, "4111 1111 1111 1111"),
        ("11010519491231002X", "card", PLAIN, "11010519491231002X"),
        ("sk-" + "a1B2" * 6, "credential", PLAIN, "sk-" + "a1B2" * 6),
        ("-----BEGIN RSA PRIVATE KEY-----", "credential", PLAIN, "-----BEGIN RSA PRIVATE KEY-----"),
    ],
)
def test_live_identifiers_are_found(text: str, kind: str, form: IdentifierForm, found: str) -> None:
    triples = [(f.kind, f.form, f.text) for f in find_live_identifiers(text)]
    assert (IdentifierKind(kind), form, found) in triples


@pytest.mark.parametrize(
    "text",
    [
        "",
        "看ka0w8x.m2.test吧",
        "加微信 ka0w8x.m2.test",
        "http://ka.bc.test:80/x?y=1#z",
        "http://127.0.0.1:8000/ http://localhost/ http://192.0.2.7/",
        "mail@shop.example",
        "<svg xmlns='http://www.w3.org/2000/svg'>",
        "window.top; style.info; this.name; a.id",
        "main.js index.html style.css",
        "kwww.q5.tes 和 www.q5.tes",
        "版本 1.2.3，下载app，vip可看",
        "1719999999999",
        "4111 1111 1111 1112",
        "110105194912310021",
        "pka001，pw.test p·w·test",
        base64.b64encode(b"http://ab.cd.test/x").decode(),
        "%61%62%2e%63%64%2e%74%65%73%74",
        "ab" * 32,
        "data:image/png;base64," + base64.b64encode(bytes(range(256))).decode(),
    ],
)
def test_what_leads_to_nobody_is_no_finding(text: str) -> None:
    assert find_live_identifiers(text) == []


def test_a_finding_stands_once_in_its_plainest_form() -> None:
    findings = find_live_identifiers("abc.com 和 abc[.]com 和 %61bc.com")
    assert [(f.form, f.start) for f in findings if f.text == "abc.com"] == [(PLAIN, 0)]


def test_a_long_text_takes_no_more_than_linear_time() -> None:
    assert find_live_identifiers("a.-@1" * 20_000 + " 0" * 20_000) == []
