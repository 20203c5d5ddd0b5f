"""BEHAVIOURS F, LocationService: places, their fields, lists and searches."""

from __future__ import annotations

from typing import Any

import pytest
from client import Caller
from system import System
from wire_bytes import chunk
from world import World, new_id, unique

FIELDS: dict[str, Any] = {
    "name": "Kafé Zürich",
    "description": "Coffee\nand cake",
    "address": "Bahnhofstrasse 1\n8001 Zürich",
    "point": {"latitude": 47.3769, "longitude": 8.5417},
    "website_url": "https://example.org/kafe?x=1#y",
    "phone_number": "+41 (44) 123-45.67",
    "capacity": 42,
}
INF = float("inf")
NAN = float("nan")


def refused(world: World, **location: Any) -> list[str]:
    """The fields for which it is refused."""
    fields = {"name": "Here", **location}
    return world.admin.violations("CreateLocation", location=fields)


def fields_of(location: Any) -> dict[str, Any]:
    """The fields of a place that a caller sets."""
    point = location.point
    return {
        **{name: getattr(location, name) for name in FIELDS if name != "point"},
        "point": {"latitude": point.latitude, "longitude": point.longitude},
    }


def test_F1_all_fields_come_back(world: World, admin: Caller) -> None:
    external_id = unique("SJC")
    reply = admin.succeeded("CreateLocation", location={**FIELDS, "external_id": external_id})
    created = reply.body.location
    assert fields_of(created) == FIELDS and created.external_id == external_id
    assert len(created.id) == 16 and created.revision > 0 and created.create_time_ms > 0
    assert created.update_time_ms == created.create_time_ms
    assert reply.as_of.locations >= created.revision
    assert admin.done("GetLocation", id=created.id).location == created
    assert admin.done("GetLocation", external_id=external_id).location == created


def test_F1_two_places_may_share_a_name(world: World) -> None:
    assert world.location(name="Twin").id != world.location(name="Twin").id


def test_B8_a_missing_position_is_absent_and_not_0_0(world: World, admin: Caller) -> None:
    nowhere = world.location()
    assert not admin.done("GetLocation", id=nowhere.id).location.HasField("point")
    null_island = world.location(point={"latitude": 0, "longitude": 0})
    assert admin.done("GetLocation", id=null_island.id).location.HasField("point")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", b"0123456789abcdef"),
        ("square_image_id", b"a" * 32),
        ("banner_image_id", b"a" * 32),
        ("create_time_ms", 1),
        ("update_time_ms", 1),
        ("revision", 1),
    ],
)
def test_F1_what_is_the_server_s_must_be_empty(world: World, field: str, value: Any) -> None:
    assert refused(world, **{field: value}) == [f"location.{field}"]
    locations = [{"name": "a"}, {"name": "b", field: value}]
    fields = world.admin.violations("BatchCreateLocations", locations=locations)
    assert fields == [f"locations[1].{field}"]


@pytest.mark.parametrize("blank", ["", "  ", "\u00a0\u3000"])
def test_F1_a_name_may_not_be_blank(world: World, blank: str) -> None:
    assert refused(world, name=blank) == ["location.name"]


