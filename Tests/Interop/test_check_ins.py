"""BEHAVIOURS C and E, CheckInService: who is where, once."""

from __future__ import annotations

import time
from typing import Any

import pytest
from client import Caller, Connection
from messages import pb
from system import System, eventually
from world import IN, NEVER, OUT, World, history, new_id


def test_C1_C4_the_response_says_what_is_now_true(world: World, admin: Caller) -> None:
    person, here = world.person("user"), world.place()
    before_ms = int(time.time() * 1000)
    reply = person.caller.succeeded("CheckIn", location_id=here)
    status = reply.body.status
    assert (status.profile_id, status.state, status.location_id) == (person.id, IN, here)
    assert before_ms - 1000 <= status.since_ms <= before_ms + 60_000
    assert 0 < status.revision <= reply.as_of.check_ins
    assert reply.body.changed and reply.body.previous_location_id == b""
    assert status.expire_time_ms == 0
    assert person.caller.done("GetStatus").status == status
    assert admin.done("GetStatus", profile_id=person.id).status == status


def test_C1_checking_out(world: World) -> None:
    person, here = world.person("user"), world.place()
    arrived = person.check_in(here).status
    reply = person.caller.succeeded("CheckOut")
    status = reply.body.status
    assert reply.body.changed and reply.body.previous_location_id == here
    assert (status.profile_id, status.state, status.location_id) == (person.id, OUT, b"")
    assert arrived.revision < status.revision <= reply.as_of.check_ins
    assert status.since_ms >= arrived.since_ms and status.expire_time_ms == 0
    again = person.caller.done("CheckOut")
    assert not again.changed and again.previous_location_id == b"" and again.status == status
    assert person.caller.done("GetStatus").status == status
    assert world.count(here) == 0


def test_C1_who_never_checked_in_is_out(world: World) -> None:
    person = world.person("user")
    status = person.caller.done("GetStatus").status
    assert (status.state, status.location_id, status.revision) == (OUT, b"", 0)
    assert status.profile_id == person.id and status.expire_time_ms == 0
    out = person.caller.done("CheckOut")
    assert not out.changed and out.status.revision == 0 and out.status.state == OUT


def test_C2_checking_in_elsewhere_is_one_change(world: World, admin: Caller) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    person.check_in(a)
    moved = person.check_in(b)
    assert moved.changed and moved.previous_location_id == a and moved.status.location_id == b
    entries = history(admin, profile_id=person.id)
    assert [(c.from_location_id, c.to_location_id) for c in entries] == [(a, b), (b"", a)]
    assert entries[0].revision == moved.status.revision
    counts = admin.done("GetCounts", location_ids=[a, b]).counts
    assert [count.count for count in counts] == [0, 1]


def test_C3_checking_in_twice_is_one_arrival(world: World, admin: Caller) -> None:
    person, here = world.person("user"), world.place()
    first = person.check_in(here)
    again = [person.check_in(here) for _ in range(9)]
    for body in again:
        assert not body.changed and body.status == first.status
        assert body.previous_location_id == here
    assert world.count(here) == 1
    assert len(admin.done("ListPeopleHere", location_id=here).people) == 1
    assert len(history(admin, location_id=here)) == 1


def test_C3_a_new_ttl_moves_the_end_in_silence(world: World, admin: Caller, system: System) -> None:
    person, here = world.person("user"), world.place()
    first = person.check_in(here, ttl_s=1000)
    end_ms = first.status.since_ms + 1_000_000
    assert abs(first.status.expire_time_ms - end_ms) <= 1000
    log = Caller(system.connection("check-ins"))
    last = log.done("ListChanges", limit=1).last_revision

    renewed = person.check_in(here, ttl_s=5000)
    assert not renewed.changed and renewed.status.since_ms == first.status.since_ms
    assert renewed.status.revision == first.status.revision
    assert renewed.status.expire_time_ms - first.status.expire_time_ms >= 3_999_000
    kept = person.check_in(here)
    assert kept.status == renewed.status  # 0 does not move the end
    never = person.check_in(here, ttl_s=NEVER)
    assert never.status.expire_time_ms == 0 and not never.changed
    assert person.caller.done("GetStatus").status == never.status

    changes = log.done("ListChanges", after_revision=last).changes
    renewals = [c.check_in for c in changes if c.check_in.profile_id == person.id]
    assert [c.reason for c in renewals] == [pb.CHANGE_REASON_RENEWED] * 2
    for change in renewals:
        assert change.from_location_id == change.to_location_id == here
    assert renewals[0].expire_time_ms == renewed.status.expire_time_ms
    assert len(history(admin, profile_id=person.id)) == 1


def test_C5_without_a_profile_nothing_is_written(world: World) -> None:
    user, here = world.stranger("user"), world.place()
    for method in ("CheckIn", "CheckOut", "GetStatus"):
        fields = {"location_id": here} if method == "CheckIn" else {}
        user.refused("NO_PROFILE", method, **fields)
    assert world.count(here) == 0


def test_C5_unknown_place_and_unknown_profile(world: World, admin: Caller) -> None:
    person, here = world.person("user"), world.place()
    before = person.check_in(here).status
    person.caller.refused("LOCATION_NOT_FOUND", "CheckIn", location_id=new_id())
    assert person.caller.done("GetStatus").status == before
    admin.refused("PROFILE_NOT_FOUND", "CheckIn", profile_id=new_id(), location_id=here)
    assert world.count(here) == 1


# Expectations.


