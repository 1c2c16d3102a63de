"""A gallery: the first screen of every website of a bundle, as a person would see it."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from pathlib import Path

from riskchainbench.browser.pool import EnvHandle, EnvironmentFailureError, Pool
from riskchainbench.browser.settings import Visit
from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.record import Record
from riskchainbench.core.store import write_atomic
from riskchainbench.core.units import run_all, tried
from riskchainbench.investigation.visits import Visits
from riskchainbench.pipeline.check import evenly_spaced
from riskchainbench.pipeline.investigating import browser_settings, browsing

INDEX = "index.html"
Update = Callable[[int, int], None]

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Gallery</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{margin:24px;font:15px/1.5 system-ui,sans-serif;background:#f4f5f7;color:#1c2430}}
main{{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:18px}}
figure{{margin:0;background:#fff;border:1px solid #d8dce3;padding:8px}}
img{{width:100%;height:220px;object-fit:cover;object-position:top}}</style></head>
<body><h1>{count} websites</h1><main>
{figures}
</main></body></html>
"""


class GalleryResult(Record):
    """What was pictured; `failed` says of each other website why it was not."""

    websites: int
    failed: tuple[str, ...]


def gallery(
    folder: Path, out: Path, *, sample: int | None, workers: int, tell: Update
) -> GalleryResult:
    """Picture every website of the bundle in `folder` and write pictures and index to `out`.

    Pictures that stand there already are not taken again.

    Raises:
        InputError: there is no bundle, or no browser.
        StorageError: the disk is full; what was pictured is kept.
    """
    bundle = open_bundle(folder)
    cases = evenly_spaced(sorted(bundle.investigation_tasks), sample)
    failed = asyncio.run(_picture_all(bundle, cases, out, workers, tell))
    write_atomic(out / INDEX, _index(bundle, cases, out).encode("utf-8"))
    return GalleryResult(websites=len(cases), failed=tuple(sorted(failed)))


async def _picture_all(
    bundle: Bundle, cases: list[str], out: Path, workers: int, tell: Update
) -> list[str]:
    failed: list[str] = []
    done = [case for case in cases if _picture(out, case).exists()]
    async with browsing(bundle, browser_settings(), workers) as (pool, visits):

        async def work(case_id: str) -> None:
            png = await tried(lambda: _pictured(bundle, case_id, pool, visits))
            if isinstance(png, Failure):
                failed.append(f"{case_id}: not pictured: {png.failure_class}: {png.detail}")
            else:
                write_atomic(_picture(out, case_id), png)
            done.append(case_id)
            tell(len(done), len(cases))

        todo = [case for case in cases if case not in set(done)]
        await run_all(todo, work, concurrency=workers)
    return failed


async def _pictured(bundle: Bundle, case_id: str, pool: Pool, visits: Visits) -> bytes | Failure:
    visit = visits.open(bundle.investigation_tasks[case_id])
    try:
        async with pool.lease() as env:
            return await _opened(env, visit)
    finally:
        visits.close(visit)


async def _opened(env: EnvHandle, visit: Visit) -> bytes | Failure:
    try:
        _, png = await env.open(visit)
    except EnvironmentFailureError as error:
        return error.failure
    if png is None:
        return Failure(
            failure_class=FailureClass.NO_FIRST_OBSERVATION,
            stage=Stage.INVESTIGATION,
            detail="the page could not be drawn",
        )
    return png


def _picture(out: Path, case_id: str) -> Path:
    return out / f"{case_id}.png"


def _index(bundle: Bundle, cases: list[str], out: Path) -> str:
    figures = []
    for case_id in cases:
        if not _picture(out, case_id).exists():
            continue
        website = bundle.website(case_id).website
        about = f"{case_id} · {website.language} · {website.viewport.width} px"
        figures.append(
            f'<figure><a href="{case_id}.png"><img src="{case_id}.png" alt="" loading="lazy"></a>'
            f"<figcaption>{html.escape(about)}</figcaption></figure>"
        )
    return _PAGE.format(count=len(figures), figures="\n".join(figures))