@pytest.mark.parametrize(
    ("field", "characters", "most_bytes"),
    [("name", 100, 3000), ("description", 1000, 8000), ("address", 200, 4000)],
)
def test_F1_texts_have_limits_in_characters_and_bytes(
    world: World, field: str, characters: int, most_bytes: int
) -> None:
    for unit in ("x", "한", "🇫🇷"):
        fits = unit * characters
        if len(fits.encode()) > most_bytes:
            continue
        assert getattr(world.location(**{field: fits}), field) == fits
        assert refused(world, **{field: fits + unit}) == [f"location.{field}"]
    long = ("x" + "\u0302" * 99 + "y") * (most_bytes // 200)
    assert len(long.encode()) == most_bytes
    assert getattr(world.location(**{field: long}), field) == long
    assert refused(world, **{field: long + "y"}) == [f"location.{field}"]


@pytest.mark.parametrize(
    "field", ["name", "description", "address", "website_url", "phone_number", "external_id"]
)
@pytest.mark.parametrize("bad", ["\0", "\t", "\r", "\x7f", "\x85", "\u202e", "\u2067"])
def test_F1_controls_and_overrides_are_refused(world: World, field: str, bad: str) -> None:
    assert refused(world, **{field: f"a{bad}b"}) == [f"location.{field}"]


def test_F1_only_description_and_address_may_have_line_breaks(world: World) -> None:
    assert world.location(description="a\nb", address="c\nd").address == "c\nd"
    for field in ("name", "website_url", "phone_number", "external_id"):
        assert refused(world, **{field: "a\nb"}) == [f"location.{field}"]


@pytest.mark.parametrize(
    ("number", "field"), [(2, "name"), (3, "description"), (11, "external_id")]
)
def test_F1_malformed_utf8_is_refused_with_its_field(world: World, number: int, field: str) -> None:
    body = chunk(1, chunk(2, b"Here") + chunk(number, b"\xc3("))
    assert world.admin.violations("CreateLocation", body=body) == [f"location.{field}"]


def test_F1_texts_are_kept_in_nfc(world: World, admin: Caller) -> None:
    external_id = unique("e\u0301")
    place = world.location(name="Cafe\u0301", external_id=external_id)
    assert (place.name, place.external_id) == ("Café", external_id.replace("e\u0301", "é"))
    for one in (external_id, place.external_id):
        assert admin.done("GetLocation", external_id=one).location.id == place.id


@pytest.mark.parametrize(
    ("latitude", "longitude", "wrong"),
    [
        (90.000001, 0, ["latitude"]),
        (-90.000001, 0, ["latitude"]),
        (0, 180.000001, ["longitude"]),
        (0, -180.000001, ["longitude"]),
        (NAN, 0, ["latitude"]),
        (0, NAN, ["longitude"]),
        (INF, -INF, ["latitude", "longitude"]),
        (1e308, 1e308, ["latitude", "longitude"]),
    ],
)
def test_F1_a_position_is_on_the_globe(
    world: World, latitude: float, longitude: float, wrong: list[str]
) -> None:
    point = {"latitude": latitude, "longitude": longitude}
    assert refused(world, point=point) == [f"location.point.{field}" for field in wrong]


@pytest.mark.parametrize(("latitude", "longitude"), [(90, 180), (-90, -180), (-0.0, 0.0)])
def test_F1_the_edges_of_the_globe_are_on_it(
    world: World, latitude: float, longitude: float
) -> None:
    point = world.location(point={"latitude": latitude, "longitude": longitude}).point
    assert (point.latitude, point.longitude) == (latitude, longitude)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "https://example.org:8443/a/b.html?q=1&r=%20#top",
        "https://a.example.org/",
        "https://example.org/".ljust(500, "x"),
    ],
)
def test_F1_a_website_is_an_http_url(world: World, url: str) -> None:
    assert world.location(website_url=url).website_url == url


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://example.org/",
        "javascript:alert(1)",
        "//example.org",
        "/a/b",
        "http://",
        "https:///path",
        "http:example.org",
        "https://exa mple.org/",
        " https://example.org",
        "https://example.org/".ljust(501, "x"),
    ],
)
def test_F1_what_is_no_http_url_is_refused(world: World, url: str) -> None:
    assert refused(world, website_url=url) == ["location.website_url"]


@pytest.mark.parametrize(
    "number",
    ["112", "+41 44 123 45 67", "(030) 123/45", "+(49) 30", "408.392-3600", "1" * 32],
)
def test_F1_a_phone_number(world: World, number: str) -> None:
    assert world.location(phone_number=number).phone_number == number


