"""What outlives a kill -9, what goes on without a neighbour, and in which order all may start."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from client import Caller, Connection
from messages import METHODS, pb
from system import Program, System, eventually
from town import SERVICES, Town
from wire_bytes import number
from world import new_id, unique

NewSystem = Callable[[], System]


def restart(town: Town, programs: list[Program], end: Callable[[Program], object]) -> None:
    """Ends the programs, starts them again and waits until all serve."""
    for program in programs:
        end(program)
    for program in programs:
        program.start()
    town.system.wait_until_serving()


@pytest.mark.parametrize("index", range(4), ids=[*SERVICES, "gateway"])
def test_C7_a_killed_process_knows_all_again(town: Town, index: int) -> None:
    before = town.state()
    restart(town, [town.system.programs[index]], Program.kill)
    assert town.changed(before) == []
    here = town.world.place()
    [person] = town.world.people(1)
    assert town.world.admin.done("CheckIn", profile_id=person, location_id=here).changed
    town.world.admin.done("DeleteProfile", id=person)


def test_C7_all_killed_at_once_know_all_again(town: Town) -> None:
    before = town.state()
    restart(town, town.system.programs[:4], Program.kill)
    assert town.changed(before) == []


def test_C7_all_end_when_asked_and_know_all_again(town: Town) -> None:
    before = town.state()
    codes = []
    restart(town, town.system.programs[3::-1], lambda program: codes.append(program.stop()))
    assert codes == [0] * 4
    assert town.changed(before) == []


def test_D4_a_fresh_gateway_answers_in_full_at_once(town: Town) -> None:
    expected = town.world.admin.done("ListPeopleHere", location_id=town.place)
    town.system.gateway.kill()
    town.system.gateway.start()
    with Connection(town.system.rpc("gateway")) as connection:
        caller = Caller(connection, "fresh")
        reply = caller.call("ListPeopleHere", location_id=town.place)
        while reply.reason == "STARTING":
            reply = caller.call("ListPeopleHere", location_id=town.place)
    assert reply.code == pb.CODE_OK and reply.body == expected


def test_C8_a_key_holds_after_a_crash(town: Town) -> None:
    admin = town.world.admin
    person = town.world.person()
    writes: list[tuple[Caller, str, dict[str, Any]]] = [
        (admin, "CreateProfile", {"profile": {"first_name": "A", "user_id": unique("crash")}}),
        (admin, "BatchCreateProfiles", {"profiles": [{"first_name": "B"}] * 3}),
        (admin, "CreateLocation", {"location": {"name": "Crash"}}),
        (person.caller, "CheckIn", {"location_id": town.empty}),
        (admin, "BatchCheckIn", {"items": [{"profile_id": person.id}]}),
        (person.caller, "CheckOut", {}),
    ]
    done = []
    for caller, method, fields in writes:
        header = {"idempotency_key": new_id()}
        reply = caller.succeeded(method, header=header, **fields)
        done.append((caller, method, fields, header, reply))
    gone = town.world.stranger()
    gone_header = {"idempotency_key": new_id()}
    fields = {"profile": {"first_name": "Gone"}}
    gone.succeeded("CreateProfile", header=gone_header, **fields)
    gone.done("DeleteProfile")

    restart(town, town.system.programs[:4], Program.kill)
    before = town.state()
    for caller, method, fields_, header, reply in done:
        again = caller.succeeded(method, header=header, **fields_)
        assert again.replayed and again.frame == reply.frame
        known = METHODS[method].request(**fields_).SerializeToString()
        body = known + number(1000, 1)  # the same to a reader, and yet another body
        caller.refused("IDEMPOTENCY_KEY_REUSED", method, header=header, body=body)
    gone.refused("PROFILE_NOT_FOUND", "CreateProfile", header=gone_header, **fields)
    assert town.changed(before) == []
    admin.done("DeleteProfile", id=person.id)


def test_a_call_page_tokens_outlive_a_restart(town: Town) -> None:
    admin = town.world.admin
    at = {"location_id": town.place}
    lists: list[tuple[str, dict[str, Any]]] = [
        ("ListProfiles", {}),
        ("ListLocations", {}),
        ("ListLocations", {"name_contains": "e"}),
        ("ListHistory", at),
        ("ListCheckedIn", at),
        ("ListPeopleHere", at),
        ("GetBoard", {}),
    ]
    pages = []
    for method, fields in lists:
        first = admin.done(method, page_size=1, **fields)
        assert first.next_page_token, method
        arguments = {**fields, "page_size": 2, "page_token": first.next_page_token}
        pages.append((method, arguments, admin.done(method, **arguments)))
    snapshots = []
    for name in SERVICES:
        log = town.system.caller(name)
        token = log.done("GetSnapshot", page_size=1).next_page_token
        snapshots.append((log, token, log.done("GetSnapshot", page_token=token)))
    restart(town, town.system.programs[:4], Program.kill)
    for method, arguments, expected in pages:
        answer = admin.done(method, **arguments)
        expected.ClearField("next_page_token")
        answer.ClearField("next_page_token")
        assert answer == expected, method
    for log, token, expected in snapshots:
        answer = log.done("GetSnapshot", page_token=token)
        assert (answer.revision, answer.entries[:]) == (expected.revision, expected.entries[:])


def test_C9_a_stay_that_ended_while_nothing_ran_is_over(town: Town) -> None:
    person = town.world.person()
    status = person.caller.done("CheckIn", location_id=town.empty, ttl_s=1).status
    town.system.check_ins.kill()
    eventually("its end", lambda: time.time() * 1000 > status.expire_time_ms + 100)
    town.system.check_ins.start()
    town.system.wait_until_serving()

    def out() -> Any:
        return person.caller.done("GetStatus").status.state == pb.CHECK_IN_STATE_CHECKED_OUT

    eventually("the stay ended", out, 5)
    history = town.world.admin.succeeded("ListHistory", profile_id=person.id)
    assert history.body.changes[0].reason == pb.CHANGE_REASON_EXPIRED
    # The check-in service has said so, of which the gateway hears a moment later by itself.
    header = {"at_least": history.as_of}
    counts = town.world.admin.done("GetCounts", location_ids=[town.empty], header=header).counts
    assert counts[0].count == 0
    person.caller.done("DeleteProfile")


def test_B4_creates_under_a_kill_are_whole_or_not_at_all(town: Town) -> None:
    users = [unique("torn") for _ in range(300)]
    admin = town.world.admin
    with town.system.connection() as connection:
        caller = admin.on(connection)
        header = {"timeout_ms": 3000}
        calls = {
            user: caller.start(
                "CreateProfile", profile={"first_name": "T", "user_id": user}, header=header
            )
            for user in users
        }
        first = calls.pop(users[0])
        replies = {users[0]: connection.finish(first)}
        town.system.profiles.kill()
        replies.update((user, connection.finish(call)) for user, call in calls.items())
    town.system.profiles.start()
    town.system.wait_until_serving()
    for user, reply in replies.items():
        found = admin.call("GetProfile", user_id=user)
        if reply.code == pb.CODE_OK:
            assert found.body.profile == reply.body.profile, "an acknowledged write is gone"
        else:
            assert reply.code == pb.CODE_UNAVAILABLE, reply
            assert found.reason in ("", "PROFILE_NOT_FOUND")
            if reply.reason == "SERVICE_UNREACHABLE":
                assert found.reason == "PROFILE_NOT_FOUND"
        if not found.reason:
            assert found.body.profile.user_id == user
            admin.done("DeleteProfile", id=found.body.profile.id)


def test_C8_acknowledged_check_ins_outlive_a_kill(town: Town) -> None:
    people = town.world.people(200)
    admin = town.world.admin
    with town.system.connection() as connection:
        caller = admin.on(connection)
        calls = {
            person: caller.start(
                "CheckIn",
                profile_id=person,
                location_id=town.empty,
                header={"timeout_ms": 3000, "idempotency_key": person},
            )
            for person in people
        }
        first = calls.pop(people[0])
        replies = {people[0]: connection.finish(first)}
        town.system.check_ins.kill()
        replies.update((person, connection.finish(call)) for person, call in calls.items())
    town.system.check_ins.start()
    town.system.wait_until_serving()
    for person, reply in replies.items():
        status = admin.done("GetStatus", profile_id=person).status
        if reply.code == pb.CODE_OK:
            assert status == reply.body.status
        header = {"idempotency_key": person}
        again = admin.succeeded("CheckIn", profile_id=person, location_id=town.empty, header=header)
        assert again.replayed == (status.state == pb.CHECK_IN_STATE_CHECKED_IN)
    assert town.world.count(town.empty) == 200
    assert admin.done("CheckOutEveryone", location_id=town.empty).checked_out == 200


ORDERS = [(3, 2, 1, 0), (2, 3, 0, 1), (1, 2, 3, 0), (3, 0, 1, 2)]


@pytest.mark.parametrize("order", ORDERS)
def test_D4_any_order_of_starting_converges(town: Town, order: tuple[int, ...]) -> None:
    before = town.state()
    for program in town.system.programs[:4]:
        program.kill()
    for index in order:
        program = town.system.programs[index]
        program.start()
        if index != order[-1]:
            with town.system.connection(program.name) as connection:
                Caller(connection).done("CheckHealth")  # answers, alone as it is
    town.system.wait_until_serving()
    assert town.changed(before) == []


def test_B4_a_new_system_starts_empty(new_system: NewSystem) -> None:
    system = new_system()
    system.start()
    admin = system.caller(user="first")
    assert admin.done("GetCounts").total == 0
    for method in ("ListProfiles", "ListLocations", "GetBoard", "ListPeopleEverywhere"):
        assert not admin.done(method).ListFields()
    for name in SERVICES:
        log = system.caller(name)
        body = log.done("ListChanges")
        assert (body.last_revision, len(body.changes)) == (0, 0)
        log.refused("LOG_RESTORED", "ListChanges", after_revision=1)
        snapshot = log.done("GetSnapshot")
        assert (snapshot.revision, len(snapshot.entries)) == (0, 0)
