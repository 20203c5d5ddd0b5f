"""C5, D6: what goes on while a service is down, and what says that it cannot be known now."""

from __future__ import annotations

import time
from typing import Any

from client import Caller
from messages import pb
from system import eventually
from town import Town
from world import Person, new_id


def unavailable(caller: Caller, method: str, **arguments: Any) -> None:
    """That a call fails at once because a service is gone."""
    began = time.monotonic()
    caller.refused("SERVICE_UNREACHABLE", method, **arguments)
    assert time.monotonic() - began < 2


def test_D6_the_list_has_everybody_without_the_profile_service(town: Town) -> None:
    admin = town.world.admin
    here = admin.done("ListPeopleHere", location_id=town.place)
    everywhere = admin.done("ListPeopleEverywhere")
    town.lose("profiles")
    town.system.gateway.kill()  # whatever it remembered of profiles is gone with it
    town.system.gateway.start()
    town.wait_until_down("profiles")
    body = admin.done("ListPeopleHere", location_id=town.place)
    assert list(body.unreachable) == ["profiles"] and body.count == here.count == 4
    assert [(p.profile_id, p.since_ms) for p in body.people] == [
        (p.profile_id, p.since_ms) for p in here.people
    ]
    for person in body.people:
        assert person.profile_unavailable and not person.first_name and not person.avatar_id
    assert body.location == here.location
    all_ = admin.done("ListPeopleEverywhere")
    assert list(all_.unreachable) == ["profiles"]
    assert {p.location_id: p.count for p in all_.locations} == {
        p.location_id: p.count for p in everywhere.locations
    }
    assert all(p.profile_unavailable for place in all_.locations for p in place.people)
    complete = {"location_id": town.place, "complete_only": True}
    assert admin.call("ListPeopleHere", **complete).code == pb.CODE_UNAVAILABLE
    unavailable(admin, "GetProfile", id=town.people[1].id)
    unavailable(admin, "CreateProfile", profile={"first_name": "x"})
    admin.done("GetBoard")
    admin.done("GetCounts")

    town.system.profiles.start()
    town.system.wait_until_serving()
    again = admin.done("ListPeopleHere", location_id=town.place, complete_only=True)
    assert again == here


def test_E3_counting_reads_no_profile(town: Town) -> None:
    admin = town.world.admin
    before = admin.done("GetCounts")
    town.lose("profiles")
    for program in (town.system.gateway, town.system.check_ins):
        program.kill()  # whatever they remembered of profiles in memory is gone with them
        program.start()

    def counts() -> Any:
        reply = admin.call("GetCounts")
        return reply.code == pb.CODE_OK and reply.body

    assert eventually("it counts", counts, 10) == before
    person = town.people[3]
    admin.done("CheckIn", profile_id=person.id, location_id=town.empty)
    assert town.world.count(town.empty) == 1
    admin.done("CheckIn", profile_id=person.id, location_id=town.place)
    assert admin.done("GetCounts").counts == before.counts


def test_D6_a_gateway_that_knew_everybody_still_says_who_is_unreachable(town: Town) -> None:
    admin = town.world.admin
    here = admin.done("ListPeopleHere", location_id=town.place)
    town.lose("profiles")
    body = admin.done("ListPeopleHere", location_id=town.place)
    assert [p.profile_id for p in body.people] == [p.profile_id for p in here.people]
    assert list(body.unreachable) == ["profiles"]
    assert all(person.profile_unavailable for person in body.people)


def test_C5_check_ins_go_on_without_the_owners_of_profiles_and_places(town: Town) -> None:
    admin = town.world.admin
    person: Person = town.people[2]
    town.lose("profiles")
    town.lose("locations")
    moved = admin.done("CheckIn", profile_id=person.id, location_id=town.empty)
    assert moved.changed and town.world.count(town.empty) == 1
    unavailable(admin, "CheckIn", profile_id=new_id(), location_id=town.place)
    unavailable(admin, "CheckIn", profile_id=person.id, location_id=new_id())
    town.system.check_ins.kill()
    town.system.check_ins.start()  # decides by what it knows itself, also after a restart

    def back() -> bool:
        fields = {"profile_id": person.id, "location_id": town.place}
        reply = admin.call("CheckIn", **fields)
        return reply.code == pb.CODE_OK

    eventually("check-ins serve without the others", back, 10)
    assert town.world.count(town.place) >= 4


def test_C5_without_the_check_in_service_its_calls_fail_at_once(town: Town) -> None:
    admin = town.world.admin
    town.lose("check-ins")
    person = {"profile_id": town.people[1].id}
    unavailable(admin, "CheckIn", location_id=town.place, **person)
    unavailable(admin, "CheckOut", **person)
    unavailable(admin, "ListHistory", **person)
    admin.done("GetProfile", id=town.people[1].id)
    admin.done("ListLocations")