@pytest.mark.parametrize(
    "number",
    ["call me", "+", "()", "-123", "12a", "++1", "1+2", "1,2", "1" * 33, " ", "#31#5", "/1"],
)
def test_F1_what_is_no_phone_number_is_refused(world: World, number: str) -> None:
    assert refused(world, phone_number=number) == ["location.phone_number"]


def test_F1_all_violations_come_at_once(world: World) -> None:
    fields = refused(
        world,
        name="",
        address="x" * 201,
        website_url="x",
        phone_number="x",
        external_id="x" * 101,
        point={"latitude": 91},
    )
    names = ["address", "external_id", "name", "phone_number", "point.latitude", "website_url"]
    assert fields == [f"location.{name}" for name in names]


# External ids.


def test_F1_an_external_id_is_unique(world: World, admin: Caller) -> None:
    external_id = unique("x").ljust(100, "x")
    place = world.location(external_id=external_id)
    location = {"name": "Other", "external_id": external_id}
    admin.refused("EXTERNAL_ID_EXISTS", "CreateLocation", location=location)
    assert refused(world, external_id=external_id + "x") == ["location.external_id"]
    other = world.location()
    change = {"location": {"id": other.id, "external_id": external_id}}
    admin.refused("EXTERNAL_ID_EXISTS", "UpdateLocation", update_mask=["external_id"], **change)
    own = {"location": {"id": place.id, "external_id": external_id}}
    admin.succeeded("UpdateLocation", update_mask=["external_id"], **own)
    admin.done("DeleteLocation", id=place.id)
    admin.refused("LOCATION_NOT_FOUND", "GetLocation", external_id=external_id)
    admin.succeeded("CreateLocation", location=location)


def test_F1_external_ids_differ_by_case_and_many_have_none(world: World, admin: Caller) -> None:
    lower = unique("case")
    assert world.location(external_id=lower).id != world.location(external_id=lower.upper()).id
    assert world.location().id != world.location().id


# Update.


@pytest.mark.parametrize("field", [*FIELDS, "external_id"])
def test_F1_only_the_named_field_changes(world: World, admin: Caller, field: str) -> None:
    before = world.location(name="Old", description="old", external_id=unique("old"))
    new = {**FIELDS, "external_id": unique("new")}
    after = world.change(before.id, [field], **new)
    changed = {**fields_of(before), "external_id": before.external_id, field: new[field]}
    assert changed == {**fields_of(after), "external_id": after.external_id}
    assert after.HasField("point") == (field == "point")
    assert after.revision > before.revision
    assert after == admin.done("GetLocation", id=before.id).location


def test_F1_fields_can_be_cleared(world: World, admin: Caller) -> None:
    place = world.location(**FIELDS)
    cleared = world.change(place.id, [name for name in FIELDS if name != "name"])
    assert cleared.name == FIELDS["name"] and not cleared.HasField("point")
    assert (cleared.description, cleared.capacity, cleared.phone_number) == ("", 0, "")
    fields = admin.violations("UpdateLocation", location={"id": place.id}, update_mask=["name"])
    assert fields == ["location.name"]


@pytest.mark.parametrize(
    "mask",
    [[], ["nickname"], ["id"], ["square_image_id"], ["revision"], ["location.name"], ["*"], [""]],
)
def test_F1_a_mask_names_fields_that_may_change(
    world: World, admin: Caller, mask: list[str]
) -> None:
    place = world.location()
    arguments = {"location": {"id": place.id, "name": "x"}, "update_mask": mask}
    fields = admin.violations("UpdateLocation", **arguments)
    assert fields and all(field.startswith("update_mask") for field in fields)


def test_F1_what_changes_nothing_makes_no_change(world: World, admin: Caller) -> None:
    place = world.location(**FIELDS)
    assert world.change(place.id, list(FIELDS), **FIELDS) == place


