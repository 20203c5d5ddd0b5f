"""B6 and B7, ProfileService: profiles that change, and profiles that are deleted."""

from __future__ import annotations

from typing import Any

import pytest
from client import Caller
from messages import pb
from system import System, eventually
from world import PNG, World, new_id, unique


def update(caller: Caller, mask: list[str], **fields: Any) -> Any:
    return caller.done("UpdateProfile", profile=fields, update_mask=mask).profile


def test_B7_only_the_named_fields_change(world: World) -> None:
    person = world.person(company_name="Babbage & Co", bio="bio")
    before = person.caller.done("GetMe").profile
    after = update(person.caller, ["bio"], bio="new", first_name="No", company_name="No")
    assert after.bio == "new" and after.revision > before.revision
    assert (after.first_name, after.last_name) == ("Ada", "Lovelace")
    assert after.company_name == "Babbage & Co"
    assert after.create_time_ms == before.create_time_ms <= after.update_time_ms
    assert after == person.caller.done("GetMe").profile
    both = update(person.caller, ["last_name", "company_name"], last_name="King")
    assert (both.last_name, both.company_name, both.bio) == ("King", "", "new")


def test_B7_an_update_never_touches_the_check_in(world: World) -> None:
    person = world.person()
    here = world.place()
    before = person.caller.done("CheckIn", location_id=here).status
    update(person.caller, ["bio"], bio="moved on")
    assert person.caller.done("GetStatus").status == before


@pytest.mark.parametrize(
    "mask",
    [
        [],
        ["nickname"],
        ["id"],
        ["user_id"],
        ["avatar_id"],
        ["revision"],
        ["create_time_ms"],
        ["profile.bio"],
        ["*"],
        ["bio", "nickname"],
        [""],
        ["Bio"],
    ],
)
def test_B7_a_mask_names_fields_that_may_change(world: World, mask: list[str]) -> None:
    person = world.person()
    fields = person.caller.violations("UpdateProfile", profile={"bio": "x"}, update_mask=mask)
    assert fields and all(field.startswith("update_mask") for field in fields)
    assert person.caller.done("GetMe").profile.bio == ""


def test_B7_what_is_named_is_checked(world: World) -> None:
    caller = world.person().caller
    profile = {"first_name": "", "bio": "x" * 101}
    fields = caller.violations("UpdateProfile", profile=profile, update_mask=["first_name", "bio"])
    assert fields == ["profile.bio", "profile.first_name"]


def test_B7_what_changes_nothing_makes_no_change(world: World, system: System) -> None:
    person = world.person(bio="same")
    before = person.caller.done("GetMe").profile
    log = Caller(system.connection("profiles"))
    last = log.done("ListChanges", limit=1).last_revision
    assert update(person.caller, ["bio", "first_name"], bio="same", first_name="Ada") == before
    assert log.done("ListChanges", limit=1).last_revision == last


def test_B7_expected_revision_stops_a_stale_screen(world: World) -> None:
    caller = world.person().caller
    first = caller.done("GetMe").profile
    fields: dict[str, Any] = {"profile": {"bio": "new"}, "update_mask": ["bio"]}
    second = caller.done("UpdateProfile", expected_revision=first.revision, **fields).profile
    caller.refused("REVISION_MISMATCH", "UpdateProfile", expected_revision=first.revision, **fields)
    other = {"profile": {"bio": "other"}, "update_mask": ["bio"]}
    caller.refused("REVISION_MISMATCH", "UpdateProfile", expected_revision=first.revision, **other)
    assert caller.done("GetMe").profile == second
    caller.succeeded("UpdateProfile", expected_revision=second.revision, **other)


def test_B7_a_user_without_a_profile_has_none_to_change(world: World) -> None:
    user = world.stranger("user")
    mask = {"profile": {"bio": "x"}, "update_mask": ["bio"]}
    user.refused("NO_PROFILE", "UpdateProfile", **mask)
    user.refused("NO_PROFILE", "DeleteProfile")
    user.refused("NO_PROFILE", "SetAvatar", image=b"")


def test_B7_only_an_admin_changes_others(world: World, admin: Caller) -> None:
    person = world.person()
    fields = {"profile": {"id": person.id, "bio": "theirs"}, "update_mask": ["bio"]}
    for role in ("user", "staff"):
        world.stranger(role).refused("NOT_ALLOWED", "UpdateProfile", **fields)
    assert admin.done("UpdateProfile", **fields).profile.bio == "theirs"
    assert person.caller.acting("user").done("UpdateProfile", **fields).profile.bio == "theirs"


# Delete.