def test_C10_nothing_is_deleted_that_lists_would_go_on_to_show(town: Town) -> None:
    admin = town.world.admin
    person = town.world.person()
    place = town.world.place()
    person.caller.done("CheckIn", location_id=place)
    revisions = {name: last_revision(town, name) for name in ("profiles", "locations")}
    town.lose("check-ins")
    for method, arguments in (
        ("DeleteProfile", {"id": person.id}),
        ("DeleteLocation", {"id": place}),
        ("DeleteLocation", {"id": place, "check_out_everyone": True}),
    ):
        unavailable(admin, method, **arguments)
    assert admin.done("GetProfile", id=person.id).profile.id == person.id
    assert admin.done("GetLocation", id=place).location.id == place
    assert {name: last_revision(town, name) for name in revisions} == revisions
    town.system.check_ins.start()
    town.system.wait_until_serving()
    assert town.world.count(place) == 1
    assert admin.done("DeleteLocation", id=place, check_out_everyone=True).checked_out == 1
    admin.done("DeleteProfile", id=person.id)


def last_revision(town: Town, name: str) -> int:
    return town.system.caller(name).done("ListChanges", limit=1).last_revision


def test_C10_a_delete_in_the_middle_of_which_the_check_in_service_dies(town: Town) -> None:
    """It is refused, or done; where it is not known, what comes back knows of it."""
    admin = town.world.admin
    for _ in range(10):
        person = town.world.person()
        person.caller.done("CheckIn", location_id=town.place)
        with town.system.connection() as connection:
            header = {"timeout_ms": 1500}
            call = admin.on(connection).start("DeleteProfile", id=person.id, header=header)
            town.system.check_ins.kill()
            reply = connection.finish(call)
        town.system.check_ins.start()
        town.system.wait_until_serving()
        found = admin.call("GetProfile", id=person.id)
        if reply.reason == "SERVICE_UNREACHABLE":
            assert found.code == pb.CODE_OK
            assert admin.done("GetStatus", profile_id=person.id).status.location_id == town.place
            admin.done("DeleteProfile", id=person.id)
        elif reply.reason == "OUTCOME_UNKNOWN":
            again = admin.call("DeleteProfile", id=person.id)
            assert again.reason in ("", "PROFILE_NOT_FOUND")
        else:
            assert reply.code == pb.CODE_OK and found.reason == "PROFILE_NOT_FOUND"

        def gone() -> bool:
            rows = admin.done("ListPeopleHere", location_id=town.place).people
            return person.id not in {row.profile_id for row in rows}

        eventually("the deleted one is nowhere", gone)


def test_A3_a_service_that_drains_finishes_its_deletes(town: Town) -> None:
    admin = town.world.admin
    person = town.world.person()
    town.system.check_ins.pause()
    with town.system.connection() as connection:
        call = admin.on(connection).start("DeleteProfile", id=person.id)
        # What comes later on the same connection is answered: so the delete is under way.
        admin.on(connection).done("GetProfile", id=person.id)
        town.system.profiles.ask_to_stop()
        eventually(
            "the profile service drains",
            lambda: admin.call("GetProfile", id=person.id).reason == "DRAINING",
        )
        town.system.check_ins.resume()
        assert connection.finish(call).code == pb.CODE_OK
    assert town.system.profiles.wait() == 0
    town.system.profiles.start()
    town.system.wait_until_serving()
    admin.refused("PROFILE_NOT_FOUND", "GetProfile", id=person.id)


def test_A3_a_call_in_flight_to_a_dying_service_is_answered(town: Town) -> None:
    admin = town.world.admin
    header = {"timeout_ms": 5000, "at_least": {"profiles": 2**60}}
    call = admin.start("ListProfiles", header=header)
    town.system.profiles.kill()
    began = time.monotonic()
    reply = admin.connection.finish(call)
    assert reply.code == pb.CODE_UNAVAILABLE and time.monotonic() - began < 6
    town.system.profiles.start()
    town.system.wait_until_serving()


def test_a_service_that_stands_still_for_a_moment_is_not_out_of_reach(town: Town) -> None:
    """However many calls it is owed then: they are what one caller may have in flight."""
    person = town.people[4]
    count = 3_000
    town.system.check_ins.pause()
    try:
        calls = [
            person.caller.start("CheckIn", location_id=town.place, ttl_s=5000)
            for _ in range(count)
        ]
        # The gateway answers this itself, and reads in order: it has passed all others on by then.
        assert person.caller.done("GetCounts")
    finally:
        town.system.check_ins.resume()
    codes = {person.caller.connection.finish(call).code for call in calls}
    assert codes == {pb.CODE_OK}