def test_F1_expected_revision_stops_a_stale_screen(world: World, admin: Caller) -> None:
    place = world.location()
    fields: dict[str, Any] = {"location": {"id": place.id, "name": "a"}, "update_mask": ["name"]}
    newer = admin.done("UpdateLocation", expected_revision=place.revision, **fields).location
    fields["location"]["name"] = "b"
    stale = {"expected_revision": place.revision, **fields}
    admin.refused("REVISION_MISMATCH", "UpdateLocation", **stale)
    admin.refused(
        "REVISION_MISMATCH", "DeleteLocation", id=place.id, expected_revision=place.revision
    )
    admin.succeeded("DeleteLocation", id=place.id, expected_revision=newer.revision)


# Batches.


def test_F1_a_batch_creates_or_changes_by_external_id(world: World, admin: Caller) -> None:
    keys = [unique("k") for _ in range(3)]
    locations: list[dict[str, Any]] = [{"name": f"P{k}", "external_id": k} for k in keys]
    first = admin.done("BatchCreateLocations", locations=locations)
    assert (first.created, first.changed) == (3, 0)
    again = admin.done("BatchCreateLocations", locations=locations)
    assert again.created == 0 and list(again.ids) == list(first.ids)
    locations[1]["name"] = "New name"
    locations.insert(0, {"name": "No key"})
    third = admin.done("BatchCreateLocations", locations=locations)
    assert third.created == 1 and third.changed >= 1
    assert list(third.ids[1:]) == list(first.ids)
    assert admin.done("GetLocation", external_id=keys[1]).location.name == "New name"


def test_F1_a_batch_is_all_or_none(world: World, admin: Caller) -> None:
    keys = [unique("k") for _ in range(3)]
    locations: list[dict[str, Any]] = [{"name": "P", "external_id": k} for k in keys]
    locations[2]["phone_number"] = "call me"
    fields = admin.violations("BatchCreateLocations", locations=locations)
    assert fields == ["locations[2].phone_number"]
    locations[2] = {"name": "Twice", "external_id": keys[0]}
    fields = admin.violations("BatchCreateLocations", locations=locations)
    both = ["locations[0].external_id", "locations[2].external_id"]
    assert fields in (both, both[1:])
    for key in keys:
        admin.refused("LOCATION_NOT_FOUND", "GetLocation", external_id=key)


def test_limits_a_batch_has_at_most_a_thousand_items(system: System, admin: Caller) -> None:
    many = [{"name": f"Many {number:04}"} for number in range(1001)]
    assert admin.violations("BatchCreateLocations", locations=many) == ["locations"]
    ids = list(admin.done("BatchCreateLocations", locations=many[:1000]).ids)
    read = admin.done("BatchGetLocations", ids=ids)
    assert [location.id for location in read.locations] == ids
    assert admin.violations("BatchGetLocations", ids=[*ids, new_id()]) == ["ids"]
    assert admin.violations("GetCounts", location_ids=[*ids, new_id()]) == ["location_ids"]


def test_F1_a_batch_get_keeps_the_order_and_names_the_missing(world: World, admin: Caller) -> None:
    a, b = world.place(), world.place()
    unknown = new_id()
    body = admin.done("BatchGetLocations", ids=[b, unknown, a, b])
    assert [location.id for location in body.locations] == [b, a]
    assert list(body.missing) == [unknown] and not body.unread


def test_F1_what_does_not_fit_is_unread(admin: Caller) -> None:
    text = ("x" + "\u0302" * 99 + "y") * 40
    locations = [{"name": f"Large {number}", "description": text} for number in range(80)]
    ids = list(admin.done("BatchCreateLocations", locations=locations).ids)
    wanted, read = list(ids), []
    while wanted:
        reply = admin.succeeded("BatchGetLocations", ids=wanted)
        assert len(reply.frame) <= 1_048_576 and reply.body.locations
        read.extend(location.id for location in reply.body.locations)
        wanted = list(reply.body.unread)
    assert read == ids