def test_B6_a_deleted_profile_is_nowhere(world: World, admin: Caller) -> None:
    here = world.place()
    person = world.person("user", "staff", last_name=unique("Gone"))
    witness = world.person()
    world.check_in(here, [witness.id])
    person.caller.done("CheckIn", location_id=here)
    reply = person.caller.succeeded("DeleteProfile")
    assert reply.as_of.profiles > 0 and reply.as_of.check_ins > 0

    assert not person.caller.done("GetMe").HasField("profile")
    admin.refused("PROFILE_NOT_FOUND", "GetProfile", id=person.id)
    admin.refused("PROFILE_NOT_FOUND", "GetProfile", user_id=person.user)
    batch = admin.done("BatchGetProfiles", ids=[person.id, witness.id])
    assert list(batch.missing) == [person.id]
    assert [profile.id for profile in batch.profiles] == [witness.id]
    for page in admin.pages("ListProfiles", page_size=1000):
        assert person.id not in {profile.id for profile in page.profiles}
    people = admin.done("ListPeopleHere", location_id=here)
    assert [one.profile_id for one in people.people] == [witness.id] and people.count == 1
    statuses = admin.done("ListCheckedIn", location_id=here)
    assert [status.profile_id for status in statuses.statuses] == [witness.id]
    assert world.count(here) == 1
    for method in ("GetStatus", "CheckOut"):
        admin.refused("PROFILE_NOT_FOUND", method, profile_id=person.id)
    admin.refused("PROFILE_NOT_FOUND", "CheckIn", profile_id=person.id, location_id=here)
    admin.refused("PROFILE_NOT_FOUND", "DeleteProfile", id=person.id)
    person.caller.refused("NO_PROFILE", "GetStatus")
    person.caller.refused("NO_PROFILE", "DeleteProfile")


def test_B6_history_keeps_the_id_and_not_the_name(world: World, admin: Caller) -> None:
    here = world.place()
    person, witness = world.person("staff"), world.person()
    person.caller.done("CheckIn", location_id=here)
    person.caller.done("CheckIn", profile_id=witness.id, location_id=here)
    before = admin.done("ListHistory", location_id=here).changes
    assert [change.acting_user for change in before] == [person.user] * 2
    admin.done("DeleteProfile", id=person.id)
    after = admin.done("ListHistory", location_id=here).changes
    assert [(c.profile_id, c.reason) for c in after] == [
        (person.id, pb.CHANGE_REASON_PROFILE_DELETED),
        (witness.id, pb.CHANGE_REASON_REQUESTED),
        (person.id, pb.CHANGE_REASON_REQUESTED),
    ]
    assert person.user not in {change.acting_user for change in after}
    assert after[0].from_location_id == here and after[0].to_location_id == b""


def test_B6_no_file_tells_who_a_deleted_profile_was(world: World, system: System) -> None:
    words = [unique(word) for word in ("Quetzal", "Coatl", "Temple", "Feathers", "Plumage")]
    first, last, company, bio, later = words
    person = world.person(first_name=first, last_name=last, company_name=company, bio=bio)
    avatar = PNG + unique("avatar").encode()
    key = {"idempotency_key": new_id()}
    person.caller.succeeded("SetAvatar", image=avatar, header=key)
    update(person.caller, ["bio"], bio=later)
    person.caller.done("CheckIn", location_id=world.place())
    secrets = [avatar, *(word.encode() for word in [*words, person.user])]

    def found() -> list[str]:
        files = [path for path in system.folder.rglob("*") if path.is_file()]
        content = {path.name: path.read_bytes() for path in files}
        return [f"{s!r} in {name}" for s in secrets for name, c in content.items() if s in c]

    everywhere = " ".join(found())
    assert all(repr(secret) in everywhere for secret in secrets)
    assert "check-ins.db" in everywhere and "profiles.db" in everywhere
    person.caller.done("DeleteProfile")
    eventually("nothing of it is in a file", lambda: not found(), 15)


def test_B6_delete_then_create_again_works(world: World) -> None:
    here = world.place()
    person = world.person("user", bio="old")
    for _ in range(3):
        person.caller.done("CheckIn", location_id=here)
        person.caller.done("DeleteProfile")
        again = person.caller.done("CreateProfile", profile={"first_name": "Ada"}).profile
        assert again.id != person.id and again.bio == ""
        assert person.caller.done("GetMe").profile == again
        status = person.caller.done("GetStatus").status
        assert (status.state, status.revision) == (pb.CHECK_IN_STATE_CHECKED_OUT, 0)
        assert world.count(here) == 0


def test_B6_a_stale_delete_is_refused(world: World) -> None:
    person = world.person()
    seen = person.caller.done("GetMe").profile.revision
    update(person.caller, ["bio"], bio="newer")
    person.caller.refused("REVISION_MISMATCH", "DeleteProfile", expected_revision=seen)
    now = person.caller.done("GetMe").profile.revision
    person.caller.succeeded("DeleteProfile", expected_revision=now)


def test_B6_only_an_admin_deletes_others(world: World, admin: Caller) -> None:
    person = world.person("user")
    for role in ("user", "staff"):
        world.stranger(role).refused("NOT_ALLOWED", "DeleteProfile", id=person.id)
    assert person.caller.done("GetMe").profile.id == person.id
    person.caller.succeeded("DeleteProfile", id=person.id)
