"""Callers that never give up: what they were told is true, and they remember it.

Each worker alone writes to the people and places that it made, so it knows at every moment what
must be true of them, whatever is killed meanwhile. A call that was not answered, or not for
certain, is repeated with its idempotency key until it is.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from client import Caller, Connection, NoAnswer, Reply
from messages import pb


class Reachable(Protocol):
    """A system, by where its programs are."""

    def rpc(self, name: str) -> str: ...
    def caller(self, name: str = "gateway", user: str = "") -> Caller: ...


# Answers after which the same call with the same key is to be made again.
AGAIN = {pb.CODE_UNAVAILABLE, pb.CODE_RESOURCE_EXHAUSTED, pb.CODE_DEADLINE_EXCEEDED}
PATIENCE_S = 60
NOWHERE = b""


@dataclass
class Stay:
    """What the history must say of one change."""

    revision: int
    came_from: bytes
    went_to: bytes


@dataclass
class Known:
    """What a worker has been told for certain."""

    where: dict[bytes, bytes] = field(default_factory=dict)
    history: dict[bytes, list[Stay]] = field(default_factory=dict)
    bios: dict[bytes, str] = field(default_factory=dict)
    places: dict[bytes, str] = field(default_factory=dict)
    deleted_people: set[bytes] = field(default_factory=set)
    deleted_places: set[bytes] = field(default_factory=set)
    answers: int = 0
    repeats: int = 0


class Worker(threading.Thread):
    """One caller on a thread and a connection of its own."""

    def __init__(self, system: Reachable, name: str, seed: int) -> None:
        super().__init__(name=name, daemon=True)
        self.known = Known()
        self.failure: BaseException | None = None
        self._chance = random.Random(seed)
        self._system = system
        self._caller = Caller(Connection(system.rpc("gateway")), name)
        self._goes = threading.Event()
        self._rests = threading.Event()
        self._ends = threading.Event()
        self._counter = 0

    # Driven by the test.

    def go(self) -> None:
        self._rests.clear()
        self._goes.set()

    def rest(self) -> None:
        """Returns when the call under way has been answered, and no other is made."""
        self._goes.clear()
        rested = self._rests.wait(PATIENCE_S + 10)
        if self.failure is not None:
            raise self.failure
        assert rested, f"{self.name} has not come to rest"

    def end(self) -> None:
        self._ends.set()
        self._goes.set()
        self.join()
        self._caller.connection.close()

    def run(self) -> None:
        try:
            while not self._ends.is_set():
                if not self._goes.is_set():
                    self._rests.set()
                    self._goes.wait()
                    continue
                self._step()
        except BaseException as failure:  # Told to the test by rest().
            self.failure = failure
            self._rests.set()

    # What it does.

    def _insist(self, method: str, **fields: Any) -> Reply:
        """Calls until the outcome is certain; anything but success is a failure."""
        key = self._chance.randbytes(16)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            assert time.monotonic() < deadline, f"{method} had no certain answer in {PATIENCE_S} s"
            header = {"timeout_ms": 700, "idempotency_key": key}
            try:
                call = self._caller.start(method, header=header, **fields)
                reply = self._caller.connection.finish(call, 1)
            except NoAnswer:
                self._caller.connection.close()
                self._caller.connection = Connection(self._system.rpc("gateway"))
                self.known.repeats += 1
                continue
            if reply.code == pb.CODE_OK:
                self.known.answers += 1
                return reply
            assert reply.code in AGAIN, f"{method} {fields} with key {key.hex()}: {reply}"
            self.known.repeats += 1
            self._ends.wait(min(reply.header.status.retry_after_ms, 50) / 1000)

    def _step(self) -> None:
        people, places = list(self.known.where), list(self.known.places)
        if len(people) < 6:
            return self._create_person()
        if len(places) < 4:
            return self._create_place()
        what = self._chance.random()
        if what < 0.70:
            self._move(self._chance.choice(people), self._chance.choice(places))
        elif what < 0.85:
            self._move(self._chance.choice(people), NOWHERE)
        elif what < 0.93:
            self._edit(self._chance.choice(people))
        elif what < 0.97:
            self._delete_person(self._chance.choice(people))
        else:
            self._delete_place(self._chance.choice(places))

    def _unique(self) -> str:
        self._counter += 1
        return f"{self.name}-{self._counter}"

    def _create_person(self) -> None:
        user = self._unique()
        profile = {"user_id": user, "first_name": "Crash", "last_name": user}
        made = self._insist("CreateProfile", profile=profile).body.profile
        self.known.where[made.id] = NOWHERE
        self.known.history[made.id] = []
        self.known.bios[made.id] = ""

    def _create_place(self) -> None:
        name = self._unique()
        location = {"name": name, "external_id": name}
        made = self._insist("CreateLocation", location=location).body.location
        self.known.places[made.id] = name

    def _edit(self, person: bytes) -> None:
        bio = self._unique()
        self._insist("UpdateProfile", profile={"id": person, "bio": bio}, update_mask=["bio"])
        self.known.bios[person] = bio

    def _move(self, person: bytes, place: bytes) -> None:
        if place == NOWHERE:
            reply = self._insist("CheckOut", profile_id=person)
        else:
            reply = self._insist("CheckIn", profile_id=person, location_id=place)
        before, status = self.known.where[person], reply.body.status
        assert reply.body.previous_location_id == before, f"was elsewhere before: {reply}"
        assert status.location_id == place, f"is elsewhere now: {reply}"
        assert reply.body.changed == (before != place), f"changed is wrong: {reply}"
        if reply.body.changed:
            self.known.history[person].append(Stay(status.revision, before, place))
            self.known.where[person] = place

    def _delete_person(self, person: bytes) -> None:
        self._insist("DeleteProfile", id=person)
        for fact in (self.known.where, self.known.history, self.known.bios):
            del fact[person]
        self.known.deleted_people.add(person)

    def _delete_place(self, place: bytes) -> None:
        reply = self._insist("DeleteLocation", id=place, check_out_everyone=True)
        there = [person for person, where in self.known.where.items() if where == place]
        assert reply.body.checked_out == len(there), f"{len(there)} were there: {reply}"
        for person in there:
            # The revision is not told to us; the history has it.
            self.known.history[person].append(Stay(0, place, NOWHERE))
            self.known.where[person] = NOWHERE
        del self.known.places[place]
        self.known.deleted_places.add(place)
