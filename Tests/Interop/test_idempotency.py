"""README "A call": a write may be repeated with its key; C8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from client import Caller, Reply
from messages import pb
from system import System
from world import PNG, World, new_id, unique

Fields = dict[str, Any]


def profile(first_name: str = "Ada") -> Fields:
    return {"profile": {"first_name": first_name}}


def key() -> Fields:
    """A header with a new key."""
    return {"idempotency_key": new_id()}


def write_twice(caller: Caller, method: str, fields: Fields) -> tuple[Reply, Reply]:
    """A write, repeated with its key."""
    header = key()
    first = caller.succeeded(method, header=header, **fields)
    again = caller.succeeded(method, header=header, **fields)
    return first, again


WRITES: dict[str, Callable[[World, bytes, bytes], Fields]] = {
    "CreateProfile": lambda w, p, h: {"profile": {"first_name": "A", "user_id": unique("i")}},
    "BatchCreateProfiles": lambda w, p, h: {"profiles": [{"first_name": "A"}] * 3},
    "UpdateProfile": lambda w, p, h: {
        "profile": {"id": p, "bio": unique("b")},
        "update_mask": ["bio"],
    },
    "SetAvatar": lambda w, p, h: {"profile_id": p, "image": PNG + unique().encode()},
    "DeleteProfile": lambda w, p, h: {"id": p},
    "CreateLocation": lambda w, p, h: {"location": {"name": unique("n")}},
    "BatchCreateLocations": lambda w, p, h: {"locations": [{"name": "n"}] * 3},
    "UpdateLocation": lambda w, p, h: {
        "location": {"id": h, "name": unique("n")},
        "update_mask": ["name"],
    },
    "SetLocationImage": lambda w, p, h: {"location_id": h, "which": 1, "image": PNG},
    "DeleteLocation": lambda w, p, h: {"id": h},
    "CheckIn": lambda w, p, h: {"profile_id": p, "location_id": h},
    "CheckOut": lambda w, p, h: {"profile_id": p},
    "BatchCheckIn": lambda w, p, h: {"items": [{"profile_id": p, "location_id": h}]},
    "CheckOutEveryone": lambda w, p, h: {"location_id": h},
}


@pytest.mark.parametrize("method", sorted(WRITES))
def test_C8_a_repeated_write_gets_the_first_response(
    world: World, admin: Caller, system: System, method: str
) -> None:
    [person], here = world.people(1), world.place()
    logs = [system.caller(name) for name in ("profiles", "locations", "check-ins")]
    first, again = write_twice(admin, method, WRITES[method](world, person, here))
    last = [log.done("ListChanges", limit=1).last_revision for log in logs]
    assert not first.replayed and again.replayed
    assert again.frame == first.frame
    assert again.as_of.profiles >= first.as_of.profiles
    fields = WRITES[method](world, person, here)
    if method not in ("DeleteProfile", "DeleteLocation"):
        admin.succeeded(method, header=key(), **fields)  # another key is another write
    changed = [log.done("ListChanges", limit=1).last_revision for log in logs]
    unchanging = ("CheckIn", "CheckOut", "BatchCheckIn", "CheckOutEveryone", "SetLocationImage")
    assert changed != last or method in (*unchanging, "DeleteProfile", "DeleteLocation")


def test_C8_a_repeat_changes_nothing(world: World, admin: Caller, system: System) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    header = key()
    first = person.caller.succeeded("CheckIn", location_id=a, header=header)
    person.caller.done("CheckIn", location_id=b)
    again = person.caller.succeeded("CheckIn", location_id=a, header=header)
    assert again.replayed and again.body == first.body
    assert person.caller.done("GetStatus").status.location_id == b
    assert len(admin.done("ListHistory", profile_id=person.id).changes) == 2


def test_C8_a_success_that_changed_nothing_is_kept_too(world: World) -> None:
    person, here = world.person("user"), world.place()
    person.caller.done("CheckIn", location_id=here)
    header = key()
    first = person.caller.succeeded("CheckIn", location_id=here, header=header)
    assert not first.body.changed
    person.caller.done("CheckOut")
    again = person.caller.succeeded("CheckIn", location_id=here, header=header)
    assert again.replayed and again.body == first.body
    assert world.count(here) == 0

    header = key()
    out = person.caller.succeeded("CheckOut", header=header)
    assert not out.body.changed
    person.caller.done("CheckIn", location_id=here)
    assert person.caller.succeeded("CheckOut", header=header).replayed
    assert world.count(here) == 1

    header = key()
    same = {"profile": {"first_name": "Ada"}, "update_mask": ["first_name"]}
    person.caller.succeeded("UpdateProfile", header=header, **same)
    other = {"profile": {"first_name": "Eve"}, "update_mask": ["first_name"]}
    person.caller.done("UpdateProfile", **other)
    assert person.caller.succeeded("UpdateProfile", header=header, **same).replayed
    assert person.caller.done("GetMe").profile.first_name == "Eve"


def test_C8_a_key_with_another_body_is_refused(world: World, admin: Caller) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    header = key()
    person.caller.succeeded("CheckIn", location_id=a, header=header)
    reused = "IDEMPOTENCY_KEY_REUSED"
    person.caller.refused(reused, "CheckIn", location_id=b, header=header)
    person.caller.refused(reused, "CheckIn", location_id=a, ttl_s=5, header=header)
    person.caller.refused(reused, "CheckOut", header=header)
    assert person.caller.done("GetStatus").status.location_id == a
    assert person.caller.succeeded("CheckIn", location_id=a, header=header).replayed


def test_C8_a_key_with_another_method_is_refused(world: World) -> None:
    user = world.stranger()
    header = key()
    user.succeeded("CreateProfile", header=header, **profile())
    mask = {"profile": {"bio": "x"}, "update_mask": ["bio"]}
    user.refused("IDEMPOTENCY_KEY_REUSED", "UpdateProfile", header=header, **mask)
    user.refused("IDEMPOTENCY_KEY_REUSED", "DeleteProfile", header=header)
    assert user.done("GetMe").profile.bio == ""


def test_C8_bodies_are_compared_byte_for_byte(world: World) -> None:
    user = world.stranger()
    header = key()
    body = b"\x0a\x05\x1a\x03Ada"
    user.succeeded("CreateProfile", body=body, header=header)
    assert user.succeeded("CreateProfile", body=body, header=header).replayed
    unknown = body + b"\xc0\x3e\x01"
    user.refused("IDEMPOTENCY_KEY_REUSED", "CreateProfile", body=unknown, header=header)


def test_C8_keys_go_by_the_user(world: World) -> None:
    header = key()
    one, two = world.stranger(), world.stranger()
    a = one.succeeded("CreateProfile", header=header, **profile()).body.profile
    b = two.succeeded("CreateProfile", header=header, **profile("Bob"))
    assert not b.replayed and b.body.profile.id != a.id


def test_C8_keys_hold_on_any_connection(system: System, world: World) -> None:
    user = world.stranger()
    header = key()
    first = user.succeeded("CreateProfile", header=header, **profile())
    for name in ("gateway", "gateway-2"):
        again = user.on(system.connection(name)).succeeded(
            "CreateProfile", header=header, **profile()
        )
        assert again.replayed and again.frame == first.frame


def test_C8_a_refused_write_may_be_tried_again(world: World, admin: Caller) -> None:
    full, people = world.place(capacity=1), world.people(2)
    world.check_in(full, people[:1])
    header = key()
    fields = {"profile_id": people[1], "location_id": full}
    admin.refused("LOCATION_FULL", "CheckIn", header=header, **fields)
    admin.refused("LOCATION_FULL", "CheckIn", header=header, **fields)
    admin.done("CheckOut", profile_id=people[0])
    done = admin.succeeded("CheckIn", header=header, **fields)
    assert done.body.changed and not done.replayed
    assert admin.succeeded("CheckIn", header=header, **fields).replayed


def test_C8_a_refused_write_does_not_hold_its_key(world: World) -> None:
    user, here = world.stranger(), world.place()
    header = key()
    user.refused("NO_PROFILE", "CheckIn", location_id=here, header=header)
    user.succeeded("CreateProfile", **profile())
    user.succeeded("CheckIn", location_id=world.place(), header=header)


def test_C8_parallel_repeats_are_one_write(system: System, world: World, admin: Caller) -> None:
    header = key()
    tag = unique("once")
    connections = [system.connection() for _ in range(10)]
    fields = {"location": {"name": tag}}
    calls = [(c, admin.on(c).start("CreateLocation", header=header, **fields)) for c in connections]
    replies = [connection.finish(call) for connection, call in calls]
    assert {reply.code for reply in replies} == {pb.CODE_OK}
    assert len({reply.frame for reply in replies}) == 1
    assert [reply.replayed for reply in replies].count(False) == 1
    assert len(admin.done("ListLocations", name_contains=tag).results) == 1


def test_C8_a_batch_is_replayed_whole(world: World, admin: Caller) -> None:
    here, people = world.place(), world.people(3)
    items = [{"profile_id": id, "location_id": here} for id in [*people, new_id()]]
    first, again = write_twice(admin, "BatchCheckIn", {"items": items})
    assert again.replayed and again.frame == first.frame
    assert again.body.outcomes[3].error.reason == "PROFILE_NOT_FOUND"


def test_C8_a_key_is_passed_over_on_reads(world: World) -> None:
    person = world.person("user")
    header = key()
    for bio in ("one", "two"):
        person.caller.done("UpdateProfile", profile={"bio": bio}, update_mask=["bio"])
        reply = person.caller.succeeded("GetMe", header=header)
        assert not reply.replayed and reply.body.profile.bio == bio
    person.caller.succeeded("GetStatus", header=header)


# Deleted people do not come back.


def test_B6_a_repeated_create_never_brings_anybody_back(world: World) -> None:
    user = world.stranger("user")
    header = key()
    user.succeeded("CreateProfile", header=header, **profile())
    user.done("DeleteProfile")
    user.refused("PROFILE_NOT_FOUND", "CreateProfile", header=header, **profile())
    assert not user.done("GetMe").HasField("profile")
    user.succeeded("CreateProfile", header=key(), **profile())
    user.refused("PROFILE_NOT_FOUND", "CreateProfile", header=header, **profile())


@pytest.mark.parametrize("method", ["UpdateProfile", "SetAvatar", "CheckIn", "CheckOut"])
def test_B6_stored_responses_that_tell_of_somebody_go_with_the_profile(
    world: World, admin: Caller, method: str
) -> None:
    [person], here = world.people(1), world.place()
    header = key()
    fields = WRITES[method](world, person, here)
    admin.succeeded(method, header=header, **fields)
    admin.done("DeleteProfile", id=person)
    admin.refused("PROFILE_NOT_FOUND", method, header=header, **fields)


@pytest.mark.parametrize("method", ["BatchCreateProfiles", "BatchCheckIn"])
def test_B6_a_batch_s_stored_response_goes_with_any_of_its_people(
    world: World, admin: Caller, method: str
) -> None:
    header = key()
    if method == "BatchCreateProfiles":
        fields: Fields = {"profiles": [{"first_name": "Ada"}] * 3}
        people = list(admin.succeeded(method, header=header, **fields).body.ids)
    else:
        people, here = world.people(3), world.place()
        fields = {"items": [{"profile_id": one, "location_id": here} for one in people]}
        admin.succeeded(method, header=header, **fields)
    admin.done("DeleteProfile", id=people[1])
    admin.refused("PROFILE_NOT_FOUND", method, header=header, **fields)
    read = admin.done("BatchGetProfiles", ids=people)
    assert list(read.missing) == [people[1]]


def test_B6_a_deletion_itself_can_be_repeated(world: World, admin: Caller) -> None:
    person = world.person("user")
    first, again = write_twice(person.caller, "DeleteProfile", {})
    assert again.replayed and again.frame == first.frame == b""
