"""README "A stream", gateway.proto Watch: rules E5, G1, G3, G4, B7."""

from __future__ import annotations

import time
from typing import Any

import pytest
from client import Caller, Connection
from messages import pb
from system import System, eventually
from watching import ARRIVED, LEFT, PASS_THROUGH, UPDATED, Watcher
from world import FAR, World, new_id, unique


@pytest.fixture
def caller(system: System) -> Caller:
    """A user with every role, on a connection of its own."""
    return system.caller(user=unique("watcher-"))


def watch(caller: Caller, place: bytes, **fields: Any) -> Watcher:
    return Watcher(caller, location_id=place, **fields).begin()


def test_G1_what_is_true_now_then_every_change(world: World, caller: Caller) -> None:
    here = world.place()
    first, second = (world.person(first_name=name) for name in ("Ada", "Bob"))
    first.check_in(here)
    watcher = watch(caller, here)
    assert watcher.resets == 1 and watcher.names == ["Ada"] and watcher.count == 1
    second.check_in(here)
    watcher.until(lambda: watcher.count == 2)
    assert watcher.names == ["Ada", "Bob"] and watcher.responses == 2
    change = watcher.changes[-1]
    assert change.kind == ARRIVED and change.reason == pb.CHANGE_REASON_REQUESTED
    assert change.person.profile_id == second.id and change.other_location_id == b""
    first.caller.done("CheckOut")
    watcher.until(lambda: watcher.count == 1)
    assert watcher.changes[-1].kind == LEFT and watcher.names == ["Bob"]
    watcher.settle(caller)


def test_G1_an_empty_list_is_told_too(world: World, caller: Caller) -> None:
    watcher = watch(caller, world.place())
    assert watcher.resets == 1 and watcher.responses == 1 and watcher.count == 0


def test_G1_pass_through(world: World, caller: Caller) -> None:
    here, people = world.place(), world.people(2)
    world.check_in(here, people[:1])
    watcher = watch(caller, here, mode=PASS_THROUGH)
    assert not watcher.resets and not watcher.changes and watcher.count == 1
    world.check_in(here, people[1:])
    watcher.until(lambda: watcher.count == 2)
    assert [change.person.profile_id for change in watcher.changes] == people[1:]


def test_G1_who_leaves_comes_with_reason_and_other_place(world: World, caller: Caller) -> None:
    here, there = world.place(), world.place()
    people = [world.person(first_name=f"P{number}") for number in range(4)]
    for person in people[:3]:
        person.check_in(here)
    people[3].check_in(here, ttl_s=1)
    watcher = watch(caller, here)
    del watcher.changes[:]
    people[0].check_in(there)
    people[0].check_in(here)
    watcher.until(lambda: len(watcher.changes) >= 2)
    moved = watcher.changes[:2]
    assert [change.kind for change in moved] == [LEFT, ARRIVED]
    assert [change.other_location_id for change in moved] == [there, there]
    world.admin.done("DeleteProfile", id=people[1].id)
    gone = {people[1].id, people[3].id}
    watcher.until(lambda: not gone & set(watcher.people), 20)
    told = {change.person.profile_id: change for change in watcher.changes[2:]}
    assert told[people[1].id].person == pb.Person(profile_id=people[1].id)
    assert told[people[1].id].reason == pb.CHANGE_REASON_PROFILE_DELETED
    assert told[people[3].id].reason == pb.CHANGE_REASON_EXPIRED
    world.admin.done("CheckOutEveryone", location_id=here)
    watcher.until(lambda: watcher.count == 0)
    assert watcher.changes[-1].reason == pb.CHANGE_REASON_EVERYONE_OUT
    watcher.settle(caller)


def test_B7_an_edit_is_an_update(world: World, caller: Caller) -> None:
    here, person = world.place(), world.person(first_name="Ada")
    person.check_in(here)
    watcher = watch(caller, here)
    since = watcher.people[person.id].since_ms
    profile = {"first_name": "Grace", "company_name": "Navy"}
    person.caller.done(
        "UpdateProfile", profile=profile, update_mask=["first_name", "company_name"]
    )
    watcher.until(lambda: watcher.names == ["Grace"])
    change = watcher.changes[-1]
    assert change.kind == UPDATED and change.reason == 0 and change.person.since_ms == since
    assert change.person.company_name == "Navy" and watcher.count == 1
    watcher.settle(caller)


