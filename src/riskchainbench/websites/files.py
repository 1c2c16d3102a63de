"""Websites in folders: read with every reference checked, written byte for byte the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.core.store import validate, write_atomic, write_json
from riskchainbench.websites.records import (
    Download,
    LoadedWebsite,
    Method,
    Redirect,
    Show,
    Transition,
    Website,
)

RECORD_FILE = "website.json"


def file_names(website: Website) -> tuple[str, ...]:
    """Return the names of all files that the record refers to, sorted, each once."""
    names = {page.file for page in website.pages} | {asset.file for asset in website.assets}
    names |= {t.next.file for t in website.transitions if isinstance(t.next, Download)}
    return tuple(sorted(names))


def read_website(folder: Path) -> LoadedWebsite:
    """Read the website in `folder`; files that its record does not name are ignored.

    Raises:
        InputError: a file is missing or a reference leads nowhere; the message names the
            website (its folder) and the field.
    """
    record = folder / RECORD_FILE
    try:
        value = json.loads(record.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(f"website {folder.name}: {RECORD_FILE} cannot be read") from error
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError(f"website {folder.name}: {RECORD_FILE} is no JSON ({error})") from error
    website = validate(Website, value, f"website {folder.name}")
    files: dict[str, bytes] = {}
    for name in file_names(website):
        try:
            files[name] = (folder / name).read_bytes()
        except OSError as error:
            raise InputError(f"website {folder.name}: file {name} is missing") from error
    loaded = LoadedWebsite(website, files)
    check_website(loaded, folder.name)
    return loaded


def write_website(folder: Path, loaded: LoadedWebsite) -> None:
    """Write a website into `folder`, its record last.

    Raises:
        StorageError: the disk is full or the folder cannot be written.
    """
    for name in file_names(loaded.website):
        write_atomic(folder / name, loaded.files[name])
    write_json(folder / RECORD_FILE, loaded.website)


def check_website(loaded: LoadedWebsite, where: str) -> None:
    """Check that every reference inside the website is closed.

    Raises:
        InputError: naming the website `where`, the field, and what is wrong with it.
    """
    for problem in _problems(loaded):
        raise InputError(f"website {where}: {problem}")


def _problems(loaded: LoadedWebsite) -> Iterator[str]:
    website = loaded.website
    yield from _duplicates("pages", (page.page_id for page in website.pages))
    yield from _duplicates("assets", (asset.path for asset in website.assets))
    yield from _duplicates("fields", (entry.field for entry in website.fields))
    yield from _duplicates("transitions", (_key(t) for t in website.transitions))
    for name in file_names(website):
        if name not in loaded.files:
            yield f"files: {name} is missing"
    routes = {t.path for t in website.transitions if t.method is Method.GET}
    if website.start_path not in routes:
        yield f"start_path: no GET transition leads to {website.start_path}"
    for page in website.pages:
        for slot in page.slots:
            if slot not in website.state:
                yield f"pages.{page.page_id}.slots: no state variable {slot}"
        if page.redirect is not None and page.redirect.path not in routes:
            yield f"pages.{page.page_id}.redirect: {page.redirect.path} leads nowhere"
    for number, transition in enumerate(website.transitions):
        place = f"transitions.{number} ({transition.method} {transition.path})"
        yield from (f"{place}.{problem}" for problem in _open_ends(loaded, transition, routes))


def _key(transition: Transition) -> str:
    form = {name: test.model_dump() for name, test in sorted(transition.form.items())}
    return f"{transition.method} {transition.path} {sorted(transition.when.items())} {form}"


def _duplicates(place: str, names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{place}: {name} stands twice"
        seen.add(name)


def _open_ends(loaded: LoadedWebsite, transition: Transition, routes: set[str]) -> Iterator[str]:
    state = loaded.website.state
    for name in transition.when:
        if name not in state:
            yield f"when: no state variable {name}"
    for effect in transition.effects:
        if effect.variable not in state:
            yield f"effects: no state variable {effect.variable}"
    match transition.next:
        case Show(page=page) if page not in loaded.pages:
            yield f"next: no page {page}"
        case Redirect(path=path) if path not in routes:
            yield f"next: {path} leads nowhere"
        case _:
            pass
    if transition.path in loaded.assets:
        yield "path: an asset stands at the same path"
