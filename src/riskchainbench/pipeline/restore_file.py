"""Task 1 on a file of inputs made elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from riskchainbench import __version__
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage
from riskchainbench.core.restoration import Prediction
from riskchainbench.core.stage import RunManifest, open_run
from riskchainbench.core.store import read_jsonl, write_atomic
from riskchainbench.models.registry import is_model, make_system, require_known
from riskchainbench.pipeline.asking import require_model, run_budget, system_caller
from riskchainbench.pipeline.options import Options
from riskchainbench.restoration.published import published_bytes, read_published
from riskchainbench.restoration.run import PREDICTIONS, restore

Update = Callable[[int, int], None]


def restore_file(source: Path, out: Path, name: str, options: Options, update: Update) -> int:
    """Restore every task of `source` and write the published predictions to `out`.

    The run is kept beside `out` as ``OUT.run``, so that a stopped one goes on. Returns the
    number of tasks.

    Raises:
        InputError: a line of `source` is no task, `name` names no system that can restore
            without gold, or options of a model were given to one that is none.
        DriftError: ``OUT.run`` was begun with another file, system or setting.
    """
    require_known(name)
    if name == "oracle":
        raise InputError("oracle: knows the answers of a bundle only; name another system")
    require_model(name, options.asking)
    tasks, identity = read_published(source)
    run = out.with_name(f"{out.name}.run")
    caller = None
    if is_model(name):
        caller = system_caller(run, name, options.asking, run_budget(run, options.asking))
    system = make_system(name, seed=options.system_seed, caller=caller)
    manifest = RunManifest(
        system=system.name,
        system_settings=dict(system.settings),
        tasks_sha256=identity,
        version=__version__,
    )
    open_run(run, manifest)
    asyncio.run(
        restore(
            tasks,
            identity,
            run,
            system,
            language=options.language,
            repairs=options.repairs,
            progress=update,
        )
    )
    predictions = read_jsonl(run / Stage.RESTORATION / PREDICTIONS, Prediction)
    lines = published_bytes(tasks, predictions, system=system.name, run_id=identity[:12])
    write_atomic(out, lines)
    return len(tasks)
