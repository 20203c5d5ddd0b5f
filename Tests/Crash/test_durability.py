"""That no answer leaves before what it says is on disk.

kill -9 keeps what the kernel holds, so it cannot show that. The system calls can: between the
arrival of a write and its response, the log was written and then synchronised.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from system import System
from world import World

TRACED = "recvfrom,recvmsg,read,sendto,sendmsg,write,pwrite64,pwritev,fdatasync,fsync"
IN_FLIGHT = 8
WRITES = 200


@pytest.fixture(scope="module")
def system() -> Iterator[System]:
    system = System()
    try:
        system.start()
        yield system
    finally:
        system.close()


class Trace:
    """The system calls of a process, each with what it carried, while in a `with` block."""

    def __init__(self, pid: int, path: Path) -> None:
        self._path = path
        self._command = ["strace", "-f", "-y", "-xx", "-s", "65536", "-e", f"trace={TRACED}",
                         "-o", str(path), "-p", str(pid)]

    def __enter__(self) -> Trace:
        self._process = subprocess.Popen(self._command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        assert "attached" in self._process.stderr.readline(), "strace could not attach"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait()

    def calls(self) -> list[tuple[str, str]]:
        """Name and text of every call that is over, in the order in which they returned."""
        unfinished: dict[str, str] = {}
        calls = []
        for line in self._path.read_text().splitlines():
            process, _, text = line.partition(" ")
            text = text.strip()
            if text.endswith("<unfinished ...>"):
                unfinished[process] = text.removesuffix("<unfinished ...>")
                continue
            if resumed := re.match(r"<\.\.\. \w+ resumed>(.*)", text):
                text = unfinished.pop(process, "") + resumed[1]
            if name := re.match(r"(\w+)\(", text):
                calls.append((name[1], text))
        return calls


def hexadecimal(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


WAL = hexadecimal(b"-wal") + ">"


def first(calls: list[tuple[str, str]], start: int, names: str, part: str) -> int:
    """Where the first of these calls from `start` on carries `part`; beyond the end: nowhere."""
    for index in range(start, len(calls)):
        if re.fullmatch(names, calls[index][0]) and part in calls[index][1]:
            return index
    return len(calls)


def check(calls: list[tuple[str, str]], marks: list[bytes], *, are_stored: bool = True) -> None:
    """Every mark came in, then a log was written, then synchronised, and then the mark went out.
    Where the store keeps the marks as they are, it is they that were written."""
    for mark in map(hexadecimal, marks):
        arrived = first(calls, 0, "recv.*|read", mark)
        written = first(calls, arrived, "pwrite.*|write", WAL)
        while are_stored and written < len(calls) and mark not in calls[written][1]:
            written = first(calls, written + 1, "pwrite.*|write", WAL)
        synchronised = first(calls, written, "fdatasync|fsync", WAL)
        answered = first(calls, arrived, "send.*", mark)
        assert answered < len(calls), f"no answer with {mark} was seen"
        assert arrived < written < synchronised < answered, (
            f"arrived {arrived}, written {written}, synchronised {synchronised}, "
            f"answered {answered}: {mark}")


def test_a_check_in_is_on_disk_before_it_is_answered(system: System, tmp_path: Path) -> None:
    world = World(system.connection())
    place, people = world.place(), world.people(WRITES)
    with Trace(system.check_ins.pid, tmp_path / "trace") as trace:
        for start in range(0, WRITES, IN_FLIGHT):
            calls = [world.admin.start("CheckIn", profile_id=person, location_id=place)
                     for person in people[start:start + IN_FLIGHT]]
            for call in calls:
                assert world.connection.finish(call).body.changed
    # The check-in log names people by numbers of its own.
    check(trace.calls(), people, are_stored=False)


def test_a_profile_is_on_disk_before_it_is_answered(system: System, tmp_path: Path) -> None:
    world = World(system.connection())
    names = [f"durable-{number:04}" for number in range(WRITES)]
    with Trace(system.profiles.pid, tmp_path / "trace") as trace:
        for start in range(0, WRITES, IN_FLIGHT):
            calls = [world.admin.start("CreateProfile", profile={"user_id": n, "first_name": n})
                     for n in names[start:start + IN_FLIGHT]]
            for call in calls:
                assert world.connection.finish(call).reason == ""
    check(trace.calls(), [name.encode() for name in names])


def test_a_place_is_on_disk_before_it_is_answered(system: System, tmp_path: Path) -> None:
    world = World(system.connection())
    names = [f"lasting-{number:04}" for number in range(WRITES)]
    with Trace(system.locations.pid, tmp_path / "trace") as trace:
        for start in range(0, WRITES, IN_FLIGHT):
            calls = [world.admin.start("CreateLocation", location={"name": name})
                     for name in names[start:start + IN_FLIGHT]]
            for call in calls:
                assert world.connection.finish(call).reason == ""
    check(trace.calls(), [name.encode() for name in names])


def test_the_check_sees_an_answer_that_comes_too_early() -> None:
    mark, wal = hexadecimal(b"mark"), f"3<{hexadecimal(b'/data/check-ins.db')}{WAL}"
    right = [("recvfrom", mark), ("pwrite64", wal + mark), ("fdatasync", wal), ("sendto", mark)]
    check(right, [b"mark"])
    right.append(("pwrite64", wal))
    for wrong in ([0, 1, 3, 2], [0, 3, 1, 2], [0, 1, 3], [0, 2, 1, 3], [0, 4, 2, 3]):
        with pytest.raises(AssertionError):
            check([right[index] for index in wrong], [b"mark"])
