"""How others fare while somebody is at an abuse: an honest caller's latency, and the memory of each
process, before, meanwhile and afterwards."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field

from abuse import ABUSES, HONEST_ID, Abuse, Abuser, Target
from client import Caller, Connection
from keyed import KeyedSystem
from system import eventually
from world import World

# What a process may keep, to use it again.
SLACK_KIB = 48 * 1024


@dataclass
class Span:
    """What was measured for some time."""

    latencies_ms: list[float] = field(default_factory=list)
    # The most that each process had.
    resident_kib: dict[str, int] = field(default_factory=dict)

    def percentile(self, part: float) -> float:
        ordered = sorted(self.latencies_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


class Honest:
    """Somebody with a key who checks in here and there, one call at a time."""

    def __init__(self, system: KeyedSystem) -> None:
        self.system = system
        world = World(system.connection())
        self.places = [world.place(), world.place()]
        self.caller = Caller(
            Connection(system.tcp("gateway"), keys=system.keys("ada"), routing_id=HONEST_ID)
        )
        self.caller.call("CreateProfile", profile={"first_name": "Ada"})
        self.calls = 0

    def __enter__(self) -> Honest:
        return self

    def __exit__(self, *_: object) -> None:
        self.caller.connection.close()

    def call(self) -> float:
        """A check-in; how long it took, in milliseconds."""
        self.calls += 1
        began = time.monotonic()
        self.caller.succeeded("CheckIn", location_id=self.places[self.calls % 2])
        return (time.monotonic() - began) * 1000

    def go_on(self, seconds: float) -> Span:
        """Calls for some time, as fast as an app would."""
        span, end = Span(), time.monotonic() + seconds
        while time.monotonic() < end:
            span.latencies_ms.append(self.call())
            for program in self.system.programs:
                most = span.resident_kib.get(program.name, 0)
                span.resident_kib[program.name] = max(most, program.resident_kib())
            threading.Event().wait(0.003)
        return span


@dataclass(frozen=True)
class Trial:
    """One abuse, and what was measured of it."""

    before: Span
    during: Span
    after: Span
    seconds_to_memory: float

    @property
    def grown_mib(self) -> float:
        """By how much the process grew most that did."""
        before = self.before.resident_kib
        return max(kib - before[name] for name, kib in self.during.resident_kib.items()) / 1024


def prepare(descriptors: int = 0) -> KeyedSystem:
    """A system that lets Ada and Mallory in; its gateway may have so many descriptors."""
    system = KeyedSystem()
    if descriptors:
        system.gateway.run_by("prlimit", f"--nofile={descriptors}:{descriptors}")
    system.allow(system.line("ada", "user"), system.line("mallory", "admin"))
    system.start()
    return system


def run(system: KeyedSystem, abuse: Abuse, seconds: float) -> Trial:
    """Has somebody at it for so many seconds. Fails where a process has died, or memory does not
    come back."""
    pids = [program.pid for program in system.programs]
    with Honest(system) as honest:
        before = honest.go_on(seconds / 2)
        with Abuser(abuse, Target.of(system)):
            during = honest.go_on(seconds)
        ended = time.monotonic()
        most_kib = {name: kib + SLACK_KIB for name, kib in before.resident_kib.items()}
        eventually("memory comes back", lambda: not above(system, most_kib), 30)
        seconds_to_memory = time.monotonic() - ended
        after = honest.go_on(seconds / 2)
    system.check_running()
    assert [program.pid for program in system.programs] == pids
    return Trial(before, during, after, seconds_to_memory)


def above(system: KeyedSystem, most_kib: dict[str, int]) -> str:
    """The processes that have more memory than they may, and how much."""
    now = {program.name: program.resident_kib() for program in system.programs}
    return ", ".join(f"{name} has {now[name]} KiB" for name in now if now[name] > most_kib[name])


def row(name: str, trial: Trial) -> str:
    """A line of the README's table: each cell before, during, after."""
    spans = (trial.before, trial.during, trial.after)
    cells = [
        ", ".join(str(round(span.resident_kib[process] / 1024)) for span in spans)
        for process in trial.before.resident_kib
    ]
    cells += [
        ", ".join(f"{span.percentile(part):.1f}" for span in spans) for part in (0.5, 0.99)
    ]
    return f"| {name} | {' | '.join(cells)} |"


def main(seconds: float) -> None:
    """Tries everything on systems of their own, and prints the table."""
    print("| Abuse | profiles | locations | check-ins | gateway | p50 | p99 |")
    print("|---|---|---|---|---|---|---|")
    for name, abuse in ABUSES.items():
        system = prepare(abuse.descriptors)
        try:
            print(row(name, run(system, abuse, seconds)), flush=True)
        finally:
            system.close()


if __name__ == "__main__":
    main(float(sys.argv[1]))
