"""How many message variants the rules restorer restores in a second on one core.

Run as `python benchmarks/restorer.py [COUNT]`. The messages are made here, all different,
since the restorer remembers stretches of text that it has read before.
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


def made_tasks(count: int) -> list[RestorationTask]:
    words = sorted(lexicon().everyday)
    chance = stream(7, "benchmarks", "restorer")
    tasks = []
    for number in range(count):
        picked = [chance.choice(words) for _ in range(24)]
        for place in range(0, 24, 5):
            picked[place] += "[微笑]"
        content = "".join(picked[:12]) + chance.choice(_ENTRY) + "".join(picked[12:])
        tasks.append(
            RestorationTask(
                sample_id=str(number),
                platform="bilibili",
                surface=Surface.COMMENT,
                messages=(Message(message_id="m1", content=content),),
            )
        )
    return tasks


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    restorer = RulesRestorer()
    begun = time.process_time()
    tasks = made_tasks(count + 1)
    restorer.restore(tasks[0])
    warmed = time.process_time()
    for task in tasks[1:]:
        restorer.restore(task)
    seconds = time.process_time() - warmed
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"first message after {warmed - begun:.2f} s")
    print(
        f"{count} messages in {seconds:.2f} s: {count / seconds:.0f} a second; peak {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
