"""BEHAVIOURS A and B, ProfileService: users, profiles and their texts."""

from __future__ import annotations

import time
from typing import Any

import pytest
from client import Caller, Connection
from messages import pb
from system import System
from wire_bytes import chunk
from world import World, unique

FAMILY = "👨‍👩‍👧‍👦"
TEXTS = ["first_name", "last_name", "company_name", "bio"]


def refused(world: World, **profile: Any) -> list[str]:
    """The fields for which it is refused."""
    return world.stranger().violations("CreateProfile", profile={"first_name": "Ada", **profile})


def test_A1_get_me_gives_the_user_and_the_profile_in_one_call(world: World) -> None:
    person = world.person(bio="hello")
    me = person.caller.done("GetMe")
    assert (me.user_id, me.profile.id, me.profile.bio) == (person.user, person.id, "hello")
    assert me.profile.user_id == person.user


def test_A2_a_user_without_a_profile_is_normal(world: World) -> None:
    user = world.stranger()
    me = user.done("GetMe")
    assert me.user_id == user.user and not me.HasField("profile")


@pytest.mark.parametrize("roles", [("user",), ("display",), ("staff", "user")])
def test_A1_get_me_gives_the_roles(world: World, roles: tuple[str, ...]) -> None:
    assert set(world.stranger(*roles).done("GetMe").roles) == set(roles)


def test_A1_no_roles_given_is_every_role(world: World) -> None:
    assert set(world.stranger().done("GetMe").roles) == {"display", "user", "staff", "admin"}


def test_A4_what_create_returns_is_enough_to_check_in(world: World) -> None:
    here = world.place()
    for number in range(20):
        user = world.stranger("user")
        before_ms = time.time() * 1000
        reply = user.succeeded("CreateProfile", profile={"first_name": f"P{number}"})
        profile = reply.body.profile
        assert len(profile.id) == 16 and profile.revision > 0
        assert abs(profile.create_time_ms - before_ms) < 60_000
        assert profile.update_time_ms == profile.create_time_ms
        assert reply.as_of.profiles >= profile.revision
        status = user.done("CheckIn", profile_id=profile.id, location_id=here).status
        assert status.state == pb.CHECK_IN_STATE_CHECKED_IN
    assert world.count(here) == 20


def test_B1_all_fields_come_back(world: World) -> None:
    fields = {
        "first_name": "Grace",
        "last_name": "Hopper",
        "company_name": "Navy",
        "bio": "line one\nline two",
    }
    user = world.stranger()
    created = user.done("CreateProfile", profile=fields).profile
    for profile in (created, user.done("GetProfile", id=created.id).profile):
        assert {name: getattr(profile, name) for name in TEXTS} == fields
        assert profile.user_id == user.user and profile.avatar_id == b""
    assert user.done("GetProfile", user_id=user.user).profile == created


def test_B1_ids_do_not_depend_on_the_content(world: World) -> None:
    ids = {world.profile(first_name="Same", last_name="Person").id for _ in range(5)}
    assert len(ids) == 5


def test_B8_a_missing_text_is_empty(world: World) -> None:
    profile = world.profile()
    assert (profile.last_name, profile.company_name, profile.bio) == ("", "", "")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", b"0123456789abcdef"),
        ("avatar_id", b"a" * 32),
        ("create_time_ms", 1),
        ("update_time_ms", 1),
        ("revision", 1),
    ],
)
def test_B1_what_is_the_server_s_must_be_empty(world: World, field: str, value: Any) -> None:
    assert refused(world, **{field: value}) == [f"profile.{field}"]
    batch = [{"first_name": "Ada"}, {"first_name": "Ada", field: value}]
    assert world.admin.violations("BatchCreateProfiles", profiles=batch) == [f"profiles[1].{field}"]


@pytest.mark.parametrize("blank", ["", " ", "   ", "\u00a0", "\u2003\u3000", " \u2009 "])
def test_B3_the_first_name_may_not_be_blank(world: World, blank: str) -> None:
    assert refused(world, first_name=blank) == ["profile.first_name"]


def test_B3_a_profile_must_be_given(world: World) -> None:
    fields = world.stranger().violations("CreateProfile")
    assert fields and all(field.startswith("profile") for field in fields)


@pytest.mark.parametrize("unit", ["x", "é", "e\u0301", "한", "🇫🇷", "👍🏽", FAMILY])
@pytest.mark.parametrize(("field", "most"), [*((name, 50) for name in TEXTS[:3]), ("bio", 100)])
def test_B3_characters_are_counted_as_a_reader_counts_them(
    world: World, field: str, most: int, unit: str
) -> None:
    fits = getattr(world.profile(**{field: unit * most}), field)
    assert fits == (unit * most).replace("e\u0301", "é")
    assert refused(world, **{field: unit * (most + 1)}) == [f"profile.{field}"]


def test_B3_decomposed_hangul_counts_and_comes_back_composed(world: World) -> None:
    jamo = "\u1112\u1161\u11ab"
    assert world.profile(bio=jamo * 100).bio == "한" * 100
    assert refused(world, bio=jamo * 101) == ["profile.bio"]


