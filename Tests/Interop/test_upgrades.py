"""Stores of every earlier schema, stores of a later one, and processes a version apart."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zmq
from client import Caller, Connection
from messages import pb
from stores import counts_equal_lists, stop_services
from system import ROOT, System
from town import SERVICES, Town
from watching import Watcher
from world import unique

NewSystem = Callable[[], System]
# A folder for each schema that there ever was: what sqlite3's .dump told of a town's stores, with
# stays that have no end.
FIXTURES = sorted((ROOT / "Tests" / "Fixtures").glob("schema-*"))
# Field 1000, of a type that is passed over by its length: what a newer program may send.
UNKNOWN = bytes([0xC2, 0x3E, 5]) + b"later"


@pytest.fixture(params=FIXTURES, ids=lambda folder: folder.name)
def old(request: pytest.FixtureRequest, new_system: NewSystem) -> System:
    """A system, not started, whose stores are of an earlier schema, or of the newest one."""
    system = new_system()
    for name in SERVICES:
        with sqlite3.connect(system.folder / name / f"{name}.db") as store:
            store.executescript((request.param / f"{name}.sql").read_text())
            store.execute("PRAGMA journal_mode = WAL")
        store.close()
    # However old the fixture is by now.
    system.check_ins.say("--history-days", "36500")
    return system


def test_stores_of_every_schema_are_taken_over_with_all_that_they_hold(old: System) -> None:
    before = old.look_after("migrate", "--dry-run", "-o", "csv")
    assert all(name in before for name in SERVICES)
    old.start()
    caller = old.caller(user=unique("admin-"))
    people = {p.first_name for page in caller.pages("ListProfiles") for p in page.profiles}
    assert people == {"P0", "P1", "P2", "P3", "P4"}
    place = caller.done("GetLocation", external_id="cafe").location
    assert place.name == "Café" and place.capacity == 100
    counts = counts_equal_lists(old)
    assert counts == {place.id: 4}
    here = caller.done("ListPeopleHere", location_id=place.id).people
    assert [person.first_name for person in here] == ["P1", "P2", "P3", "P4"]
    assert caller.done("GetAvatar", avatar_id=here[0].avatar_id).image
    history = caller.done("ListHistory", location_id=place.id).changes
    assert len(history) == 6 and [change.revision for change in history] == [6, 5, 4, 3, 2, 1]
    caller.done("CheckOut", profile_id=here[0].profile_id)
    assert counts_equal_lists(old) == {place.id: 3}
    for program in reversed(old.programs[:4]):
        assert program.stop() == 0
    assert "lost" not in old.look_after("check")
    after = old.look_after("migrate", "--dry-run")
    assert "All stores have the newest schema" in after


@pytest.mark.parametrize("name", SERVICES)
def test_a_store_of_a_newer_schema_is_refused_and_not_touched(
    new_system: NewSystem, tmp_path: Path, name: str
) -> None:
    system = new_system()
    system.start()
    stop_services(Town(system))
    file = system.folder / name / f"{name}.db"
    with sqlite3.connect(file) as store:
        version = store.execute("PRAGMA user_version").fetchone()[0]
        store.execute(f"PRAGMA user_version = {version + 1}")
    store.close()
    newer = file.read_bytes()
    program = next(each for each in system.services if each.name == name)
    program.start()
    assert program.wait() == 1
    assert "written by a newer version" in program.tail()
    backup = ("backup", str(tmp_path / "backup"))
    for command in (("migrate",), ("migrate", "--dry-run"), backup):
        said = system.look_after(*command, code=6)
        assert "written by a newer version" in said and "install the version again" in said
    assert "look with the version that wrote it" in system.look_after("check", code=6)
    assert file.read_bytes() == newer
    assert [path.name for path in file.parent.iterdir()] == [file.name]


class NewerPeers(threading.Thread):
    """Stands before a service, and makes both sides believe that the other one is newer: adds a
    field to every header and body, and to all that is published."""

    def __init__(self, system: System, name: str) -> None:
        super().__init__(daemon=True)
        self.passed = 0
        self._context = zmq.Context()
        self._front = self._socket(zmq.ROUTER)
        self._front.router_mandatory = False
        self._front.bind(f"ipc://{system.folder}/{name}-newer.rpc")
        self._published = self._socket(zmq.SUB)
        self._published.subscribe(b"")
        self._published.connect(system.feed(name))
        self._feed = self._socket(zmq.PUB)
        self._feed.bind(f"ipc://{system.folder}/{name}-newer.feed")
        self._service = system.rpc(name)
        self._behind: dict[bytes, zmq.Socket[bytes]] = {}
        self._ends = threading.Event()
        self.start()

    def _socket(self, kind: int) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.linger = 0
        socket.sndhwm = socket.rcvhwm = 0
        return socket

    def run(self) -> None:
        while not self._ends.is_set():
            poller = zmq.Poller()
            for socket in (self._front, self._published, *self._behind.values()):
                poller.register(socket, zmq.POLLIN)
            ready = dict(poller.poll(50))
            if self._front in ready:
                peer, *frames = self._front.recv_multipart()
                if peer not in self._behind:
                    # One for each: a second stream of questions would end the first.
                    self._behind[peer] = self._socket(zmq.DEALER)
                    self._behind[peer].connect(self._service)
                self._behind[peer].send_multipart(self._newer(frames))
            if self._published in ready:
                topic, body = self._published.recv_multipart()
                self._feed.send_multipart([topic, body + UNKNOWN])
            for peer, socket in self._behind.items():
                if socket in ready:
                    self._front.send_multipart([peer, *self._newer(socket.recv_multipart())])
        self._context.destroy(linger=0)

    def _newer(self, frames: list[bytes]) -> list[bytes]:
        self.passed += 1
        return [*frames[:-2], frames[-2] + UNKNOWN, frames[-1] + UNKNOWN]

    def end(self) -> None:
        self._ends.set()
        self.join()


@pytest.fixture
def apart(new_system: NewSystem) -> Iterator[tuple[System, list[NewerPeers]]]:
    """A system whose processes reach each other through such peers alone."""
    system = new_system()
    for program in (system.check_ins, system.gateway):
        program.lead_through("-newer", system)
    for program in system.services[:2]:
        program.start()
    peers = [NewerPeers(system, name) for name in SERVICES]
    system.start()
    yield system, peers
    for peer in peers:
        peer.end()


def test_growing_processes_a_version_apart_work_together(
    apart: tuple[System, list[NewerPeers]],
) -> None:
    system, peers = apart
    town = Town(system)
    watcher = Watcher(system.caller(user=unique("w")), location_id=town.place).begin()
    assert watcher.names == ["P1", "P2", "P3", "P4"]
    town.people[0].check_in(town.place)
    town.people[1].caller.done("UpdateProfile", profile={"bio": "x"}, update_mask=["bio"])
    town.world.admin.done("DeleteProfile", id=town.people[2].id)
    town.world.admin.done("DeleteLocation", id=town.empty)
    watcher.settle(town.world.admin)
    assert counts_equal_lists(system) == {town.place: 4}
    assert all(peer.passed > 10 for peer in peers)


def test_growing_what_an_older_process_does_not_answer_is_said_to_be_unknown(
    system: System,
) -> None:
    for name in (*SERVICES, "gateway"):
        with Connection(system.rpc(name)) as connection:
            reply = Caller(connection).call("muster.v1.ControlService/AddedLater", body=UNKNOWN)
            assert reply.code == pb.CODE_UNIMPLEMENTED and reply.reason == "UNKNOWN_METHOD"
