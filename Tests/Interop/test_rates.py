"""README "Limits": how much a user who comes with a key may begin in a second."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from client import Caller
from keyed import KeyedSystem
from messages import pb
from system import PROGRAMS, eventually
from world import World, unique

RATES = ["--calls-per-s", "5", "--calls-burst", "4", "--watches-per-s", "2", "--watches-burst", "2"]


@pytest.fixture(scope="module")
def keyed() -> Iterator[KeyedSystem]:
    system = KeyedSystem()
    try:
        system.gateway.say(*RATES)
        names = ("ada", "bob", "cli", "tv")
        system.allow(*(system.line(name, "admin") for name in names))
        system.start()
        yield system
    finally:
        system.close()


def exhaust(caller: Caller, method: str = "GetCounts", **fields: object) -> int:
    """Calls until there is too much of it; after how many milliseconds there will be more."""
    for _ in range(50):
        reply = caller.call(method, **fields)
        if reply.reason:
            assert (reply.code, reply.reason) == (pb.CODE_RESOURCE_EXHAUSTED, "RATE_LIMITED")
            return reply.header.status.retry_after_ms
    raise AssertionError("no limit in 50 calls")


def pass_time(ms: int) -> None:
    threading.Event().wait(ms / 1000)


def test_A3_who_calls_too_often_is_told_when_to_come_again(keyed: KeyedSystem) -> None:
    ada = keyed.by_key("ada")
    wait_ms = exhaust(ada)
    assert 0 < wait_ms <= 200, "a token comes five times a second"
    pass_time(wait_ms)
    ada.succeeded("GetCounts")


def test_A3_a_rate_is_a_users_over_all_connections_and_nobody_elses(keyed: KeyedSystem) -> None:
    ada, again, bob = (keyed.by_key(name) for name in ("ada", "ada", "bob"))
    bob.succeeded("GetCounts")
    exhaust(ada)
    again.refused("RATE_LIMITED", "GetCounts")
    bob.succeeded("GetCounts")


def test_A3_who_is_trusted_has_no_rate(keyed: KeyedSystem) -> None:
    trusted = keyed.caller("gateway", "ada")
    for _ in range(50):
        trusted.succeeded("GetCounts")


def test_A3_what_is_refused_is_not_done(keyed: KeyedSystem) -> None:
    bob, name = keyed.by_key("bob"), unique("place")
    calls = [bob.start("CreateLocation", location={"name": f"{name} {n}"}) for n in range(10)]
    made = [bob.connection.finish(call).code == pb.CODE_OK for call in calls].count(True)
    assert 0 < made < 10
    there = keyed.caller("gateway", "bob").done("ListLocations", name_contains=name, page_size=20)
    assert len(there.results) == made


def test_A3_watches_have_a_rate_of_their_own(keyed: KeyedSystem) -> None:
    tv = keyed.by_key("tv")
    for _ in range(2):
        eventually("the call's rate allows it", lambda: begins(tv))
    call = tv.start("Watch", all_counts=True)
    reply = tv.connection.next(call)
    assert reply.reason == "RATE_LIMITED" and 0 < reply.header.status.retry_after_ms <= 500
    pass_time(reply.header.status.retry_after_ms)
    assert begins(tv)


def begins(caller: Caller) -> bool:
    return not caller.connection.next(caller.start("Watch", all_counts=True)).reason


def test_A3_the_command_line_waits_as_long_as_it_is_told(
    keyed: KeyedSystem, tmp_path: Path
) -> None:
    def muster(*words: str) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "MUSTER_CONTEXT": "work"}
        said = subprocess.run(
            [PROGRAMS / "muster", *words], env=environment, capture_output=True, text=True,
            timeout=30, check=False,
        )  # fmt: skip
        assert said.returncode == 0, said

    muster(
        "context", "add", "work", "--endpoint", keyed.tcp("gateway"),
        "--server-key", keyed.pair("gateway").public,
        "--secret-key", str(keyed.pair("cli").file),
    )  # fmt: skip
    exhaust(keyed.by_key("cli"))
    began, calls = time.monotonic(), 4
    for _ in range(calls):
        muster("me")
    # Each `me` is one call, and a token comes five times a second.
    assert time.monotonic() - began > (calls - 1) / 5 * 0.8


def test_A3_0_is_no_limit(keyed: KeyedSystem) -> None:
    keyed.pairs["free"] = keyed.pair("gateway")
    free = keyed.keyed_gateway("free", "--calls-per-s", "0", "--watches-per-s", "0")
    keyed.programs.append(free)
    free.start()
    keyed.wait_until_serving("free")
    ada = Caller(keyed.by_key("ada", "free").connection)
    World(ada.connection)
    for _ in range(50):
        ada.succeeded("GetCounts")
