"""`muster drain`, at processes that come and go."""

from __future__ import annotations

import pytest
from town import SERVICES, Town
from watching import Watcher
from world import unique


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