def test_C2_a_watcher_of_both_places_never_sees_anybody_at_two(
    world: World, caller: Caller
) -> None:
    places = [world.place() for _ in range(3)]
    people = world.people(12)
    world.check_in(places[0], people)
    watchers = [watch(caller, place) for place in places]
    for step in range(40):
        items = [
            {"profile_id": person, "location_id": places[(step * 7 + number) % 3]}
            for number, person in enumerate(people)
        ]
        world.admin.done("BatchCheckIn", items=items)
    last = world.admin.succeeded("GetCounts", location_ids=places)
    by_call = {watcher.call: watcher for watcher in watchers}
    connection = caller.connection
    while min(watcher.after.check_ins for watcher in watchers) < last.as_of.check_ins:
        # In the order in which the messages come, whichever stream they are of.
        frames = connection.receive_frames(10)
        header = pb.ResponseHeader.FromString(frames[-2])
        watcher = by_call[header.id]
        watcher.take(pb.WatchResponse.FromString(frames[-1]), header.as_of)
        where = [id for each in watchers for id in each.people]
        assert len(where) == len(set(where)), "somebody is shown at two places"
    for watcher in watchers:
        watcher.settle(caller)


def test_E5_counts_follow(world: World, caller: Caller) -> None:
    here, people = world.place(), world.people(5)
    watcher = Watcher(caller, all_counts=True).begin()
    assert watcher.resets == 1 and here not in watcher.counts
    for number in (1, 3, 5):
        world.check_in(here, people[:number])
        watcher.until(lambda number=number: watcher.counts.get(here) == number)
    assert watcher.total == caller.done("GetCounts").total
    world.admin.done("CheckOutEveryone", location_id=here)
    watcher.until(lambda: here not in watcher.counts)
    counts = caller.done("GetCounts", page_size=10_000)
    assert watcher.counts == {each.location_id: each.count for each in counts.counts}
    assert watcher.total == counts.total


def test_E5_counts_come_at_most_ten_times_a_second(world: World, caller: Caller) -> None:
    here, people = world.place(), world.people(400)
    watcher = Watcher(caller, all_counts=True).begin()
    began = time.monotonic()
    for person in people:
        world.check_in(here, [person])
    watcher.until(lambda: watcher.counts.get(here) == 400)
    assert watcher.responses <= 2 + 10 * (time.monotonic() - began)


def test_G3_it_goes_on_after_a_state(world: World, caller: Caller) -> None:
    here, people = world.place(), [world.person(first_name=f"P{n}") for n in range(3)]
    people[0].check_in(here)
    people[1].check_in(here)
    first = watch(caller, here)
    caller.done("CancelWatch", call_id=first.call)
    people[0].caller.done("CheckOut")
    people[2].check_in(here)
    edit = {"profile": {"first_name": "New"}, "update_mask": ["first_name"]}
    people[1].caller.done("UpdateProfile", **edit)
    second = first.again(caller)
    second.settle(caller)
    assert second.resets == 0 and {change.kind for change in second.changes} == {1, 2, 3}
    third = second.again(caller).begin()
    assert third.resets == 0 and third.responses == 1 and not third.changes


def test_G3_a_state_that_has_not_come_is_waited_for(world: World, caller: Caller) -> None:
    here = world.place()
    header = {"timeout_ms": 300}
    for after in ({"check_ins": FAR}, {"profiles": FAR}, {"locations": FAR}):
        fields = {"location_id": here, "after": after}
        caller.refused("NOT_CAUGHT_UP", "Watch", header=header, **fields)
    counts = {"all_counts": True, "after": {"profiles": FAR}}
    Watcher(caller, header=header, **counts).begin()
    here = world.place()
    header = {"timeout_ms": 300, "at_least": {"check_ins": FAR}}
    caller.refused("NOT_CAUGHT_UP", "Watch", header=header, location_id=here)
    far = caller.succeeded("GetCounts").as_of.check_ins + 1
    watcher = Watcher(caller, location_id=here, mode=PASS_THROUGH, after={"check_ins": far})
    world.check_in(here, world.people(1))
    watcher.begin()
    assert watcher.after.check_ins >= far


def test_stream_heartbeats(world: World, caller: Caller) -> None:
    here = world.place()
    world.check_in(here, world.people(1))
    watcher = watch(caller, here, heartbeat_ms=1000)
    counts = Watcher(caller, all_counts=True, heartbeat_ms=1000).begin()
    began = time.monotonic()
    watcher.until(lambda: watcher.heartbeats >= 2, 5)
    assert time.monotonic() - began > 1.5
    counts.until(lambda: counts.heartbeats >= 2, 5)
    assert watcher.after.check_ins > 0 and counts.after.check_ins > 0
    assert watcher.count == 1 and counts.total == caller.done("GetCounts").total
    assert not watcher.changes[1:]


