"""`muster health --format nagios` and `muster drain`, at processes that come and go."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest
from messages import pb
from system import PROGRAMS, System, eventually
from town import SERVICES, Town
from watching import Watcher
from world import unique


def nagios(system: System, code: int, *words: str) -> str:
    said = system.muster("health", "--format", "nagios", "--timeout", "2s", *words, code=code)
    assert said.stdout.count("\n") == 1 and said.stderr == ""
    text, _, figures = said.stdout.strip().partition(" | ")
    assert "|" not in text + figures
    for figure in figures.split():
        assert re.fullmatch(r"[\w-]+=\d+ms", figure), figure
    return said.stdout


def test_monitoring_is_told_in_one_line_and_an_exit_code(town: Town) -> None:
    system = town.system
    said = nagios(system, 0)
    assert said.startswith("MUSTER OK - all services are serving | response=")
    assert all(f"{name}_silent=" in said for name in SERVICES)
    system.muster("health")
    town.lose("profiles")
    said = nagios(system, 1)
    assert said.startswith("MUSTER WARNING - profiles is not serving (not connected)")
    assert "check-ins_silent=" in said
    told = system.muster("health", code=69)
    assert "profiles is not serving (not connected): the logs say why" in told.stderr
    system.gateway.kill()
    assert nagios(system, 2).startswith("MUSTER CRITICAL - ")
    assert nagios(system, 3, "--endpoint", "nonsense").startswith("MUSTER UNKNOWN - ")


def test_a_gateway_that_is_drained_tells_its_watchers_and_ends(town: Town) -> None:
    watcher = Watcher(town.system.caller(user=unique("w")), location_id=town.place).begin()
    said = town.system.look_after("drain", "gateway")
    assert "has ended" in said
    assert watcher.end() == "DRAINING"
    assert town.system.gateway.wait() == 0
    assert "no gateway is running" in town.system.look_after("drain", "gateway", code=6)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_is_drained_has_answered_what_it_took_on(town: Town, name: str) -> None:
    program = next(each for each in town.system.services if each.name == name)
    calls = [town.world.admin.start("GetBoard") for _ in range(50)]
    town.system.look_after("drain", name)
    assert program.wait() == 0
    for call in calls:
        town.world.connection.finish(call)


def test_a_process_that_does_not_end_is_waited_for_as_long_as_was_said(town: Town) -> None:
    gateway = town.system.gateway
    gateway.pause()
    began = time.monotonic()
    said = town.system.look_after("drain", "gateway", "--timeout", "500ms", code=75)
    assert 0.5 <= time.monotonic() - began < 5
    assert f"gateway (process {gateway.pid}) has not ended in 0.5 s" in said
    assert f"kill -CONT {gateway.pid}" in said
    gateway.resume()
    assert gateway.wait() == 0


@pytest.mark.parametrize("command", ["backup", "restore", "check", "migrate", "drain"])
def test_who_looks_after_stores_needs_no_contexts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """What fails is what was asked for, not where contexts would be: root may read every folder, so
    the choice of one is made unreadable for anybody."""
    (tmp_path / "muster" / "contexts" / ".current").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    words = {"backup": ["x"], "restore": ["x"], "drain": ["gateway"]}.get(command, [])
    said = muster_alone(command, *words, "--config", str(tmp_path / "no.conf"))
    assert said.returncode == 64 and "the settings cannot be read" in said.stderr
    assert "contexts/.current: " in muster_alone("status").stderr


def muster_alone(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAMS / "muster", *words], capture_output=True, text=True, timeout=20,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_a_process_that_is_asked_to_end_a_second_time_ends_at_once(town: Town) -> None:
    """What it has taken on is left: a delete here, that waits for a check-in service."""
    admin, profiles = town.world.admin, town.system.profiles
    person = town.world.person()
    town.system.check_ins.pause()
    with town.system.connection() as connection:
        call = admin.on(connection).start("DeleteProfile", id=person.id)
        # What comes later on the same connection is answered: so the delete is under way.
        admin.on(connection).done("GetProfile", id=person.id)
        profiles.ask_to_stop()
        eventually(
            "the profile service drains",
            lambda: admin.call("GetProfile", id=person.id).reason == "DRAINING",
        )
        began = time.monotonic()
        assert profiles.stop() == 0
        assert time.monotonic() - began < 2
        assert "ends at once" in profiles.tail()
        town.system.check_ins.resume()
        assert connection.finish(call).code != pb.CODE_OK
    profiles.start()
    town.system.wait_until_serving()
    admin.done("DeleteProfile", id=person.id)
