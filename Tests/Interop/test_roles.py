"""README "Who is calling": every cell of the table, method by role."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from client import Caller
from world import PNG, World, unique

ROLES = ["display", "user", "staff", "admin"]
PROFILE = {"first_name": "Ada"}
# The name of somebody whom not everybody may be told of.
HIDDEN = "Wilhelmina"


@dataclass
class Scene:
    """What a call may need: a caller with a profile, somebody else, a place."""

    caller: Caller
    own: bytes
    other: bytes
    place: bytes
    spare: bytes
    avatar: bytes
    image: bytes


def make(world: World, user: str = "") -> Scene:
    """A scene whose caller is a new user, or this one."""
    caller = Caller(world.connection, user) if user else world.stranger()
    if caller.done("GetMe").HasField("profile"):
        caller.done("DeleteProfile")
    own = caller.done("CreateProfile", profile=PROFILE).profile.id
    other = world.person(first_name=HIDDEN)
    place, spare = world.place(), world.place()
    admin = world.admin
    avatar = admin.done("SetAvatar", profile_id=other.id, image=PNG + b"roles").profile.avatar_id
    image = {"location_id": place, "which": 1, "image": PNG + b"roles"}
    location = admin.done("SetLocationImage", **image).location
    world.check_in(place, [other.id])
    return Scene(caller, own, other.id, place, spare, avatar, location.square_image_id)


Fields = Callable[[Scene], dict[str, Any]]

# The method, its row of the table, a request, the least role that may.
CELLS: list[tuple[str, str, Fields, str]] = [
    ("GetMe", "GetMe", lambda s: {}, "display"),
    ("CheckHealth", "health", lambda s: {}, "display"),
    ("GetInfo", "info", lambda s: {}, "display"),
    ("GetBoard", "board", lambda s: {}, "display"),
    ("GetCounts", "counts", lambda s: {"location_ids": [s.place]}, "display"),
    ("GetCounts", "all counts", lambda s: {}, "display"),
    ("GetLocation", "places", lambda s: {"id": s.place}, "display"),
    ("BatchGetLocations", "places", lambda s: {"ids": [s.place]}, "display"),
    ("ListLocations", "places", lambda s: {}, "display"),
    ("GetLocationImage", "places", lambda s: {"image_id": s.image}, "display"),
    ("ListPeopleHere", "who's here", lambda s: {"location_id": s.place}, "user"),
    ("ListCheckedIn", "who's here", lambda s: {"location_id": s.place}, "user"),
    ("ListPeopleEverywhere", "who's where", lambda s: {}, "user"),
    ("GetProfile", "a profile by id", lambda s: {"id": s.other}, "user"),
    ("BatchGetProfiles", "profiles by id", lambda s: {"ids": [s.other, s.own]}, "user"),
    ("GetAvatar", "avatars", lambda s: {"avatar_id": s.avatar}, "user"),
    (
        "UpdateProfile",
        "own profile",
        lambda s: {"profile": {"bio": "x"}, "update_mask": ["bio"]},
        "user",
    ),
    ("SetAvatar", "own avatar", lambda s: {"image": PNG}, "user"),
    ("SetAvatar", "own avatar by id", lambda s: {"profile_id": s.own, "image": PNG}, "user"),
    ("CheckIn", "own check-in", lambda s: {"location_id": s.spare}, "user"),
    (
        "CheckIn",
        "own check-in by id",
        lambda s: {"profile_id": s.own, "location_id": s.spare},
        "user",
    ),
    ("CheckOut", "own check-out", lambda s: {}, "user"),
    ("GetStatus", "own status", lambda s: {}, "user"),
    ("GetStatus", "own status by id", lambda s: {"profile_id": s.own}, "user"),
    ("ListHistory", "own history", lambda s: {"profile_id": s.own}, "user"),
    (
        "ListHistory",
        "own history at a place",
        lambda s: {"profile_id": s.own, "location_id": s.place},
        "user",
    ),
    ("DeleteProfile", "own delete", lambda s: {}, "user"),
    (
        "CheckIn",
        "anybody's check-in",
        lambda s: {"profile_id": s.other, "location_id": s.spare},
        "staff",
    ),
    ("CheckOut", "anybody's check-out", lambda s: {"profile_id": s.other}, "staff"),
    ("GetStatus", "anybody's status", lambda s: {"profile_id": s.other}, "staff"),
    ("ListHistory", "anybody's history", lambda s: {"profile_id": s.other}, "staff"),
    ("ListHistory", "a place's history", lambda s: {"location_id": s.place}, "staff"),
    ("CheckOutEveryone", "everyone out", lambda s: {"location_id": s.place}, "staff"),
    ("ListProfiles", "all profiles", lambda s: {}, "staff"),
    ("CreateLocation", "create a place", lambda s: {"location": {"name": "x"}}, "admin"),
    ("BatchCreateLocations", "create places", lambda s: {"locations": [{"name": "x"}]}, "admin"),
    (
        "UpdateLocation",
        "change a place",
        lambda s: {"location": {"id": s.place, "name": "x"}, "update_mask": ["name"]},
        "admin",
    ),
    (
        "SetLocationImage",
        "change a place's image",
        lambda s: {"location_id": s.place, "which": 1, "image": PNG},
        "admin",
    ),
    ("DeleteLocation", "delete a place", lambda s: {"id": s.spare}, "admin"),
    (
        "CreateProfile",
        "create for others",
        lambda s: {"profile": {**PROFILE, "user_id": unique("other")}},
        "admin",
    ),
    ("BatchCreateProfiles", "create many", lambda s: {"profiles": [PROFILE]}, "admin"),
    (
        "UpdateProfile",
        "change others",
        lambda s: {"profile": {"id": s.other, "bio": "x"}, "update_mask": ["bio"]},
        "admin",
    ),
    ("SetAvatar", "others' avatar", lambda s: {"profile_id": s.other, "image": PNG}, "admin"),
    ("DeleteProfile", "delete others", lambda s: {"id": s.other}, "admin"),
    ("GetStats", "stats", lambda s: {}, "admin"),
]


@pytest.mark.parametrize(
    ("method", "row", "fields", "least"), CELLS, ids=[f"{c[0]}-{c[1]}" for c in CELLS]
)
def test_A1_the_table_of_roles(
    world: World, method: str, row: str, fields: Fields, least: str
) -> None:
    scene = make(world)
    for role in ROLES:
        caller = scene.caller.acting(role)
        if ROLES.index(role) < ROLES.index(least):
            caller.refused("NOT_ALLOWED", method, **fields(scene))
        else:
            caller.succeeded(method, **fields(scene))
            scene = make(world)


def test_A1_create_one_s_own_profile(world: World) -> None:
    world.stranger("display").refused("NOT_ALLOWED", "CreateProfile", profile=PROFILE)
    for role in ROLES[1:]:
        world.stranger(role).succeeded("CreateProfile", profile=PROFILE)


def test_A1_roles_add_up(world: World, admin: Caller) -> None:
    user = world.stranger("display", "admin")
    user.succeeded("CreateLocation", location={"name": "x"})
    user.succeeded("GetBoard")
    person = world.person().caller
    person.acting("display").refused("NOT_ALLOWED", "GetStatus")
    person.acting("display", "user").succeeded("GetStatus")


def test_A1_each_item_of_a_batch_is_allowed_by_itself(world: World) -> None:
    scene = make(world)
    items = [
        {"profile_id": scene.other, "location_id": scene.spare},
        {"profile_id": scene.own, "location_id": scene.spare},
        {"profile_id": scene.other},
    ]
    outcomes = scene.caller.acting("user").done("BatchCheckIn", items=items).outcomes
    reasons = [outcome.error.reason for outcome in outcomes]
    assert reasons == ["NOT_ALLOWED", "", "NOT_ALLOWED"] and outcomes[1].changed
    for role in ("staff", "admin"):
        outcomes = scene.caller.acting(role).done("BatchCheckIn", items=items).outcomes
        assert [outcome.error.reason for outcome in outcomes] == ["", "", ""]


def test_A1_a_refused_write_writes_nothing(world: World, admin: Caller) -> None:
    scene = make(world)
    before = admin.done("GetStatus", profile_id=scene.other).status
    scene.caller.acting("user").refused("NOT_ALLOWED", "CheckOut", profile_id=scene.other)
    assert admin.done("GetStatus", profile_id=scene.other).status == before
    scene.caller.acting("staff").refused("NOT_ALLOWED", "DeleteLocation", id=scene.spare)
    admin.succeeded("GetLocation", id=scene.spare)