def test_stream_a_cancelled_watch_ends_with_CANCELLED(system: System, world: World) -> None:
    caller = system.caller()
    watcher = watch(caller, world.place())
    other = system.caller()
    other.refused("CALL_NOT_FOUND", "CancelWatch", call_id=watcher.call)
    caller.refused("CALL_NOT_FOUND", "CancelWatch", call_id=watcher.call + 1000)
    caller.done("CancelWatch", call_id=watcher.call)
    assert watcher.end() == "CANCELLED"
    caller.refused("CALL_NOT_FOUND", "CancelWatch", call_id=watcher.call)
    waiting = caller.start("Watch", location_id=world.place(), after={"check_ins": FAR})
    caller.done("CancelWatch", call_id=waiting)
    assert caller.connection.finish(waiting).reason == "CANCELLED"


def test_stream_the_place_is_deleted(world: World, caller: Caller) -> None:
    here = world.place()
    world.check_in(here, world.people(3))
    watcher = watch(caller, here)
    world.admin.done("DeleteLocation", id=here, check_out_everyone=True)
    assert watcher.end() == "LOCATION_NOT_FOUND"
    assert not watcher.people and watcher.count == 0
    assert {change.reason for change in watcher.changes[3:]} == {pb.CHANGE_REASON_LOCATION_DELETED}
    caller.refused("LOCATION_NOT_FOUND", "Watch", location_id=here)
    caller.refused("LOCATION_NOT_FOUND", "Watch", location_id=new_id())


def test_stream_the_form(world: World, caller: Caller) -> None:
    here = world.place()
    assert caller.violations("Watch") == ["location_id"]
    assert caller.violations("Watch", location_id=here, all_counts=True) == ["all_counts"]
    assert caller.violations("Watch", location_id=b"short") == ["location_id"]
    for heartbeat in (1, 999, 60_001, 2**32 - 1):
        arguments = {"location_id": here, "heartbeat_ms": heartbeat}
        assert caller.violations("Watch", **arguments) == ["heartbeat_ms"]
    assert caller.violations("Watch", all_counts=True, mode=7) == ["mode"]


@pytest.mark.parametrize("role", ["display", "user", "staff", "admin"])
def test_roles_a_display_watches_counts_and_no_place(
    system: System, world: World, role: str
) -> None:
    here = world.place()
    caller = system.caller(user=unique("role-"), roles=(role,))
    counts = Watcher(caller, all_counts=True).begin()
    caller.done("CancelWatch", call_id=counts.call)
    if role == "display":
        caller.refused("NOT_ALLOWED", "Watch", location_id=here)
    else:
        watch(caller, here)


def test_limits_256_watches_of_one_caller(system: System, world: World) -> None:
    here, user = world.place(), unique("many-")
    connections = [system.connection() for _ in range(2)]
    callers = [Caller(connection, user) for connection in connections]
    watchers = [Watcher(callers[n % 2], location_id=here) for n in range(256)]
    for watcher in watchers:
        watcher.begin()
    callers[0].refused("TOO_MANY_WATCHES", "Watch", location_id=here)
    callers[1].refused("TOO_MANY_WATCHES", "Watch", all_counts=True)
    person = world.person()
    person.check_in(here)
    for watcher in watchers:
        watcher.until(lambda watcher=watcher: watcher.count == 1)
    assert {watcher.resets for watcher in watchers} == {1}
    callers[0].done("CancelWatch", call_id=watchers[0].call)
    watch(callers[1], here)
    for connection in connections:
        connection.close()
    again = system.caller(user=user)

    def forgotten() -> bool:
        reply = again.connection.next(again.start("Watch", location_id=here, heartbeat_ms=1000))
        return bool(reply.header.more)

    eventually("watches of a connection that is gone are forgotten", forgotten, 12)


def test_G4_who_never_reads_slows_nobody(system: System, world: World) -> None:
    here, people = world.place(), world.people(40)
    deaf = [Connection(system.rpc("gateway"), receive_high_water=1) for _ in range(20)]
    for connection in deaf:
        caller = Caller(connection, unique("deaf-"))
        for _ in range(50):
            caller.start("Watch", location_id=here, heartbeat_ms=1000)
    caller = system.caller(user=unique("reader-"))
    watcher = watch(caller, here)
    before = system.gateway.resident_kib()
    worst = 0.0
    for round in range(150):
        began = time.monotonic()
        count = 20 if round % 2 == 0 else 40
        if count == 40:
            world.check_in(here, people[20:])
        else:
            items = [{"profile_id": person} for person in people[20:]]
            world.check_in(here, people[:20])
            world.admin.done("BatchCheckIn", items=items)
        watcher.until(lambda count=count: watcher.count == count, 5)
        if round > 20:
            worst = max(worst, time.monotonic() - began)
    assert watcher.resets == 1 and worst < 1.0
    assert system.gateway.resident_kib() - before < 64 * 1024
    # One that reads again has what is true, after a reset, and no backlog.
    late = Watcher(Caller(deaf[0], unique("late-")), location_id=here)
    late.begin()
    late.settle(caller)
    for connection in deaf:
        connection.close()
