"""README "Reading your own writes", at one gateway and across two."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from client import Caller, Connection
from messages import pb
from system import System
from world import FAR, World, unique


@pytest.fixture(scope="module")
def other_gateway(system: System) -> Iterator[Connection]:
    with Connection(system.rpc("gateway-2")) as connection:
        yield connection


def test_A4_through_one_gateway_a_user_sees_its_own_writes(system: System, world: World) -> None:
    user = world.stranger()
    one, two = (user.on(system.connection()) for _ in range(2))
    for number in range(15):
        tag = unique("own")
        here = one.done("CreateLocation", location={"name": tag}).location.id
        if number == 0:
            one.done("CreateProfile", profile={"first_name": "Ada"})
        name = f"N{number}"
        two.done("CheckIn", location_id=here)
        two.done("UpdateProfile", profile={"first_name": name}, update_mask=["first_name"])
        [person] = one.done("ListPeopleHere", location_id=here).people
        assert person.first_name == name
        [row] = two.done("GetBoard", name_contains=tag).rows
        assert row.count == 1
        assert one.done("GetStatus").status.location_id == here
        assert two.done("ListPeopleHere", location_id=here).count == 1
        [newest] = one.done("ListHistory", location_id=here).changes
        assert newest.acting_user == user.user
        [found] = two.done("ListLocations", name_contains=tag).results
        assert found.location.id == here


def test_A4_calls_sent_before_the_response_come_in_any_order_but_after_it_see_it(
    world: World, admin: Caller
) -> None:
    here = world.place()
    for number, person in enumerate(world.people(30), 1):
        admin.done("CheckIn", profile_id=person, location_id=here)
        assert world.count(here) == number


def reads(place: bytes, profile: bytes, tag: str) -> list[tuple[str, dict[str, Any], Callable]]:
    """Reads that show a write, each with what it must show."""
    return [
        ("ListPeopleHere", {"location_id": place}, lambda b: b.people[0].first_name == tag),
        ("GetCounts", {"location_ids": [place]}, lambda b: b.counts[0].count == 1),
        ("GetBoard", {"name_contains": tag}, lambda b: b.rows[0].count == 1),
        ("GetProfile", {"id": profile}, lambda b: b.profile.first_name == tag),
        ("GetStatus", {"profile_id": profile}, lambda b: b.status.location_id == place),
        ("ListCheckedIn", {"location_id": place}, lambda b: b.count == 1),
        ("ListHistory", {"location_id": place}, lambda b: len(b.changes) == 1),
        ("GetLocation", {"id": place}, lambda b: b.location.name == tag),
        ("ListLocations", {"name_contains": tag}, lambda b: len(b.results) == 1),
    ]


def merged(*revisions: Any) -> dict[str, int]:
    """The highest of each log."""
    names = ("profiles", "locations", "check_ins")
    return {name: max(getattr(one, name) for one in revisions) for name in names}


def test_A4_at_least_carries_writes_to_another_gateway(
    world: World, other_gateway: Connection
) -> None:
    for _ in range(10):
        tag = unique("carry")
        place = world.admin.succeeded("CreateLocation", location={"name": tag})
        user = world.stranger()
        profile = user.succeeded("CreateProfile", profile={"first_name": tag})
        where, who = place.body.location.id, profile.body.profile.id
        arrival = user.succeeded("CheckIn", location_id=where)
        header = {"at_least": merged(place.as_of, profile.as_of, arrival.as_of)}
        stranger = world.stranger().on(other_gateway)
        for method, fields, shows in reads(where, who, tag):
            reply = stranger.succeeded(method, header=header, **fields)
            assert shows(reply.body), reply


def test_A4_as_of_says_which_logs_had_a_part(world: World, admin: Caller) -> None:
    here = world.place()
    person = world.person()
    arrival = person.caller.succeeded("CheckIn", location_id=here)
    assert arrival.as_of.check_ins >= arrival.body.status.revision > 0
    people = admin.succeeded("ListPeopleHere", location_id=here).as_of
    assert people.check_ins >= arrival.as_of.check_ins
    assert people.profiles > 0 and people.locations > 0
    counts = admin.succeeded("GetCounts").as_of
    assert counts.check_ins >= people.check_ins and counts.profiles == 0
    profile = admin.succeeded("GetProfile", id=person.id).as_of
    assert profile.profiles > 0 and (profile.locations, profile.check_ins) == (0, 0)
    place = admin.succeeded("GetLocation", id=here).as_of
    assert place.locations > 0 and (place.profiles, place.check_ins) == (0, 0)


def test_A4_as_of_never_goes_back(world: World, admin: Caller) -> None:
    here, people = world.place(), world.people(20)
    last = 0
    for person in people:
        revision = admin.succeeded("CheckIn", profile_id=person, location_id=here).as_of.check_ins
        counts = admin.succeeded("GetCounts", location_ids=[here])
        assert counts.as_of.check_ins >= revision > last
        last = revision


CASES: list[tuple[str, dict[str, Any], str]] = [
    ("GetCounts", {}, "check_ins"),
    ("ListPeopleEverywhere", {}, "check_ins"),
    ("GetBoard", {}, "check_ins"),
    ("GetBoard", {}, "locations"),
    ("GetMe", {}, "profiles"),
    ("ListProfiles", {}, "profiles"),
    ("ListLocations", {}, "locations"),
    ("CreateLocation", {"location": {"name": "x"}}, "locations"),
    ("CreateProfile", {"profile": {"first_name": "x"}}, "profiles"),
]


@pytest.mark.parametrize(("method", "fields", "log"), CASES)
def test_A3_what_is_never_reached_is_waited_for_until_the_deadline(
    world: World, method: str, fields: dict[str, Any], log: str
) -> None:
    header = {"timeout_ms": 250, "at_least": {log: FAR}}
    began = time.monotonic()
    reply = world.stranger().refused("NOT_CAUGHT_UP", method, header=header, **fields)
    assert 0.22 <= time.monotonic() - began <= 1.5
    assert reply.code == pb.CODE_UNAVAILABLE


def test_A3_a_check_in_waits_for_the_profile_that_it_needs(world: World) -> None:
    person, here = world.person(), world.place()
    for log in ("profiles", "locations", "check_ins"):
        header = {"timeout_ms": 250, "at_least": {log: FAR}}
        reply = person.caller.call("CheckIn", location_id=here, header=header)
        # Where the answer cannot differ by a log that is behind, it need not be waited for.
        assert reply.reason == "NOT_CAUGHT_UP" or (log != "check_ins" and not reply.reason), reply


def test_A3_at_least_just_ahead_is_waited_for_and_then_answered(
    world: World, admin: Caller
) -> None:
    here, people = world.place(), world.people(2)
    now = admin.succeeded("CheckIn", profile_id=people[0], location_id=here).as_of.check_ins
    header = {"timeout_ms": 5000, "at_least": {"check_ins": now + 1}}
    waiting = admin.start("GetCounts", location_ids=[here], header=header)
    assert admin.connection.socket.poll(100) == 0, "answered before its time"
    admin.done("CheckIn", profile_id=people[1], location_id=here)
    reply = admin.connection.finish(waiting)
    assert reply.code == pb.CODE_OK and reply.body.counts[0].count == 2
