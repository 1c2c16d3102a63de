"""How many messages the rules restorer restores in a second on one core.

Run as `python benchmarks/restorer.py [COUNT]`; times are of the processor. The first figures are
for messages made here of random words. As in a bundle, six variants of a text follow one another,
which matters: the restorer remembers stretches that it has read. The second is for texts that
share nothing. The last is for the variants of a build, which hold one to three messages each, in
an order as mixed as a bundle's.
"""

from __future__ import annotations

import resource
import sys
import time

from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.core.seeds import derive, stream
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.sources import build_sources
from riskchainbench.models.restorer import RulesRestorer
from riskchainbench.models.restorer.lexicon import lexicon

_ENTRY = ("κa8ω，m3.test", "κ[笑哭]\na\n8\n\nm\n3\n.\nt\ne\ns\nt", "κa8\nm3点test", "ka8.m3.test")


def made_tasks(count: int, variants: int) -> list[RestorationTask]:
    words = sorted(lexicon().everyday)
    chance = stream(7, "benchmarks", "restorer", variants)
    tasks: list[RestorationTask] = []
    while len(tasks) < count:
        text = [chance.choice(words) for _ in range(20)]
        for _ in range(variants):
            picked = [word + chance.choice(("", "", "[微笑]")) for word in text]
            content = "".join(picked[:10]) + chance.choice(_ENTRY) + "".join(picked[10:])
            tasks.append(
                RestorationTask(
                    sample_id=str(len(tasks)),
                    platform="bilibili",
                    surface=Surface.COMMENT,
                    messages=(Message(message_id="m1", content=content),),
                )
            )
    return tasks[:count]


def built_tasks(count: int) -> list[RestorationTask]:
    sources = build_sources(derive(7, "sources"), -(-count // len(PAPER_RECIPES)))
    tasks = [
        RestorationTask(
            sample_id="m0",
            platform=session.source.platform,
            surface=session.source.surface,
            messages=variant.messages,
        )
        for session in build_sessions(derive(7, "v"), sources, PAPER_RECIPES)
        for variant in session.variants
    ][:count]
    stream(7, "benchmarks", "restorer", "order").shuffle(tasks)
    return tasks


def rate(restorer: RulesRestorer, tasks: list[RestorationTask]) -> float:
    begun = time.process_time()
    for task in tasks:
        restorer.restore(task)
    messages = sum(len(task.messages) for task in tasks)
    return messages / (time.process_time() - begun)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3600
    restorer = RulesRestorer()
    begun = time.process_time()
    restorer.restore(made_tasks(1, 1)[0])
    print(f"first message after {time.process_time() - begun:.2f} s")
    for variants in (6, 1):
        found = rate(restorer, made_tasks(count, variants))
        print(f"{found:.0f} messages a second, {variants} variant(s) of a text")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak {peak:.0f} MB")
    print(f"{rate(restorer, built_tasks(count)):.0f} messages a second, those of a build")


if __name__ == "__main__":
    main()
