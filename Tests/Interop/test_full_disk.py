"""What holds while a disk is full: a small file system of the test's own, so only as root."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from client import Caller, Connection, NoAnswer
from messages import pb
from system import PROGRAMS, System, eventually
from world import IN, World


class SmallDisk:
    """A folder with a few megabytes, which can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        with self._filler.open("ab", 0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass

    def free(self) -> None:
        self._filler.unlink()


@pytest.fixture
def small_disk() -> Iterator[Callable[[Path], SmallDisk]]:
    """Makes folders small."""
    made: list[Path] = []

    def make(folder: Path) -> SmallDisk:
        command = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("only root can mount a small disk")
        made.append(folder)
        return SmallDisk(folder)

    yield make
    for folder in made:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def until_full(caller: Caller, place: bytes) -> None:
    """Checks in until there is no room: what a store has already been given goes on being used."""
    for number in range(5000):
        reply = caller.call("CheckIn", location_id=place, ttl_s=1000 + number)
        if reply.code != pb.CODE_OK:
            assert reply.reason == "STORAGE_FULL" and reply.header.status.retry_after_ms
            return
    raise AssertionError("the disk never was full")


def quickly(caller: Caller, method: str, seconds: float = 1, **fields: object) -> str:
    """The reason of a refusal that has to come at once; empty: it succeeded."""
    began = time.monotonic()
    reply = caller.call(method, **fields)
    assert time.monotonic() - began < seconds, f"{method} had to wait: {reply}"
    return reply.reason


def test_C7_with_a_full_disk_of_check_ins_nobody_waits_in_vain(
    new_system: Callable[[], System], small_disk: Callable[[Path], SmallDisk]
) -> None:
    system = new_system()
    disk = small_disk(system.folder / "check-ins")
    system.start()
    world = World(system.connection())
    here, person, other = world.place(), world.person(), world.person()
    person.check_in(here)
    disk.fill()
    until_full(person.caller, here)
    assert person.caller.done("GetStatus").status.state == IN
    # What the user has changed elsewhere cannot be noted, and is what a status has to come after.
    person.caller.done("UpdateProfile", profile={"bio": "New"}, update_mask=["bio"])
    for _ in range(3):
        assert quickly(person.caller, "GetStatus") == "STORAGE_FULL"
        assert quickly(person.caller, "CheckOut") == "STORAGE_FULL"
        assert quickly(world.person().caller, "CheckIn", location_id=here) == "STORAGE_FULL"
    # What is known is told: to this user too, where the gateway's own view has it.
    assert person.caller.done("GetMe").profile.bio == "New"
    assert other.caller.done("GetStatus", profile_id=person.id).status.state == IN
    assert [p.profile_id for p in other.caller.done("ListPeopleHere", location_id=here).people] == [
        person.id
    ]
    health = world.admin.done("CheckHealth")
    assert health.state == pb.SERVING_STATE_DEGRADED
    ill = [s for s in health.services if s.service == "check-ins"]
    assert ill[0].state == pb.SERVING_STATE_DEGRADED and "full" in ill[0].detail
    disk.free()
    system.wait_until_serving()
    assert person.caller.done("GetStatus").status.state == IN
    assert person.caller.done("CheckOut").changed


def test_C10_with_a_full_disk_of_check_ins_deletes_are_refused_at_once(
    new_system: Callable[[], System], small_disk: Callable[[Path], SmallDisk]
) -> None:
    system = new_system()
    disk = small_disk(system.folder / "check-ins")
    system.start()
    world = World(system.connection())
    here, empty, person, other = world.place(), world.place(), world.person(), world.person()
    person.check_in(here)
    disk.fill()
    until_full(person.caller, here)
    for _ in range(3):
        assert quickly(other.caller, "DeleteProfile") == "STORAGE_FULL"
        assert quickly(world.admin, "DeleteLocation", id=empty) == "STORAGE_FULL"
        assert (
            quickly(world.admin, "DeleteLocation", id=here, check_out_everyone=True)
            == "STORAGE_FULL"
        )
    assert other.caller.done("GetMe").profile.id == other.id
    world.admin.done("GetLocation", id=empty)
    assert world.admin.done("GetCounts", location_ids=[here]).counts[0].count == 1
    disk.free()
    system.wait_until_serving()
    other.caller.done("DeleteProfile")
    world.admin.done("DeleteLocation", id=empty)
    world.admin.done("DeleteLocation", id=here, check_out_everyone=True)
    assert person.caller.done("GetStatus").status.state != IN


def answers(endpoint: str, method: str, user: str, **fields: object) -> bool:
    """Whether a call on a connection of its own succeeds, soon."""
    with Connection(endpoint) as connection:
        call = Caller(connection, user).start(method, header={"timeout_ms": 1500}, **fields)
        try:
            return connection.finish(call, 2).code == pb.CODE_OK
        except NoAnswer:
            return False


def test_C7_muster_up_goes_on_where_processes_die_on_a_full_disk(
    small_disk: Callable[[Path], SmallDisk], new_system: Callable[[], System]
) -> None:
    folder = new_system().folder  # Short enough for sockets, and removed afterwards.
    disk = small_disk(folder)
    data, log = folder / "d", Path(f"{folder}.log")
    with log.open("wb") as said:
        up = subprocess.Popen(
            [PROGRAMS / "muster", "up", "--data", str(data)], stdout=subprocess.PIPE, text=True,
            stderr=said, env={**os.environ, "HOME": "/nonexistent"},
        )  # fmt: skip
    try:
        assert up.stdout is not None
        endpoint = up.stdout.readline().split()[1]
        with Connection(endpoint) as connection:
            world = World(connection)
            here, person = world.place(), world.person()
            person.check_in(here)
            disk.fill()
            until_full(person.caller, here)
        reads: dict[str, tuple[str, dict[str, object]]] = {
            "profiles": ("GetMe", {}),
            "locations": ("GetLocation", {"id": here}),
            "check-ins": ("ListHistory", {"profile_id": person.id}),
            "gateway": ("GetCounts", {}),
        }
        for name, (method, fields) in reads.items():
            os.kill(int((data / f"run/{name}.pid").read_text()), signal.SIGKILL)
            user = person.user
            eventually(f"{name} is up", lambda: answers(endpoint, method, user, **fields), 30)
            assert up.poll() is None, f"muster up has ended\n{log.read_text()}"
        with Connection(endpoint) as connection:
            again = person.caller.on(connection)
            assert again.done("GetStatus").status.state == IN
            disk.free()
            eventually("writing goes on", lambda: not again.call("CheckOut").reason, 30)
        up.send_signal(signal.SIGTERM)
        assert up.wait(20) == 0, log.read_text()
    finally:
        up.kill()
        up.wait()
        log.unlink()
