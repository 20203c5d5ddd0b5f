"""README "A call", what is checked first decides. Each test breaks two rules at once."""

from __future__ import annotations

import time

import pytest
from client import Caller
from world import FAR, World, new_id, unique

CAUGHT_UP = {"at_least": {"profiles": FAR, "locations": FAR, "check_ins": FAR}, "timeout_ms": 300}


def test_order_form_comes_before_the_caller(world: World) -> None:
    nobody = Caller(world.connection)
    assert nobody.violations("CheckIn") == ["location_id"]
    assert nobody.violations("CreateProfile", profile={}) == ["profile.first_name"]
    fields = nobody.violations("SetAvatar", image=b"no image")
    assert fields == ["image"]


def test_order_form_comes_before_the_role(world: World) -> None:
    display = world.stranger("display")
    assert display.violations("CreateLocation", location={}) == ["location.name"]
    assert display.violations("CreateProfile", profile={}) == ["profile.first_name"]
    assert display.violations("CheckOutEveryone") == ["location_id"]
    assert display.violations("ListPeopleHere") == ["location_id"]
    header = {"timeout_ms": 300_001}
    assert display.violations("GetStats", header=header) == ["header.timeout_ms"]
    display.refused("MALFORMED_REQUEST", "CreateLocation", body=b"\xff")


def test_order_the_page_token_belongs_to_the_form(world: World) -> None:
    display = world.stranger("display")
    for method in ("ListProfiles", "ListPeopleEverywhere"):
        display.refused("PAGE_TOKEN_INVALID", method, page_token="x")
    id = new_id()
    display.refused("PAGE_TOKEN_INVALID", "ListHistory", profile_id=id, page_token="x")
    display.refused("PAGE_TOKEN_INVALID", "ListPeopleHere", location_id=id, page_token="x")
    admin = world.admin
    admin.refused("PAGE_TOKEN_INVALID", "ListPeopleHere", location_id=id, page_token="x")
    admin.refused("PAGE_TOKEN_INVALID", "ListCheckedIn", location_id=id, page_token="x")


def test_order_the_caller_comes_before_the_role(world: World) -> None:
    nobody = Caller(world.connection, "", ("display",))
    nobody.refused("NO_IDENTITY", "CheckIn", location_id=new_id())
    nobody.refused("NO_IDENTITY", "CreateProfile", profile={"first_name": "Ada"})
    header = {"idempotency_key": new_id()}
    nobody.refused("NO_IDENTITY", "CreateLocation", location={"name": "x"}, header=header)


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("CreateLocation", {"location": {"name": "x"}}),
        ("ListProfiles", {}),
        ("ListPeopleEverywhere", {}),
        ("CheckOutEveryone", {"location_id": b"x" * 16}),
    ],
)
def test_order_the_role_comes_before_at_least(
    world: World, method: str, fields: dict[str, object]
) -> None:
    began = time.monotonic()
    header = {**CAUGHT_UP, "timeout_ms": 5000}
    world.stranger("display").refused("NOT_ALLOWED", method, header=header, **fields)
    assert time.monotonic() - began < 2


def test_order_at_least_comes_before_the_key(world: World) -> None:
    admin = world.stranger()
    header = {"idempotency_key": new_id()}
    admin.succeeded("CreateLocation", location={"name": "x"}, header=header)
    late = {**header, **CAUGHT_UP}
    admin.refused("NOT_CAUGHT_UP", "CreateLocation", location={"name": "y"}, header=late)
    admin.refused("NOT_CAUGHT_UP", "CreateLocation", location={"name": "x"}, header=late)


def test_order_the_key_comes_before_the_profile_and_the_place(world: World) -> None:
    person, here = world.person(), world.place()
    header = {"idempotency_key": new_id()}
    person.caller.succeeded("CheckIn", location_id=here, header=header)
    reused = "IDEMPOTENCY_KEY_REUSED"
    person.caller.refused(reused, "CheckIn", location_id=new_id(), header=header)
    arguments = {"profile_id": new_id(), "location_id": here}
    person.caller.refused(reused, "CheckIn", header=header, **arguments)
    expect = {"checked_out": True}
    person.caller.refused(reused, "CheckIn", location_id=here, expect=expect, header=header)