def test_C6_expectations_that_hold(world: World) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    person.check_in(a, expect={"checked_out": True})
    moved = person.check_in(b, expect={"location_id": a})
    again = person.check_in(a, expect={"revision": moved.status.revision})
    assert again.changed
    kept = person.check_in(a, expect={"location_id": a})
    assert not kept.changed
    assert person.caller.done("CheckOut", expect={"location_id": a}).changed
    out = person.caller.done("CheckOut", expect={"checked_out": True})
    assert not out.changed


@pytest.mark.parametrize("method", ["CheckIn", "CheckOut"])
def test_C6_a_stale_screen_cannot_undo_a_newer_fact(
    world: World, admin: Caller, method: str
) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    first = person.check_in(a).status
    status = person.check_in(b).status
    fields = {"location_id": b} if method == "CheckIn" else {}
    wrong = [
        {"checked_out": True},
        {"location_id": a},
        {"location_id": new_id()},
        {"revision": first.revision},
        {"revision": status.revision + 1000},
    ]
    for expect in wrong:
        reply = person.caller.refused("STATUS_CHANGED", method, expect=expect, **fields)
        assert reply.body.status == status and not reply.body.changed
    assert person.caller.done("GetStatus").status == status
    assert len(history(admin, profile_id=person.id)) == 2


def test_C6_a_stale_screen_of_somebody_who_is_out(world: World) -> None:
    person, a = world.person("user"), world.place()
    for expect in ({"location_id": a}, {"revision": 4711}):
        reply = person.caller.refused("STATUS_CHANGED", "CheckIn", location_id=a, expect=expect)
        assert reply.body.status.state == OUT
    assert world.count(a) == 0


@pytest.mark.parametrize("expect", [{}, {"checked_out": False}])
def test_C6_an_expectation_that_says_nothing_is_refused(
    world: World, expect: dict[str, bool]
) -> None:
    person, a = world.person("user"), world.place()
    for method, fields in (("CheckIn", {"location_id": a}), ("CheckOut", {})):
        refused = person.caller.violations(method, expect=expect, **fields)
        assert refused and all(field.startswith("expect") for field in refused)


# Many at once.


def test_C8_parallel_check_ins_end_at_exactly_one_place(system: System, world: World) -> None:
    person = world.person("user")
    places = [world.place() for _ in range(32)]
    connections = [Connection(system.rpc("gateway")) for _ in places]
    pairs = list(zip(connections, places, strict=True))
    calls = [(c, person.caller.on(c).start("CheckIn", location_id=at)) for c, at in pairs]
    for connection, call in calls:
        assert connection.finish(call).body.changed
    for connection in connections:
        connection.close()
    at = person.caller.done("GetStatus").status.location_id
    counts = world.admin.done("GetCounts", location_ids=places).counts
    assert [count.location_id for count in counts] == places
    assert {c.location_id: c.count for c in counts if c.count} == {at: 1}
    entries = history(world.admin, profile_id=person.id)
    assert len(entries) == 32 and entries[0].to_location_id == at
    for newer, older in zip(entries, entries[1:]):
        assert newer.from_location_id == older.to_location_id


def test_C8_the_same_call_ten_times_at_once_is_one_change(world: World) -> None:
    person, here = world.person("user"), world.place()
    calls = [person.caller.start("CheckIn", location_id=here) for _ in range(10)]
    bodies = [world.connection.finish(call).body for call in calls]
    assert sum(body.changed for body in bodies) == 1
    assert len({(body.status.since_ms, body.status.revision) for body in bodies}) == 1
    assert world.count(here) == 1


# Ends of stays.


def test_C9_a_stay_ends_by_itself(world: World, admin: Caller, system: System) -> None:
    person, here = world.person("user"), world.place()
    stays = world.person("user")
    stays.check_in(here)
    began = time.time()
    status = person.check_in(here, ttl_s=1).status
    assert abs(status.expire_time_ms - status.since_ms - 1000) <= 1000
    assert world.count(here) == 2

    def out() -> Any:
        return person.caller.done("GetStatus").status.state == OUT

    eventually("the stay ended", out, 5)
    assert 0.9 <= time.time() - began <= 3.5
    ended = person.caller.done("GetStatus").status
    newest = history(admin, profile_id=person.id)[0]
    assert newest.reason == pb.CHANGE_REASON_EXPIRED and newest.acting_user == ""
    assert (newest.from_location_id, newest.to_location_id) == (here, b"")
    assert ended.revision == newest.revision and ended.since_ms == newest.time_ms
    assert abs(newest.time_ms - status.expire_time_ms) <= 1500
    people = admin.done("ListPeopleHere", location_id=here)
    assert (people.count, len(people.people), world.count(here)) == (1, 1, 1)
    assert ended.expire_time_ms == 0


def test_C9_an_end_can_be_moved_nearer_and_a_move_takes_it_away(world: World) -> None:
    near, moved, never = (world.person("user") for _ in range(3))
    here, there = world.place(), world.place()
    near.check_in(here, ttl_s=3600)
    near.check_in(here, ttl_s=1)
    moved.check_in(here, ttl_s=1)
    assert moved.check_in(there).status.expire_time_ms == 0
    never.check_in(here, ttl_s=1)
    never.check_in(here, ttl_s=NEVER)

    def ended() -> bool:
        return near.caller.done("GetStatus").status.state == OUT

    eventually("the nearer end came", ended, 5)
    assert moved.caller.done("GetStatus").status.location_id == there
    assert never.caller.done("GetStatus").status.location_id == here
