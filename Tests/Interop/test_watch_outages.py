"""G3, G4: watches while processes end, die and come back."""

from __future__ import annotations

from typing import Any

from client import Caller, NoAnswer
from messages import pb
from system import System, eventually
from town import Town
from watching import UPDATED, Watcher
from world import unique


def watch(town: Town, name: str = "gateway", **fields: Any) -> Watcher:
    """A watch on a connection of its own."""
    caller = town.system.caller(name, user=unique("watcher-"))
    return Watcher(caller, **({"location_id": town.place} | fields))


def resume(town: Town, watcher: Watcher, name: str = "gateway") -> Watcher:
    """The same at another gateway, or at the same one that is back, as soon as that serves."""
    other: list[Watcher] = []

    def begun() -> bool:
        other.append(watcher.again(town.system.caller(name, user=unique("watcher-"))))
        try:
            reply = other[-1].caller.connection.next(other[-1].call, 5)
        except NoAnswer:
            return False
        if not reply.header.more:
            assert reply.code == pb.CODE_UNAVAILABLE, reply
            return False
        other[-1].take(reply.body, reply.as_of)
        return True

    eventually(f"{name} takes watches", begun, 20)
    return other[-1]


def churn(town: Town, rounds: int = 3) -> None:
    """People come and go."""
    admin = town.world.admin
    for _ in range(rounds):
        for person in town.people[2:]:
            admin.done("CheckOut", profile_id=person.id)
            admin.done("CheckIn", profile_id=person.id, location_id=town.place)


def test_G3_a_gateway_s_restart_is_survived_with_the_right_list(town: Town) -> None:
    watcher = watch(town).begin()
    churn(town)
    town.system.gateway.kill()
    town.system.gateway.start()
    town.system.wait_until_serving()
    churn(town, 2)
    second = resume(town, watcher)
    second.settle(town.world.admin)
    churn(town, 1)
    second.settle(town.world.admin)


def test_stream_a_gateway_that_is_asked_to_end_says_so(town: Town) -> None:
    watchers = [watch(town).begin(), watch(town).begin()]
    counts = Watcher(town.system.caller(), all_counts=True).begin()
    assert town.system.gateway.stop() == 0
    assert [each.end() for each in [*watchers, counts]] == ["DRAINING"] * 3


def test_D6_names_that_could_not_be_had_come_as_updates(town: Town) -> None:
    admin = town.world.admin
    newcomer = town.world.person(first_name="Newcomer")
    watcher = watch(town).begin()
    town.lose("profiles")
    admin.done("CheckIn", profile_id=newcomer.id, location_id=town.place)
    watcher.until(lambda: newcomer.id in watcher.people)
    person = watcher.people[newcomer.id]
    assert person.profile_unavailable and not person.first_name
    town.system.profiles.start()
    watcher.until(lambda: not watcher.people[newcomer.id].profile_unavailable)
    assert watcher.changes[-1].kind == UPDATED and watcher.changes[-1].reason == 0
    assert watcher.people[newcomer.id].first_name == "Newcomer"
    watcher.settle(admin)


def test_G3_a_stream_outlives_the_check_in_service(town: Town) -> None:
    watcher = watch(town, heartbeat_ms=1000).begin()
    watcher.until(lambda: watcher.heartbeats > 0)
    town.lose("check-ins")
    heard = watcher.heartbeats
    watcher.until(lambda: watcher.heartbeats > heard + 2, 5)
    admin = town.world.admin
    admin.refused("SERVICE_UNREACHABLE", "Watch", location_id=town.place)
    admin.refused("SERVICE_UNREACHABLE", "Watch", all_counts=True)
    town.system.check_ins.start()
    town.system.wait_until_serving()
    churn(town, 1)
    watcher.settle(admin)
    assert watcher.resets == 1


def test_G3_three_gateways_side_by_side_and_one_killed(town: Town) -> None:
    system, admin = town.system, town.world.admin
    system.second_gateway.start()
    system.third_gateway.start()
    names = ["gateway", "gateway-2", "gateway-3"]
    for name in names[1:]:
        system.wait_until_serving(name)
    before = system.gateway.resident_kib()
    watchers = [watch(town, name).begin() for name in names for _ in range(10)]
    here = len(watchers[0].changes)
    churn(town, 5)
    for watcher in watchers:
        watcher.settle(admin)
    # Each sees each change once, and the same.
    told = {tuple(change.SerializeToString() for change in w.changes[here:]) for w in watchers}
    assert len(told) == 1 and len(told.pop()) == 5 * 2 * len(town.people[2:])
    system.third_gateway.kill()
    churn(town, 2)
    moved = [resume(town, watcher, "gateway-2") for watcher in watchers[20:]]
    churn(town, 2)
    for watcher in [*watchers[:20], *moved]:
        watcher.settle(admin)
    assert all(watcher.resets == 0 for watcher in moved)
    system.second_gateway.kill()
    assert system.gateway.resident_kib() - before < 32 * 1024


def test_G4_who_is_gone_is_forgotten_within_a_heartbeat(town: Town) -> None:
    system = town.system

    def open_watches(caller: Caller) -> float:
        gauges = caller.done("GetStats").gauges
        return sum(gauge.value for gauge in gauges if gauge.name == "muster_watches")

    caller = system.caller()
    before = open_watches(caller)
    connection = system.connection()
    for _ in range(50):
        Watcher(Caller(connection), location_id=town.place, heartbeat_ms=1000).begin()
    assert open_watches(caller) == before + 50
    connection.close()
    eventually("watches of who is gone are forgotten", lambda: open_watches(caller) == before, 3)
