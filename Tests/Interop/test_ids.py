"""profile.proto: every id is 16 bytes, of an image 32; README: a bad one is refused by its path."""

from __future__ import annotations

from typing import Any

import pytest
from client import Caller
from world import new_id

ID = b"0123456789abcdef"
BAD = b"0123456789abcde"

CASES: list[tuple[str, dict[str, Any], str]] = [
    ("GetProfile", {"id": BAD}, "id"),
    ("BatchGetProfiles", {"ids": [ID, BAD]}, "ids[1]"),
    ("BatchGetProfiles", {"ids": [b""]}, "ids[0]"),
    ("UpdateProfile", {"profile": {"id": BAD, "bio": "x"}, "update_mask": ["bio"]}, "profile.id"),
    ("DeleteProfile", {"id": BAD}, "id"),
    ("SetAvatar", {"profile_id": BAD}, "profile_id"),
    ("GetAvatar", {"avatar_id": BAD}, "avatar_id"),
    ("GetAvatar", {"avatar_id": b"a" * 33}, "avatar_id"),
    ("GetAvatar", {}, "avatar_id"),
    ("GetLocation", {"id": BAD}, "id"),
    ("BatchGetLocations", {"ids": [ID, ID + b"x"]}, "ids[1]"),
    ("UpdateLocation", {"location": {"id": BAD}, "update_mask": ["point"]}, "location.id"),
    ("UpdateLocation", {"location": {}, "update_mask": ["point"]}, "location.id"),
    ("DeleteLocation", {"id": BAD}, "id"),
    ("DeleteLocation", {}, "id"),
    ("SetLocationImage", {"location_id": BAD, "which": 1}, "location_id"),
    ("SetLocationImage", {"which": 1}, "location_id"),
    ("GetLocationImage", {"image_id": b"a" * 16}, "image_id"),
    ("GetLocationImage", {}, "image_id"),
    ("CheckIn", {"profile_id": BAD, "location_id": ID}, "profile_id"),
    ("CheckIn", {"profile_id": ID, "location_id": BAD}, "location_id"),
    ("CheckIn", {"profile_id": ID}, "location_id"),
    (
        "CheckIn",
        {"profile_id": ID, "location_id": ID, "expect": {"location_id": BAD}},
        "expect.location_id",
    ),
    ("CheckOut", {"profile_id": BAD}, "profile_id"),
    ("CheckOut", {"profile_id": ID, "expect": {"location_id": BAD}}, "expect.location_id"),
    ("CheckOutEveryone", {"location_id": BAD}, "location_id"),
    ("CheckOutEveryone", {}, "location_id"),
    ("GetStatus", {"profile_id": BAD}, "profile_id"),
    ("ListCheckedIn", {"location_id": BAD}, "location_id"),
    ("ListCheckedIn", {}, "location_id"),
    ("GetCounts", {"location_ids": [ID, BAD]}, "location_ids[1]"),
    ("ListHistory", {"profile_id": BAD}, "profile_id"),
    ("ListHistory", {"location_id": BAD}, "location_id"),
    ("ListPeopleHere", {"location_id": BAD}, "location_id"),
    ("ListPeopleHere", {}, "location_id"),
]


@pytest.mark.parametrize(("method", "fields", "path"), CASES)
def test_B1_a_bad_id_is_refused_by_its_path(
    admin: Caller, method: str, fields: dict[str, Any], path: str
) -> None:
    assert admin.violations(method, **fields) == [path]


def test_B1_several_bad_ids_are_all_named(admin: Caller) -> None:
    refused = admin.violations("CheckIn", profile_id=BAD, location_id=BAD)
    assert refused == ["location_id", "profile_id"]


@pytest.mark.parametrize(
    ("method", "fields", "reason"),
    [
        ("GetProfile", {"id": ID}, "PROFILE_NOT_FOUND"),
        ("GetProfile", {"id": bytes(16)}, "PROFILE_NOT_FOUND"),
        ("GetProfile", {"user_id": "nobody at all"}, "PROFILE_NOT_FOUND"),
        (
            "UpdateProfile",
            {"profile": {"id": ID, "bio": "x"}, "update_mask": ["bio"]},
            "PROFILE_NOT_FOUND",
        ),
        ("DeleteProfile", {"id": ID}, "PROFILE_NOT_FOUND"),
        ("SetAvatar", {"profile_id": ID}, "PROFILE_NOT_FOUND"),
        ("GetAvatar", {"avatar_id": b"a" * 32}, "IMAGE_NOT_FOUND"),
        ("GetLocation", {"id": ID}, "LOCATION_NOT_FOUND"),
        ("GetLocation", {"external_id": "no such"}, "LOCATION_NOT_FOUND"),
        (
            "UpdateLocation",
            {"location": {"id": ID, "name": "x"}, "update_mask": ["name"]},
            "LOCATION_NOT_FOUND",
        ),
        ("DeleteLocation", {"id": ID}, "LOCATION_NOT_FOUND"),
        ("SetLocationImage", {"location_id": ID, "which": 1}, "LOCATION_NOT_FOUND"),
        ("GetLocationImage", {"image_id": b"a" * 32}, "IMAGE_NOT_FOUND"),
        ("CheckIn", {"profile_id": ID, "location_id": ID}, "PROFILE_NOT_FOUND"),
        ("CheckOut", {"profile_id": ID}, "PROFILE_NOT_FOUND"),
        ("CheckOutEveryone", {"location_id": ID}, "LOCATION_NOT_FOUND"),
        ("GetStatus", {"profile_id": ID}, "PROFILE_NOT_FOUND"),
        ("ListCheckedIn", {"location_id": ID}, "LOCATION_NOT_FOUND"),
        ("ListPeopleHere", {"location_id": ID}, "LOCATION_NOT_FOUND"),
    ],
)
def test_C5_what_does_not_exist_is_not_found(
    admin: Caller, method: str, fields: dict[str, Any], reason: str
) -> None:
    admin.refused(reason, method, **fields)


@pytest.mark.parametrize(
    ("method", "by"), [("GetProfile", "user_id"), ("GetLocation", "external_id")]
)
def test_B1_a_get_asks_by_exactly_one_key(admin: Caller, method: str, by: str) -> None:
    assert admin.violations(method)
    assert admin.violations(method, **{"id": new_id(), by: "both"})
