"""Kills processes under load, at moments that a seed decides, and looks for what was lost.

MUSTER_CRASHES kills in all (20), ten to a round; MUSTER_SEED makes a run again.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator

import pytest
from client import Caller
from load import NOWHERE, Known, Worker
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
    reader = siege.system.caller(user="reader")
    check_people(reader, known)
    check_places(reader, known)
    check_counts(siege.system, reader, known)
    check_history(reader, known)
    for name in ("profiles", "locations", "check-ins"):
        check_log(siege.system.caller(name))


def check_people(reader: Caller, known: list[Known]) -> None:
    """B6, B7: everybody who was made is there once, as last edited; who was deleted is nowhere."""
    listed = [p for page in reader.pages("ListProfiles", page_size=1000) for p in page.profiles]
    bios = {person: bio for each in known for person, bio in each.bios.items()}
    assert len(listed) == len({profile.id for profile in listed})
    assert {profile.id: profile.bio for profile in listed} == bios
    for person in list(set.union(*(each.deleted_people for each in known)))[-20:]:
        reader.refused("PROFILE_NOT_FOUND", "GetProfile", id=person)
        reader.refused("PROFILE_NOT_FOUND", "GetStatus", profile_id=person)


def check_places(reader: Caller, known: list[Known]) -> None:
    """C10: the places are those that were made and not deleted."""
    pages = reader.pages("ListLocations", page_size=1000)
    listed = [result.location for page in pages for result in page.results]
    names = {place: name for each in known for place, name in each.places.items()}
    assert len(listed) == len(names)
    assert {location.id: location.name for location in listed} == names
    for place in list(set.union(*(each.deleted_places for each in known)))[-20:]:
        reader.refused("LOCATION_NOT_FOUND", "ListPeopleHere", location_id=place)


def check_counts(system: System, reader: Caller, known: list[Known]) -> None:
    """C2, E2: counts equal lists, at the gateway and at the service, and nobody is anywhere twice.
    """
    where = {person: place for each in known for person, place in each.where.items()}
    present = {person: place for person, place in where.items() if place != NOWHERE}
    service = system.caller("check-ins", "reader")
    total = reader.done("GetCounts").total
    assert total == len(present)
    seen: dict[bytes, bytes] = {}
    for place in (place for each in known for place in each.places):
        here = [p for page in reader.pages("ListPeopleHere", location_id=place, page_size=1000)
                for p in page.people]
        there = [s for page in service.pages("ListCheckedIn", location_id=place, page_size=1000)
                 for s in page.statuses]
        count = reader.done("GetCounts", location_ids=[place]).counts[0].count
        assert count == len(here) == len(there)
        assert [person.profile_id for person in here] == [status.profile_id for status in there]
        assert not any(person.profile_unavailable for person in here)
        for person in here:
            assert person.profile_id not in seen, "somebody is at two places"
            seen[person.profile_id] = place
    assert seen == present


def check_history(reader: Caller, known: list[Known]) -> None:
    """C7, C8: each acknowledged change is in the history once, in order, and nothing else is."""
    for each in known:
        for person, stays in each.history.items():
            changes = [c for page in reader.pages("ListHistory", profile_id=person, page_size=1000)
                       for c in page.changes]
            changes.reverse()
            told = [(c.from_location_id, c.to_location_id) for c in changes]
            assert told == [(stay.came_from, stay.went_to) for stay in stays]
            numbers = [c.revision for c in changes]
            assert all(a == b.revision or not b.revision for a, b in zip(numbers, stays))
            status = reader.done("GetStatus", profile_id=person).status
            assert status.location_id == each.where[person]
            assert status.revision == (numbers[-1] if numbers else 0)


def check_log(service: Caller) -> None:
    """The log has every number once, without a gap."""
    expected = 1
    while True:
        page = service.done("ListChanges", after_revision=expected - 1, limit=10_000)
        for change in page.changes:
            assert change.revision == expected
            expected += 1
        if expected > page.last_revision:
            return
        assert page.changes, "changes that the log counts are not told"
