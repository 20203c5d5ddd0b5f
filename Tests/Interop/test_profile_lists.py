"""B4, B5, D3 and G6, ProfileService: many profiles at once."""

from __future__ import annotations

import pytest
from client import Caller
from world import World, new_id, unique


def test_B4_a_batch_makes_all_or_none(admin: Caller) -> None:
    users = [unique("u") for _ in range(5)]
    profiles = [{"first_name": "Ada", "user_id": user} for user in users]
    profiles[3]["first_name"] = " "
    fields = admin.violations("BatchCreateProfiles", profiles=profiles)
    assert fields == ["profiles[3].first_name"]
    for user in users:
        admin.refused("PROFILE_NOT_FOUND", "GetProfile", user_id=user)


def test_G6_an_import_can_be_run_twice(admin: Caller) -> None:
    users = [unique("u") for _ in range(5)]
    profiles = [{"first_name": f"P{n}", "bio": "b", "user_id": u} for n, u in enumerate(users)]
    first = admin.done("BatchCreateProfiles", profiles=profiles)
    assert (first.created, first.changed) == (5, 0)
    again = admin.done("BatchCreateProfiles", profiles=profiles)
    assert again.created == 0 and list(again.ids) == list(first.ids)
    read = [admin.done("GetProfile", user_id=user).profile for user in users]
    assert [profile.id for profile in read] == list(first.ids)
    assert [profile.first_name for profile in read] == [f"P{n}" for n in range(5)]

    profiles[2] = {"first_name": "New", "last_name": "Texts", "user_id": users[2]}
    profiles.append({"first_name": "Sixth", "user_id": unique("u")})
    third = admin.done("BatchCreateProfiles", profiles=profiles)
    assert third.created == 1 and third.changed >= 1 and list(third.ids[:5]) == list(first.ids)
    changed = admin.done("GetProfile", id=first.ids[2]).profile
    assert (changed.first_name, changed.last_name, changed.bio) == ("New", "Texts", "")


def test_G6_a_user_twice_in_one_batch_is_refused(admin: Caller) -> None:
    user = unique("e\u0301")
    same = [user, user.replace("e\u0301", "é")]
    for users in ([user, user], same):
        profiles = [{"first_name": "Ada", "user_id": one} for one in [unique("u"), *users]]
        fields = admin.violations("BatchCreateProfiles", profiles=profiles)
        assert fields in (["profiles[2].user_id"], ["profiles[1].user_id", "profiles[2].user_id"])
    admin.refused("PROFILE_NOT_FOUND", "GetProfile", user_id=user)


def test_G6_users_are_made_up_where_none_is_given(admin: Caller) -> None:
    body = admin.done("BatchCreateProfiles", profiles=[{"first_name": "Ada"}] * 3)
    assert body.created == 3 and len(set(body.ids)) == 3
    users = {profile.user_id for profile in admin.done("BatchGetProfiles", ids=body.ids).profiles}
    assert len(users) == 3 and admin.user not in users and "" not in users


def test_limits_a_batch_has_at_most_a_thousand_items(admin: Caller) -> None:
    many = [{"first_name": "Ada"}] * 1001
    assert admin.violations("BatchCreateProfiles", profiles=many) == ["profiles"]
    body = admin.done("BatchCreateProfiles", profiles=many[:1000])
    assert body.created == 1000 == len(set(body.ids))
    assert admin.violations("BatchGetProfiles", ids=[*body.ids, new_id()]) == ["ids"]
    read = admin.done("BatchGetProfiles", ids=body.ids)
    assert [profile.id for profile in read.profiles] == list(body.ids)


def test_B1_a_batch_get_keeps_the_order_and_names_the_missing(world: World, admin: Caller) -> None:
    a, b, c = world.people(3)
    unknown = [new_id(), new_id()]
    body = admin.done("BatchGetProfiles", ids=[c, unknown[0], a, c, unknown[1], b, a])
    assert [profile.id for profile in body.profiles] == [c, a, b]
    assert list(body.missing) == unknown and not body.unread


def large_profile(number: int) -> dict[str, str]:
    """A profile of some 11 KB."""
    name = ("x" + "\u0302" * 19) * 50
    bio = ("y" + "\u0302" * 24) * 100
    texts = {"first_name": name, "last_name": name, "company_name": name, "bio": bio}
    return {**texts, "user_id": unique(f"large{number}-")}