def test_order_whose_the_profile_is_comes_before_the_profile(world: World) -> None:
    user, here = world.person("user").caller, world.place()
    user.refused("NOT_ALLOWED", "CheckIn", profile_id=new_id(), location_id=here)
    user.refused("NOT_ALLOWED", "CheckOut", profile_id=new_id())
    user.refused("NOT_ALLOWED", "GetStatus", profile_id=new_id())
    mask = {"profile": {"id": new_id(), "bio": "x"}, "update_mask": ["bio"]}
    user.refused("NOT_ALLOWED", "UpdateProfile", **mask)
    user.refused("NOT_ALLOWED", "DeleteProfile", id=new_id())
    user.refused("NOT_ALLOWED", "SetAvatar", profile_id=new_id())


def test_order_whose_the_profile_is_comes_before_the_place(world: World) -> None:
    user, other = world.person("user").caller, world.person()
    user.refused("NOT_ALLOWED", "CheckIn", profile_id=other.id, location_id=new_id())


def test_order_the_profile_comes_before_the_place(world: World, admin: Caller) -> None:
    admin.refused("PROFILE_NOT_FOUND", "CheckIn", profile_id=new_id(), location_id=new_id())
    world.stranger("user").refused("NO_PROFILE", "CheckIn", location_id=new_id())
    expect = {"checked_out": True}
    admin.refused("PROFILE_NOT_FOUND", "CheckOut", profile_id=new_id(), expect=expect)
    history = {"profile_id": new_id(), "location_id": world.place()}
    assert admin.call("ListHistory", **history).reason in ("", "PROFILE_NOT_FOUND")


def test_order_the_place_comes_before_what_is_expected(world: World) -> None:
    person, here = world.person(), world.place()
    person.caller.done("CheckIn", location_id=here)
    arguments = {"location_id": new_id(), "expect": {"checked_out": True}}
    person.caller.refused("LOCATION_NOT_FOUND", "CheckIn", **arguments)


def test_order_what_is_expected_comes_before_already_there(world: World) -> None:
    person, here = world.person(), world.place()
    person.caller.done("CheckIn", location_id=here)
    expect = {"checked_out": True}
    person.caller.refused("STATUS_CHANGED", "CheckIn", location_id=here, expect=expect)
    person.caller.done("CheckOut")
    expect = {"location_id": here}
    person.caller.refused("STATUS_CHANGED", "CheckOut", expect=expect)


def test_order_what_is_expected_comes_before_full(world: World) -> None:
    full = world.place(capacity=1)
    world.check_in(full, world.people(1))
    person = world.person()
    expect = {"location_id": full}
    person.caller.refused("STATUS_CHANGED", "CheckIn", location_id=full, expect=expect)
    person.caller.refused("LOCATION_FULL", "CheckIn", location_id=full)


def test_order_already_there_comes_before_full(world: World, admin: Caller) -> None:
    full = world.place(capacity=1)
    [person] = world.people(1)
    world.check_in(full, [person])
    assert not admin.done("CheckIn", profile_id=person, location_id=full).changed


def test_order_the_revision_comes_before_occupied(world: World, admin: Caller) -> None:
    here = world.place()
    world.check_in(here, world.people(1))
    arguments = {"id": here, "expected_revision": 1}
    seen = admin.done("GetLocation", id=here).location.revision
    if seen == 1:
        arguments["expected_revision"] = FAR
    admin.refused("REVISION_MISMATCH", "DeleteLocation", **arguments)
    admin.refused("LOCATION_OCCUPIED", "DeleteLocation", id=here, expected_revision=seen)


def test_order_the_revision_comes_before_exists(world: World, admin: Caller) -> None:
    key = unique("key")
    world.place(external_id=key)
    other = world.place()
    old = admin.done("GetLocation", id=other).location.revision
    arguments = {"location": {"id": other, "external_id": key}, "update_mask": ["external_id"]}
    newer = {"location": {"id": other, "name": unique("n")}, "update_mask": ["name"]}
    admin.done("UpdateLocation", **newer)
    admin.refused("REVISION_MISMATCH", "UpdateLocation", expected_revision=old, **arguments)
    admin.refused("EXTERNAL_ID_EXISTS", "UpdateLocation", **arguments)


def test_order_not_found_comes_before_the_revision(admin: Caller) -> None:
    arguments = {"id": new_id(), "expected_revision": 1}
    admin.refused("LOCATION_NOT_FOUND", "DeleteLocation", **arguments)
    admin.refused("PROFILE_NOT_FOUND", "DeleteProfile", **arguments)


def test_order_at_least_comes_before_not_found(world: World, admin: Caller) -> None:
    began = time.monotonic()
    admin.refused("NOT_CAUGHT_UP", "GetProfile", id=new_id(), header=CAUGHT_UP)
    assert time.monotonic() - began >= 0.25  # the gateway gives services a tenth less
