"""C10, F1: places that are deleted, and places that are full."""

from __future__ import annotations

from client import Caller
from messages import pb
from world import World, unique


def test_C10_an_occupied_place_is_not_deleted(world: World, admin: Caller) -> None:
    here = world.place(external_id=unique("busy"))
    people = world.people(3)
    world.check_in(here, people)
    admin.refused("LOCATION_OCCUPIED", "DeleteLocation", id=here)
    assert world.count(here) == 3 and admin.done("GetLocation", id=here).location.id == here


def test_C10_or_everybody_is_checked_out(world: World, admin: Caller) -> None:
    tag = unique("gone")
    here, elsewhere = world.place(name=tag, external_id=tag), world.place()
    people = world.people(3)
    world.check_in(here, people)
    world.check_in(elsewhere, people[2:])
    reply = admin.succeeded("DeleteLocation", id=here, check_out_everyone=True)
    assert reply.body.checked_out == 2
    assert reply.as_of.locations > 0 and reply.as_of.check_ins > 0
    for person in people[:2]:
        status = admin.done("GetStatus", profile_id=person).status
        assert (status.state, status.location_id) == (pb.CHECK_IN_STATE_CHECKED_OUT, b"")
        newest = admin.done("ListHistory", profile_id=person).changes[0]
        assert newest.reason == pb.CHANGE_REASON_LOCATION_DELETED
        assert (newest.from_location_id, newest.to_location_id) == (here, b"")
    assert world.count(here) == 0 and world.count(elsewhere) == 1
    for method in ("ListPeopleHere", "ListCheckedIn", "CheckOutEveryone"):
        admin.refused("LOCATION_NOT_FOUND", method, location_id=here)
    for question in ({"id": here}, {"external_id": tag}):
        admin.refused("LOCATION_NOT_FOUND", "GetLocation", **question)
    admin.refused("LOCATION_NOT_FOUND", "DeleteLocation", id=here)
    arguments = {"profile_id": people[0], "location_id": here}
    admin.refused("LOCATION_NOT_FOUND", "CheckIn", **arguments)
    assert list(admin.done("BatchGetLocations", ids=[here]).missing) == [here]
    assert not admin.done("GetBoard", name_contains=tag).rows
    assert here not in {count.location_id for count in admin.done("GetCounts").counts}


def test_C10_an_empty_place_is_simply_deleted(world: World, admin: Caller) -> None:
    for everyone in (False, True):
        here = world.place()
        person = world.people(1)
        world.check_in(here, person)
        admin.done("CheckOut", profile_id=person[0])
        body = admin.done("DeleteLocation", id=here, check_out_everyone=everyone)
        assert body.checked_out == 0
        admin.refused("LOCATION_NOT_FOUND", "GetLocation", id=here)


def test_C10_who_checks_in_while_a_place_is_deleted_is_nowhere_deleted(
    world: World, admin: Caller
) -> None:
    for _ in range(5):
        here, people = world.place(), world.people(20)
        calls = [
            admin.start("CheckIn", profile_id=person, location_id=here) for person in people[:10]
        ]
        delete = admin.start("DeleteLocation", id=here, check_out_everyone=True)
        calls += [
            admin.start("CheckIn", profile_id=person, location_id=here) for person in people[10:]
        ]
        assert admin.connection.finish(delete).code == pb.CODE_OK
        for call in calls:
            assert admin.connection.finish(call).reason in ("", "LOCATION_NOT_FOUND")
        for person in people:
            status = admin.done("GetStatus", profile_id=person).status
            assert status.state == pb.CHECK_IN_STATE_CHECKED_OUT
        assert world.count(here) == 0


# Capacity.


def test_F1_a_place_takes_as_many_as_fit(world: World, admin: Caller) -> None:
    here, people = world.place(capacity=2), world.people(4)
    world.check_in(here, people[:2])
    third = {"profile_id": people[2], "location_id": here}
    admin.refused("LOCATION_FULL", "CheckIn", **third)
    assert not admin.done("CheckIn", profile_id=people[0], location_id=here).changed
    batch = admin.done("BatchCheckIn", items=[third, {"profile_id": people[1]}, third])
    assert batch.outcomes[0].error.reason == "LOCATION_FULL"
    assert batch.outcomes[2].changed and not batch.outcomes[2].HasField("error")
    assert world.count(here) == 2
    world.change(here, ["capacity"], capacity=1)
    renewed = admin.done("CheckIn", profile_id=people[0], location_id=here, ttl_s=500)
    assert not renewed.changed and renewed.status.expire_time_ms > 0
    assert world.count(here) == 2
    admin.refused("LOCATION_FULL", "CheckIn", profile_id=people[3], location_id=here)
    world.change(here, ["capacity"], capacity=0)
    admin.succeeded("CheckIn", profile_id=people[3], location_id=here)


def test_F1_the_last_room_is_given_once(world: World, admin: Caller) -> None:
    here, people = world.place(capacity=5), world.people(32)
    calls = [admin.start("CheckIn", profile_id=person, location_id=here) for person in people]
    reasons = [admin.connection.finish(call).reason for call in calls]
    assert sorted(reasons) == [""] * 5 + ["LOCATION_FULL"] * 27
    assert world.count(here) == 5
