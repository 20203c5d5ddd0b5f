"""What tests need that stop services and look after their stores."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

from client import Caller, Connection, NoAnswer
from system import System, eventually
from town import SERVICES, Town
from watching import Watcher
from world import World, unique

# What a restore brings back; the logs and all revisions of check-ins stand elsewhere afterwards.
STATE = ("ListProfiles", "ListLocations", "GetCounts", "GetBoard", "ListPeople", "ListHistory")


class Load(threading.Thread):
    """Somebody who makes people and moves them about, on a connection of its own."""

    def __init__(self, system: System, place: bytes) -> None:
        super().__init__(daemon=True)
        self.world = World(Connection(system.rpc("gateway")))
        self.places = [place, self.world.place()]
        self.people = self.world.people(40)
        self.moves = 0
        self.failure: BaseException | None = None
        self._ends = threading.Event()
        self._chance = random.Random(1)
        self.start()

    def run(self) -> None:
        try:
            while not self._ends.is_set():
                person = self._chance.choice(self.people)
                place = self._chance.choice(self.places)
                self.world.admin.done("CheckIn", profile_id=person, location_id=place)
                self.moves += 1
                if self.moves % 20 == 0:
                    self.people += self.world.people(3)
        except BaseException as failure:  # Told to the test by end().
            self.failure = failure

    def end(self) -> None:
        self._ends.set()
        self.join()
        self.world.connection.close()
        if self.failure is not None:
            raise self.failure


def state(town: Town) -> dict[str, Any]:
    """What a restore brings back."""
    return {name: body for name, body in town.state().items() if name.startswith(STATE)}


def stop_services(town: Town) -> None:
    for program in town.system.services:
        assert program.stop() == 0


def counts_equal_lists(system: System) -> dict[bytes, int]:
    """E2, at the gateway and at the service, once the one has followed the other; the counts."""
    deadline = time.monotonic() + 15
    while True:
        try:
            return compared_counts(system)
        except AssertionError:
            if time.monotonic() > deadline:
                raise


def compared_counts(system: System) -> dict[bytes, int]:
    admin = system.caller(user=unique("admin-"))
    service = system.caller("check-ins", unique("admin-"))
    counts = {place.location_id: place.count for place in admin.done("GetCounts").counts}
    for place, count in counts.items():
        here = [p for page in admin.pages("ListPeopleHere", location_id=place, page_size=1000)
                for p in page.people]  # fmt: skip
        there = [s for page in service.pages("ListCheckedIn", location_id=place, page_size=1000)
                 for s in page.statuses]  # fmt: skip
        assert count == len(here) == len(there)
        assert [p.profile_id for p in here] == [s.profile_id for s in there]
        assert not any(person.profile_unavailable for person in here)
    return counts


def last_revisions(system: System) -> dict[str, int]:
    return {name: system.caller(name).done("ListChanges").last_revision for name in SERVICES}


def ends_right(watcher: Watcher, caller: Caller) -> None:
    """G3: it comes to what a fresh read sees; names may come later than people."""

    def is_right() -> bool:
        try:
            watcher.settle(caller)
        except AssertionError:
            try:
                watcher.read(0.2)
            except NoAnswer:
                pass
            return False
        return True

    eventually("the watcher's list is what a fresh read sees", is_right)
