"""Peers that try to do harm with all their might: others are served meanwhile, memory is bounded
and comes back, and no process dies."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from abuse import ABUSES, ENDLESS, Abuser, Target
from keyed import KeyedSystem
from trial import Honest, prepare, run

SECONDS = 0.5
LIMIT_BYTES = 200 * 1024 * 1024


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
