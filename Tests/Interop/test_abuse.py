"""Peers that try to do harm with all their might: others are served meanwhile, memory is bounded
and comes back, and no process dies."""

from __future__ import annotations

import os
import shlex
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from abuse import ABUSES, ENDLESS, Abuser, Target
from client import Caller
from keyed import KeyedSystem
from trial import Honest, prepare, run
from wire_bytes import chunk
from zmtp import frame, shake_hands

SECONDS = 0.5
LIMIT_BYTES = 128 * 1024 * 1024


@pytest.fixture(scope="module")
def shared() -> Iterator[KeyedSystem]:
    system = prepare()
    yield system
    system.close()


@pytest.mark.parametrize("name", [name for name, one in ABUSES.items() if not one.descriptors])
def test_A3_abuse_harms_nobody_else(shared: KeyedSystem, name: str) -> None:
    trial = run(shared, ABUSES[name], SECONDS)
    assert trial.grown_mib < ABUSES[name].most_mib
    # Of a machine that builds and tests at the same time.
    assert trial.during.percentile(0.99) < 1_000


@pytest.mark.parametrize("name", [name for name, one in ABUSES.items() if one.descriptors])
def test_A3_who_takes_all_descriptors_is_turned_away(name: str) -> None:
    system = prepare(ABUSES[name].descriptors)
    try:
        trial = run(system, ABUSES[name], SECONDS)
        assert trial.during.percentile(0.99) < 1_000
        assert "connections turned away" in system.gateway.log.read_text()
        system.caller("gateway").succeeded("GetCounts")
        system.by_key("ada").succeeded("GetMe")
    finally:
        system.close()


def test_A3_who_was_hung_up_on_keeps_others_out_for_a_moment_only(shared: KeyedSystem) -> None:
    # Nobody calls meanwhile, so that no message tells the process that it has taken all.
    endless = frame(bytes(1024 * 1024), more=True)
    with Target.of(shared).raw_ipc() as raw, pytest.raises(OSError):
        shake_hands(raw)
        for _ in range(64):
            raw.sendall(endless)
    with shared.connection("gateway") as other:
        began = time.monotonic()
        Caller(other).succeeded("GetCounts")
        assert time.monotonic() - began < 3


def not_taken(caller: Caller) -> float:
    gauges = caller.done("GetStats").gauges
    return next(gauge.value for gauge in gauges if gauge.name == "muster_bytes_not_taken")


def test_A3_what_an_honest_caller_sends_is_taken_to_the_byte(shared: KeyedSystem) -> None:
    # Else whoever calls for long enough would seem to be ahead.
    stats = shared.caller("gateway")
    connections = [
        shared.by_key("ada").connection, shared.connection("gateway"),
        shared.connection("gateway", delimiter=False),
    ]  # fmt: skip
    for connection in connections:
        Caller(connection).succeeded("CheckHealth")
    before = not_taken(stats)
    for connection in connections:
        for size in (4, 100, 215, 216, 230, 249, 250, 260, 5_000, 20_000, 1_000_000):
            for _ in range(20 if size == 1_000_000 else 100):
                Caller(connection).succeeded("CheckHealth", body=chunk(1000, bytes(size)))
        for _ in range(20):
            connection.send_frames(b"", b"\xff", b"", b"")
        Caller(connection).succeeded("CheckHealth")
    # Meanwhile some of each handshake is forgiven, and some heartbeats come, of 7 bytes each. A
    # byte too much in messages of one size would be 300.
    assert -4_096 <= not_taken(stats) - before < 200


@pytest.fixture
def memory_limit() -> Iterator[Path]:
    """A control group that has so much memory, as a unit with `MemoryMax=` would be."""
    root = Path("/sys/fs/cgroup")
    old, new = root / "memory", root / "cgroup.controllers"
    if (old / "memory.limit_in_bytes").exists():
        group, limit = old / f"muster-test-{os.getpid()}", "memory.limit_in_bytes"
    elif new.exists() and "memory" in (root / "cgroup.subtree_control").read_text().split():
        group, limit = root / f"muster-test-{os.getpid()}", "memory.max"
    else:
        pytest.skip("no memory controller: there is none below /sys/fs/cgroup to set limits by")
    try:
        group.mkdir()
        (group / limit).write_text(str(LIMIT_BYTES))
    except OSError as error:
        pytest.skip(f"memory cannot be limited here: {error}")
    yield group
    group.rmdir()


def test_A2_a_message_that_never_ends_costs_a_restart_and_nothing_else(memory_limit: Path) -> None:
    system = KeyedSystem()
    enter = f"echo $$ >{shlex.quote(str(memory_limit))}/cgroup.procs"
    system.gateway.run_by("sh", "-c", f'{enter} && exec "$@"', "sh")
    try:
        system.allow(system.line("ada", "user"))
        system.start()
        pids = [program.pid for program in system.services]
        with Honest(system) as honest:
            honest.call()
            with Abuser(ENDLESS, Target.of(system)):
                assert system.gateway.wait() == -signal.SIGKILL
            # As the unit does: Restart=always.
            system.gateway.start()
            system.wait_until_serving()
            status = system.caller("gateway", "ada").done("GetStatus").status
            assert status.location_id == honest.places[honest.calls % 2]
            honest.call()
        assert [program.pid for program in system.services] == pids
    finally:
        system.close()
