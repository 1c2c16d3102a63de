"""What the attributes of HTML refer to, and which are left out of every page."""

from __future__ import annotations

from riskchainbench.capture.references import Use

SOURCES = {
    ("img", "src"): Use.IMAGE, ("input", "src"): Use.IMAGE, ("video", "poster"): Use.IMAGE,
    ("image", "href"): Use.IMAGE, ("image", "xlink:href"): Use.IMAGE, ("use", "href"): Use.IMAGE,
    ("use", "xlink:href"): Use.IMAGE, ("feimage", "href"): Use.IMAGE,
    ("feimage", "xlink:href"): Use.IMAGE, ("body", "background"): Use.IMAGE,
    ("table", "background"): Use.IMAGE, ("tr", "background"): Use.IMAGE,
    ("td", "background"): Use.IMAGE, ("th", "background"): Use.IMAGE,
    ("video", "src"): Use.MEDIA, ("audio", "src"): Use.MEDIA, ("source", "src"): Use.MEDIA,
    ("track", "src"): Use.MEDIA, ("embed", "src"): Use.MEDIA, ("object", "data"): Use.MEDIA,
}  # fmt: skip
SETS = frozenset({("img", "srcset"), ("source", "srcset"), ("link", "imagesrcset")})
DROPPED = frozenset(
    {"integrity", "nonce", "crossorigin", "ping", "cite", "longdesc", "profile", "manifest",
     "referrerpolicy", "itemid", "itemtype", "itemscope", "itemprop", "typeof", "vocab", "about",
     "resource", "prefix", "accept-charset", "enctype", "formenctype", "bid", "codebase",
     "archive", "classid", "usemap-src", "fetchpriority", "attributionsrc", "dynsrc", "lowsrc"}
)  # fmt: skip
