"""Kills processes under load, at moments that a seed decides, and looks for what was lost.

MUSTER_CRASHES kills in all (20), ten to a round; MUSTER_SEED makes a run again.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator

import pytest
from checks import check_everything
from load import Worker
from system import Program, System, eventually

KILLS_A_ROUND = 10
ROUNDS = -(-int(os.environ.get("MUSTER_CRASHES", "20")) // KILLS_A_ROUND)
SEED = int(os.environ.get("MUSTER_SEED") or random.SystemRandom().randrange(2**32))
WORKERS = 6


class Siege:
    """A running system under load, and whoever kills its processes."""

    def __init__(self) -> None:
        self.system = System()
        self.system.start()
        self.chance = random.Random(SEED)
        self.workers = [Worker(self.system, f"w{n}", SEED + n) for n in range(WORKERS)]
        for worker in self.workers:
            worker.start()

    def kill_some(self, count: int) -> None:
        """Kills processes, each of them about as often, sometimes two at once, and starts them
        again; sometimes the next one dies before all has come back."""
        targets: list[Program] = []
        while len(targets) < count:
            targets += self.chance.sample(self.system.programs[:4], 4)
        del targets[count:]
        while targets:
            self._let_pass(self.chance.uniform(0, 0.4))
            together = min(self.chance.choice((1, 1, 1, 2)), len(targets))
            dying = {targets.pop() for _ in range(together)}
            for program in dying:
                program.kill()
            self._let_pass(self.chance.choice((0, 0, 0.3)))
            for program in sorted(dying, key=lambda program: program.name):
                program.start()
            if self.chance.random() < 0.7:
                self.system.wait_until_serving()

    def _let_pass(self, seconds: float) -> None:
        """The load goes on meanwhile; the moment is chance's, not a condition's."""
        threading.Event().wait(seconds)

    def close(self) -> None:
        for program in self.system.programs[:4]:
            if not program.runs:
                program.start()
        for worker in self.workers:
            worker.end()
        self.system.close()


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    print(f"seed {SEED}")
    siege = Siege()
    try:
        yield siege
    finally:
        siege.close()


@pytest.mark.parametrize("number", range(ROUNDS))
def test_nothing_acknowledged_is_lost(siege: Siege, number: int) -> None:
    before = sum(worker.known.answers for worker in siege.workers)
    for worker in siege.workers:
        worker.go()
    eventually("every worker has people and places", lambda: all(
        worker.failure or len(worker.known.places) >= 4 for worker in siege.workers), 60)
    siege.kill_some(KILLS_A_ROUND)
    siege.system.wait_until_serving()
    for worker in siege.workers:
        worker.rest()
    known = [worker.known for worker in siege.workers]
    assert sum(each.answers for each in known) > before + KILLS_A_ROUND, "there was no load"
    siege.system.check_running()
    check_everything(siege.system, known)
