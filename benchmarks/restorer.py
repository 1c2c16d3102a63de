"""How many message variants the rules restorer restores in a second on one core.

Run as `python benchmarks/restorer.py [COUNT]`; times are of the processor. The messages are made
here of random words. As in a bundle, six variants of a text follow one another, which matters:
the restorer remembers stretches that it has read. A second figure is for texts that share nothing.
"""

from __future__ import annotations

import resource
import sys
import time

from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.core.seeds import stream
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


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1800
    restorer = RulesRestorer()
    begun = time.process_time()
    restorer.restore(made_tasks(1, 1)[0])
    print(f"first message after {time.process_time() - begun:.2f} s")
    for variants in (6, 1):
        tasks = made_tasks(count, variants)
        begun = time.process_time()
        for task in tasks:
            restorer.restore(task)
        rate = count / (time.process_time() - begun)
        print(f"{rate:.0f} messages a second, {variants} variant(s) of a text")
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