@pytest.fixture(scope="module")
def large_ids(admin: Caller) -> list[bytes]:
    """Profiles that take over 1 MiB together."""
    ids: list[bytes] = []
    for _ in range(3):
        profiles = [large_profile(number) for number in range(40)]
        ids.extend(admin.done("BatchCreateProfiles", profiles=profiles).ids)
    return ids


def test_B1_what_does_not_fit_is_unread(admin: Caller, large_ids: list[bytes]) -> None:
    wanted = list(large_ids)
    read: list[bytes] = []
    rounds = 0
    while wanted:
        reply = admin.succeeded("BatchGetProfiles", ids=wanted)
        assert len(reply.frame) <= 1_048_576 and not reply.body.missing
        got = [profile.id for profile in reply.body.profiles]
        assert got and got + list(reply.body.unread) == wanted
        read.extend(got)
        wanted = list(reply.body.unread)
        rounds += 1
    assert read == large_ids and rounds > 1


def test_a_call_pages_end_at_512_kib_too(admin: Caller, large_ids: list[bytes]) -> None:
    seen: list[bytes] = []
    token = ""
    while True:
        reply = admin.succeeded("ListProfiles", page_size=1000, page_token=token)
        assert len(reply.frame) <= 512 * 1024 + 20_000
        seen.extend(profile.id for profile in reply.body.profiles)
        token = reply.body.next_page_token
        if not token:
            break
    assert len(seen) == len(set(seen)) and set(large_ids) <= set(seen)


# Lists.


def test_B1_profiles_are_listed_by_last_name_first_name_id(world: World, admin: Caller) -> None:
    tag = unique("Order")
    names = [("Zoe", "A"), ("Ada", "B"), ("Ada", "A"), ("Bob", "A"), ("Ada", "A"), ("", "C")]
    keys = []
    for first, last in names:
        profile = world.profile(first_name=first or "Solo", last_name=f"{tag} {last}")
        keys.append((profile.last_name, profile.first_name, profile.id))
    listed = [
        (profile.last_name, profile.first_name, profile.id)
        for page in admin.pages("ListProfiles", page_size=1000)
        for profile in page.profiles
    ]
    assert [key for key in listed if key[0].startswith(tag)] == sorted(keys)


def test_D3_pages_of_profiles_are_complete_while_others_come_and_go(
    world: World, admin: Caller
) -> None:
    stay = [world.profile(last_name=unique("Stay")).id for _ in range(12)]
    go = [world.profile(last_name=unique("Go")).id for _ in range(12)]
    seen: list[bytes] = []
    for page in admin.pages("ListProfiles", page_size=150):
        seen.extend(profile.id for profile in page.profiles)
        if go:
            admin.done("DeleteProfile", id=go.pop())
        world.profile(last_name=unique("New"))
    assert [seen.count(id) for id in stay] == [1] * 12
    assert len(seen) == len(set(seen))


def test_a_call_pages_are_of_100_unless_asked(world: World, admin: Caller) -> None:
    world.people(250)
    assert len(admin.done("ListProfiles").profiles) == 100
    assert len(admin.done("ListProfiles", page_size=7).profiles) == 7


def test_limits_a_page_size_beyond_1000_is_taken_as_1000(world: World, admin: Caller) -> None:
    world.people(1001)
    body = admin.done("ListProfiles", page_size=4_000_000_000)
    assert 0 < len(body.profiles) <= 1000 and body.next_page_token


@pytest.mark.parametrize("token", ["x", "AAAA", "%%%", "A" * 3000, "é"])
def test_a_call_a_token_that_was_not_given_out_is_refused(admin: Caller, token: str) -> None:
    admin.refused("PAGE_TOKEN_INVALID", "ListProfiles", page_token=token)


def test_a_call_a_token_of_another_method_is_refused(world: World, admin: Caller) -> None:
    world.place()
    world.place()
    token = admin.done("ListLocations", page_size=1).next_page_token
    admin.refused("PAGE_TOKEN_INVALID", "ListProfiles", page_token=token)
    token = admin.done("ListProfiles", page_size=1).next_page_token
    admin.refused("PAGE_TOKEN_INVALID", "ListLocations", page_token=token)
