"""`muster health --format nagios` and `muster drain`, at processes that come and go."""

from __future__ import annotations

import re

import pytest
from system import System
from town import SERVICES, Town
from watching import Watcher
from world import unique


def nagios(system: System, code: int, *words: str) -> str:
    said = system.muster("health", "--format", "nagios", "--timeout", "2s", *words, code=code)
    assert said.stdout.count("\n") == 1 and said.stderr == ""
    text, _, figures = said.stdout.strip().partition(" | ")
    assert "|" not in text + figures
    for figure in figures.split():
        assert re.fullmatch(r"[\w-]+=\d+(ms|c)", figure), figure
    return said.stdout


def test_monitoring_is_told_in_one_line_and_an_exit_code(town: Town) -> None:
    system = town.system
    said = nagios(system, 0)
    assert said.startswith("MUSTER OK - all services are serving | response=")
    assert all(f"{name}_revision=" in said for name in SERVICES)
    town.lose("profiles")
    said = nagios(system, 1)
    assert said.startswith("MUSTER WARNING - profiles is not serving (not connected)")
    assert "check-ins_revision=" in said
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
