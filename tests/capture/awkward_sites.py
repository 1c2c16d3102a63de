"""Twelve small sites, each awkward in a way of its own, and captured in formats of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from awkward_site import png
from captures import ORIGIN, Sent, arc, har, mhtml, saved, wacz, warc, warc_zst

PLAIN = "text/html"
CSS = "text/css"
WORDS = "Read the news of the town with us and write to the people who make it, every day."
FORM = (
    "<form action=/join method=post><label>Mail <input name=mail type=email></label>"
    "<input name=n type=hidden value=7><button>Join</button></form>"
)


def page(title: str, body: str, head: str = "", language: str = "en") -> bytes:
    return (
        f"<!DOCTYPE html><html lang={language}><head><meta charset=utf-8><title>{title}</title>"
        f"{head}</head><body><h1>{title}</h1><p>{WORDS if language == 'en' else ''}</p>{body}"
    ).encode()


Write = Callable[[Path, Iterable[Sent]], Path]


def plain_warc(path: Path, answers: Iterable[Sent]) -> Path:
    return warc(path, answers, packed=False)


def learned_warc(path: Path, answers: Iterable[Sent]) -> Path:
    return warc_zst(path, answers, learned=True)


def saved_page(path: Path, answers: Iterable[Sent]) -> Path:
    path.mkdir()
    return saved(path, answers)


def single_page(path: Path, answers: Iterable[Sent]) -> Path:
    (only,) = answers
    path.write_bytes(
        f"<!--\n Page saved with SingleFile \n url: {ORIGIN}/ \n-->".encode() + only.body
    )
    return path


def mirror(path: Path, answers: Iterable[Sent]) -> Path:
    for answer in answers:
        target = path / "shop.test" / (answer.path.strip("/") or "index.html")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(answer.body)
    return path


def frames() -> list[Sent]:
    inner = "&lt;p style=color:red&gt;Inside &lt;a href=/b&gt;b&lt;/a&gt;"
    return [
        Sent("/", page("Frames", f"<iframe src=/f></iframe><iframe srcdoc='{inner}'></iframe>")),
        Sent("/f", b"<p>Framed <a href=/b target=_top>Out of the frame</a>"),
        Sent("/b", page("Out", "<a href='javascript:history.back()'>Back</a>")),
    ]


def two_stages() -> list[Sent]:
    login = "<form method=post action=/in><input name='u[n]'><input type=password name=p><button>Go"
    good, to_home = b"u%5Bn%5D=ann&p=good", (("Location", "/home"),)
    return [
        Sent("/", page("Door", login), second=1),
        Sent("/shop", page("Prices for guests", "<a href=/>Back</a>"), second=2),
        Sent("/in", b"<p>No <a href=/>Back", method="POST", sent=b"u%5Bn%5D=ann&p=no", second=3),
        Sent("/in", b"", "", 303, "POST", good, to_home, second=4),
        Sent("/home", page("Members", "<a href=/shop>Shop</a>"), second=5),
        Sent("/shop", page("Prices for members", "<a href=/home>Home</a>"), second=6),
    ]  # fmt: skip


def broken_styles() -> list[Sent]:
    style = b"@import 'b.css';a{b:url(x y)}p{c:'cut\n;color:#123}h1{background:url(a.png"
    around = b"@import url(s.css);.\\'{b:u\\72l(//else.invalid/x)}"
    return [
        Sent("/", page("Styles", "<p style='margin:1px;}x{'>One<p style='top:calc((1px'>Two" + FORM,
                       "<link rel=stylesheet href=s.css><style>h1{color:rgb(1,2,3)</style>")),
        Sent("/s.css", style, CSS),
        Sent("/b.css", around, CSS),
        Sent("/a.png", png(90), "image/png"),
    ]  # fmt: skip


def drawings() -> list[Sent]:
    drawn = (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><style>@import "//else.'
        b'invalid/a";rect{fill:#ccd}</style><rect width="90" height="30" onclick="f()"/>'
        b"<script>f()</script></svg>"
    )
    inline = (
        "<svg width=60 height=20><style>.k{fill:#345}</style><rect class=k width=60 height=20 />"
    )
    data = "<img src='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'>"
    return [
        Sent("/", page("Drawings", f"<img src=a.svg>{inline}</svg>{data}<a href=/b>More</a>")),
        Sent("/a.svg", drawn, "image/svg+xml"),
        Sent("/b", page("More drawings", FORM)),
    ]  # fmt: skip


def far_away() -> list[Sent]:
    away = [Sent(f"/r{n}", status=302, headers=(("Location", f"/r{n + 1}"),)) for n in range(30)]
    return [
        Sent("/", b"<title>t</title><meta http-equiv=refresh content='0; url=\"/start/\"'>"),
        Sent("/start/", page("Start", "<a href=b?x=1#part>B</a> <a href=/r0>Endless</a>" + FORM,
                             "<base href=/deep/er/>")),
        Sent("/deep/er/b?x=1", page("Deep", "<b id=part>Part</b><a href=//shop.test/start/>Up")),
        *away,
    ]  # fmt: skip


def search() -> list[Sent]:
    form = "<form action=/s><input name=q type=search><input type=hidden name=l value=en></form>"
    return [
        Sent("/", page("Search", form + "<a href='/s?q=red&amp;l=en'>Red</a>")),
        Sent("/s?q=red&l=en", page("Red things", "<p>Seven of them.")),
    ]


def telling() -> list[Sent]:
    told = "Call 13912345678 or write to ann@b-mail.org; card 4111 1111 1111 1111."
    return [
        Sent("/", page("shop.test | Help", f"<p title='{told}'>{told}<!-- {told} --><a href=b>")),
        Sent("/b", page("Map", f"<img alt='{told}' src=/a.png><audio src=/a.ogg></audio>")),
        Sent("/a.png", png(30), "image/png"),
        Sent("/a.ogg", b"OggS\0\2ann@b-mail.org", "audio/ogg"),
    ]  # fmt: skip


def lost() -> list[Sent]:
    links = "".join(f"<a href=/gone/{n}>{n}</a> " for n in range(40))
    return [
        Sent("/", page("Lost", links + "<table>" * 60 + "deep" + FORM, "<link rel=icon href=/i>"))
    ]


def in_pieces() -> list[Sent]:
    return [
        Sent("/", page("Pieces", "<img src='page_files/a b.png'><a href=page_files/b.html>" + FORM,
                       "<link rel=stylesheet href=page_files/s.css>")),
        Sent("/a b.png", png(60), "image/png"),
        Sent("/s.css", b"body{background:url('a b.png')}", CSS),
        Sent("/b.html", page("Second piece", "<a href=../page.html>Back</a>")),
    ]  # fmt: skip


def mirrored() -> list[Sent]:
    return [
        Sent("/", page("Mirror", "<a href='b.html?x=1.html'>A</a><a href='b.html?x=2.html'>B")),
        Sent("/b.html?x=1.html", page("One", "<a href=./>Home</a>")),
        Sent("/b.html?x=2.html", page("Two", FORM)),
    ]  # fmt: skip


def in_shift_jis() -> list[Sent]:
    text = "<meta charset=shift_jis><title>町</title><p>まちのニュースをよむ。<a href=/b>つぎ</a>"
    other = "<p>つぎのページのニュース。<a href=/>もどる</a>"
    return [
        Sent("/", text.encode("cp932"), PLAIN),
        Sent("/b", other.encode("cp932"), f"{PLAIN}; charset=Shift_JIS"),
    ]


def in_gb18030() -> list[Sent]:
    text = "<meta charset=gb2312><title>新闻</title><p>每天阅读新闻。<a href='/页?q=文'>下一页"
    other = "<p>第二页的新闻。<a href=/>返回</a>"
    return [
        Sent("/", text.encode("gb18030"), PLAIN),
        Sent("/%E9%A1%B5?q=%CE%C4", other.encode("gb18030"), f"{PLAIN}; charset=gbk"),
    ]


SITES: dict[str, tuple[Write, Callable[[], list[Sent]]]] = {
    "frames": (warc, frames),
    "two stages": (har, two_stages),
    "broken styles": (arc, broken_styles),
    "drawings": (wacz, drawings),
    "far away": (plain_warc, far_away),
    "search": (learned_warc, search),
    "telling": (mhtml, telling),
    "lost": (single_page, lost),
    "in pieces": (saved_page, in_pieces),
    "mirrored": (mirror, mirrored),
    "Japanese": (warc, in_shift_jis),
    "Chinese": (warc, in_gb18030),
}


def write_all(folder: Path) -> list[Path]:
    """Write a capture of each site and return where they are."""
    return [write(folder / name, pages()) for name, (write, pages) in SITES.items()]