@pytest.mark.parametrize(
    ("field", "most_bytes"), [*((name, 2000) for name in TEXTS[:3]), ("bio", 5000)]
)
def test_B3_bytes_are_limited_too(world: World, field: str, most_bytes: int) -> None:
    long = "x" + "\u0302" * 99 + "y"  # two characters, 200 bytes
    fits = long * (most_bytes // 200)
    assert len(fits.encode()) == most_bytes
    assert getattr(world.profile(**{field: fits}), field) == fits
    assert refused(world, **{field: fits + "y"}) == [f"profile.{field}"]


@pytest.mark.parametrize(
    "bad",
    [
        "\0",
        "\x01",
        "\t",
        "\r",
        "\x1b",
        "\x7f",
        "\x85",
        "\x9f",
        *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    ],
)
@pytest.mark.parametrize("field", TEXTS)
def test_B3_controls_and_overrides_are_refused(world: World, field: str, bad: str) -> None:
    assert refused(world, **{field: f"a{bad}b"}) == [f"profile.{field}"]


def test_B3_only_the_bio_may_have_line_breaks(world: World) -> None:
    assert world.profile(bio="a\nb\n").bio == "a\nb\n"
    for field in TEXTS[:3]:
        assert refused(world, **{field: "a\nb"}) == [f"profile.{field}"]
    assert refused(world, bio="a\r\nb") == ["profile.bio"]


def test_B3_other_formatting_characters_are_kept(world: World) -> None:
    name = "נועה\u200f \u200dZ"
    assert world.profile(last_name=name).last_name == name


@pytest.mark.parametrize(
    "bytes_",
    [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"a\xe2\x82", b"\x80", b"\xc3("],
)
@pytest.mark.parametrize(("number", "field"), [(3, "first_name"), (6, "bio"), (2, "user_id")])
def test_a_call_malformed_utf8_is_refused_with_its_field(
    world: World, bytes_: bytes, number: int, field: str
) -> None:
    body = chunk(1, chunk(3, b"Ada") + chunk(number, bytes_))
    assert world.stranger().violations("CreateProfile", body=body) == [f"profile.{field}"]


def test_a_call_texts_are_kept_in_nfc(world: World) -> None:
    name = world.profile(first_name="Zoe\u0308", last_name="A\u030angstro\u0308m")
    assert (name.first_name, name.last_name) == ("Zoë", "Ångström")
    assert world.profile(company_name="\u212b").company_name == "Å"


def test_B3_all_violations_come_at_once(world: World) -> None:
    fields = refused(
        world,
        first_name=" ",
        last_name="x" * 51,
        company_name="x\0",
        bio="x" * 101,
        revision=7,
    )
    names = ["bio", "company_name", "first_name", "last_name", "revision"]
    assert fields == [f"profile.{name}" for name in names]


def test_B3_at_most_twenty_violations_are_told(admin: Caller) -> None:
    profiles = [{"first_name": ""} for _ in range(30)]
    reply = admin.refused("INVALID_FIELDS", "BatchCreateProfiles", profiles=profiles)
    assert reply.violations == [f"profiles[{index}].first_name" for index in range(20)]


def test_B5_a_second_create_returns_the_first(world: World) -> None:
    person = world.person(bio="first")
    before = person.caller.done("GetMe").profile
    reply = person.caller.refused(
        "PROFILE_EXISTS", "CreateProfile", profile={"first_name": "Other", "bio": "second"}
    )
    assert reply.body.profile == before == person.caller.done("GetMe").profile


def test_B5_thirty_two_creates_at_once_make_one_profile(system: System, world: World) -> None:
    user = world.stranger("user")
    connections = [Connection(system.rpc("gateway")) for _ in range(32)]
    profile = {"first_name": "Ada"}
    calls = [(c, user.on(c).start("CreateProfile", profile=profile)) for c in connections]
    replies = [connection.finish(call) for connection, call in calls]
    for connection in connections:
        connection.close()
    assert sorted(reply.reason for reply in replies) == [""] + ["PROFILE_EXISTS"] * 31
    assert len({reply.body.profile.id for reply in replies}) == 1


def test_B1_a_user_id_has_at_most_128_bytes(world: World, admin: Caller) -> None:
    long = unique("u").ljust(128, "x")
    created = admin.done("CreateProfile", profile={"first_name": "Ada", "user_id": long}).profile
    assert created.user_id == long
    profile = {"first_name": "Ada", "user_id": long + "x"}
    assert admin.violations("CreateProfile", profile=profile) == ["profile.user_id"]
    assert admin.violations("GetProfile", user_id=long + "x") == ["user_id"]


def test_B1_an_admin_creates_for_others_and_a_user_only_for_itself(
    world: World, admin: Caller
) -> None:
    user = world.stranger("user")
    other = {"first_name": "Ada", "user_id": unique("other")}
    user.refused("NOT_ALLOWED", "CreateProfile", profile=other)
    own = user.done("CreateProfile", profile={"first_name": "Ada", "user_id": user.user}).profile
    assert own.user_id == user.user
    assert admin.done("CreateProfile", profile=other).profile.user_id == other["user_id"]
    reply = admin.refused("PROFILE_EXISTS", "CreateProfile", profile=other)
    assert reply.body.profile.user_id == other["user_id"]
