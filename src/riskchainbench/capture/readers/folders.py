"""Reads pages from files: one page alone, a page saved with its folder, a mirrored tree."""

from __future__ import annotations

import mimetypes
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from riskchainbench.capture.content import decoded
from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.readers.mhtml import PLACEHOLDER
from riskchainbench.capture.urls import absolute, canonical

SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d{1,6}\)(\S{1,2000}?)\s*-->", re.I)
SINGLE_FILE = re.compile(rb"<!--\s*Page saved with SingleFile\s+url:\s*(\S{1,2000})", re.I)
PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp")
_HOST = re.compile(r"^(?:[a-z0-9_-]+\.)+[a-z0-9-]+(?::\d+|\+\d+)?$|^localhost(?::\d+)?$", re.I)
_SAFE = "!$&'()*+,-./:;=@_~"


def read_single(path: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield one page with everything inside it, as SingleFile writes it."""
    body = _read(path, intake)
    if body is None:
        return
    found = SINGLE_FILE.search(body[:4096]) or SAVED_FROM.search(body[:4096])
    url = canonical(found[1].decode("utf-8", "replace")) if found else None
    intake.start = url or PLACEHOLDER
    yield Exchange(intake.start, headers=(("content-type", "text/html"),), body=body)


def read_saved(path: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield a page that a browser saved complete, and the files of the folder beside it."""
    body = _read(path, intake)
    if body is None:
        return
    found = SAVED_FROM.search(body[:4096])
    url = canonical(found[1].decode("utf-8", "replace")) if found else None
    intake.start = url or PLACEHOLDER + quote(os.fsencode(path.name), safe=_SAFE)
    yield Exchange(intake.start, headers=(("content-type", "text/html"),), body=body)
    for folder in saved_folders(path):
        for file in _files(folder, intake):
            name = file.relative_to(path.parent).as_posix()
            at = absolute(intake.start, "./" + quote(os.fsencode(name), safe=_SAFE))
            if at is not None:
                yield from _exchange(file, at[0], intake)


def saved_folders(path: Path) -> list[Path]:
    """Return the folders that browsers put a saved page's files in."""
    names = (
        f"{path.stem}_files",
        f"{path.stem}.files",
        f"{path.stem}-Dateien",
        f"{path.stem}_data",
    )
    return [path.parent / name for name in names if (path.parent / name).is_dir()]


def read_mirror(folder: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield the files of a mirrored tree, one folder a host, under every URL they stand for."""
    hosts = [d for d in sorted(folder.iterdir()) if d.is_dir() and _HOST.match(d.name)]
    trees = [(d, f"http://{d.name.replace('+', ':')}/") for d in hosts]
    if not trees:
        origin = f"http://{folder.name}/" if _HOST.match(folder.name) else PLACEHOLDER
        trees = [(folder, origin)]
    for tree, origin in trees:
        for file in _files(tree, intake):
            name = file.relative_to(tree).as_posix()
            urls = _urls(origin, name)
            if not urls:
                continue
            if intake.start is None and urls[0].endswith("/"):
                intake.start = urls[0]
            yield from _exchange(file, urls[0], intake)
            for alias in urls[1:]:
                yield Exchange(alias, status=302, headers=(("location", urls[0]),))


def _urls(origin: str, name: str) -> list[str]:
    """Return the URLs of a file, its own first, then those that lead to it.

    They are its name, its name without what the mirror added, and the folder it is the index of.
    """
    plain = canonical(origin + quote(os.fsencode(name), safe=_SAFE))
    urls = [plain] if plain else []
    shown = re.sub(r"\.gz$", "", name)
    bare = re.sub(r"(?<=.)\.html?$", "", shown, flags=re.I)
    if "?" in shown or "@" in shown:
        mark = "?" if "?" in shown else "@"
        for each in dict.fromkeys((shown, bare)):
            path, _, query = each.partition(mark)
            found = canonical(f"{origin}{quote(os.fsencode(path), safe=_SAFE)}?{query}")
            urls += [found] if found else []
    elif bare != name:
        found = canonical(origin + quote(os.fsencode(bare), safe=_SAFE))
        urls += [found] if found else []
    last = name.rsplit("/", 1)[-1]
    if last.lower() in ("index.html", "index.htm"):
        found = canonical(origin + quote(os.fsencode(name.removesuffix(last)), safe=_SAFE))
        urls = [found, *urls] if found else urls
    return list(dict.fromkeys(urls))


def _files(folder: Path, intake: Intake) -> Iterator[Path]:
    """Yield the regular files below `folder` in a fixed order; links that leave it are noted."""
    root = folder.resolve()
    for place, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.is_symlink() and not path.resolve().is_relative_to(root):
                intake.note("a link that leads out of the capture was left out")
                continue
            if path.is_file():
                yield path


def _exchange(path: Path, url: str, intake: Intake) -> Iterator[Exchange]:
    body = _read(path, intake)
    if body is None:
        return
    name = path.name
    if name.endswith(".gz") and re.search(r"\.(?:html?|css|js|json|svg|xml|txt)\.gz$", name):
        body, _ = decoded(body, "gzip", intake.limits.resource, intake.inflate)
        name = name.removesuffix(".gz")
    kind, _ = mimetypes.guess_type(name.split("?")[0] if "?" in name else name)
    if _is_page(name) or (kind is None and b"<html" in body[:2048].lower()):
        kind = "text/html"
    headers = (("content-type", kind),) if kind else ()
    yield Exchange(url, headers=headers, body=body)


def _is_page(name: str) -> bool:
    return name.lower().endswith(PAGE_ENDINGS)


def _read(path: Path, intake: Intake) -> bytes | None:
    if path.stat().st_size > intake.limits.resource * 2:
        intake.note(f"{path.name[-60:]}: larger than is kept")
        return None
    return path.read_bytes()
