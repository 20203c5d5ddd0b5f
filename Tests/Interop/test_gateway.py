"""BEHAVIOURS D, E and F3, GatewayService: who's here, who's where, the board."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from client import Caller
from messages import pb
from world import PNG, World, haversine_m, new_id, unique


def people_here(caller: Caller, location_id: bytes, **more: Any) -> list[Any]:
    """Everybody in all pages."""
    pages = caller.pages("ListPeopleHere", location_id=location_id, **more)
    return [person for page in pages for person in page.people]


def test_D1_who_is_here_with_their_profiles_in_the_order_they_came(
    world: World, admin: Caller
) -> None:
    here = world.place(name=unique("Hall"))
    people = [
        world.person(first_name=f"P{number}", last_name="L", company_name="C", bio="b")
        for number in range(6)
    ]
    avatar = people[2].caller.done("SetAvatar", image=PNG + b"d1").profile.avatar_id
    for person in reversed(people):
        person.caller.done("CheckIn", location_id=here)
    body = admin.done("ListPeopleHere", location_id=here)
    assert body.location == admin.done("GetLocation", id=here).location
    assert body.count == 6 and not body.unreachable and not body.next_page_token
    keys = [(person.since_ms, person.profile_id) for person in body.people]
    assert keys == sorted(keys)
    shown = {person.profile_id: person for person in body.people}
    assert set(shown) == {person.id for person in people}
    for number, person in enumerate(people):
        one = shown[person.id]
        assert (one.first_name, one.last_name, one.company_name) == (f"P{number}", "L", "C")
        assert one.since_ms == person.caller.done("GetStatus").status.since_ms
        assert not one.profile_unavailable
        assert one.avatar_id == (avatar if number == 2 else b"")


def test_D2_nobody_there_is_an_answer_and_no_place_is_an_error(world: World, admin: Caller) -> None:
    here = world.place()
    body = admin.done("ListPeopleHere", location_id=here, complete_only=True)
    assert (body.location.id, body.count, len(body.people)) == (here, 0, 0)
    admin.refused("LOCATION_NOT_FOUND", "ListPeopleHere", location_id=new_id())


def test_A5_reading_who_is_here_needs_no_profile(world: World) -> None:
    here = world.place()
    world.check_in(here, world.people(2))
    assert world.stranger("user").done("ListPeopleHere", location_id=here).count == 2


def test_B7_an_edit_shows_at_once_and_keeps_the_place_in_line(world: World, admin: Caller) -> None:
    here = world.place()
    first, second = world.person("user"), world.person("user")
    for person in (first, second):
        person.caller.done("CheckIn", location_id=here)
    before = people_here(admin, here)
    profile = {"first_name": "Renamed", "company_name": "New"}
    mask = ["first_name", "company_name"]
    first.caller.done("UpdateProfile", profile=profile, update_mask=mask)
    seen = first.caller.done("ListPeopleHere", location_id=here).people
    assert [one.profile_id for one in seen] == [one.profile_id for one in before]
    assert [one.since_ms for one in seen] == [one.since_ms for one in before]
    [renamed] = [one for one in seen if one.profile_id == first.id]
    assert (renamed.first_name, renamed.company_name) == ("Renamed", "New")


def test_D3_a_thousand_and_one_people_make_as_many_rows(world: World, admin: Caller) -> None:
    here, people = world.place(), world.people(1001)
    world.check_in(here, people)
    for page_size in (0, 1000, 77):
        rows = people_here(admin, here, page_size=page_size)
        assert len(rows) == 1001 and {row.profile_id for row in rows} == set(people)
        assert all(row.first_name.startswith("P") for row in rows)
    first = admin.done("ListPeopleHere", location_id=here, page_size=5000)
    assert len(first.people) <= 1000 and first.count == 1001 == world.count(here)
    assert len(admin.done("ListPeopleHere", location_id=here).people) == 100


def test_D3_whoever_stays_appears_once_while_others_come_and_go(
    world: World, admin: Caller
) -> None:
    here, there = world.place(), world.place()
    stay, go, come = world.people(60), world.people(60), world.people(60)
    mixed = list(itertools.chain(*zip(stay, go, strict=True)))
    for start in range(0, len(mixed), 10):
        world.check_in(here, mixed[start : start + 10])
    seen: list[Any] = []
    for page in admin.pages("ListPeopleHere", location_id=here, page_size=10):
        seen.extend(page.people)
        for _ in range(3):
            if go:
                world.check_in(there, [go.pop(0 if len(go) % 2 else -1)])
            if come:
                world.check_in(here, [come.pop()])
    ids = [one.profile_id for one in seen]
    assert [ids.count(id) for id in stay] == [1] * 60
    assert len(ids) == len(set(ids))
    keys = [(one.since_ms, one.profile_id) for one in seen]
    assert keys == sorted(keys)


def test_D3_who_leaves_and_comes_back_is_new_in_line(world: World, admin: Caller) -> None:
    here, people = world.place(), world.people(3)
    for person in people:
        world.check_in(here, [person])
    admin.done("CheckOut", profile_id=people[0])
    world.check_in(here, people[:1])
    rows = people_here(admin, here)
    assert len(rows) == 3 and rows[-1].since_ms >= rows[0].since_ms
    status = admin.done("GetStatus", profile_id=people[0]).status
    assert {row.profile_id: row.since_ms for row in rows}[people[0]] == status.since_ms


# Everywhere.


def everywhere(caller: Caller, **question: Any) -> dict[bytes, Any]:
    """Every place where somebody is, in the order of the pages."""
    pages = caller.pages("ListPeopleEverywhere", **question)
    return {place.location_id: place for page in pages for place in page.locations}


def test_D5_who_is_where_for_all_places(world: World, admin: Caller) -> None:
    places = [world.place() for _ in range(5)]
    empty = world.place()
    people = [world.people(count) for count in (1, 3, 4, 5, 60)]
    for place, ids in zip(places, people, strict=True):
        world.check_in(place, ids)
    asked = {0: 4, 1: 1, 50: 50, 51: 50, 2**32 - 1: 50}
    for per_location, most in asked.items():
        answer = everywhere(admin, people_per_location=per_location, page_size=3)
        assert list(answer) == sorted(answer) and empty not in answer
        for place, ids in zip(places, people, strict=True):
            row = answer[place]
            assert row.count == len(ids) and len(row.people) == min(most, len(ids))
            first = people_here(admin, place, page_size=50)[: len(row.people)]
            assert list(row.people) == first
    assert {id: row.count for id, row in everywhere(admin).items()} == {
        count.location_id: count.count for count in admin.done("GetCounts").counts
    }


def test_D5_a_token_belongs_to_its_question(world: World, admin: Caller) -> None:
    for _ in range(3):
        world.check_in(world.place(), world.people(1))
    body = admin.done("ListPeopleEverywhere", page_size=1, people_per_location=2)
    assert body.next_page_token and not body.unreachable and len(body.locations) == 1
    arguments = {"page_token": body.next_page_token, "people_per_location": 3}
    admin.refused("PAGE_TOKEN_INVALID", "ListPeopleEverywhere", **arguments)
    admin.refused("PAGE_TOKEN_INVALID", "ListPeopleEverywhere", page_token="x")


def test_D5_page_sizes(world: World, admin: Caller) -> None:
    places = [world.place() for _ in range(120)]
    for place, person in zip(places, world.people(120), strict=True):
        world.check_in(place, [person])
    assert len(admin.done("ListPeopleEverywhere").locations) == 100
    assert len(admin.done("ListPeopleEverywhere", page_size=2).locations) == 2
    assert set(places) <= set(everywhere(admin, page_size=1000))
    world.admin.done("BatchCheckIn", items=[
        {"profile_id": status.profile_id}
        for place in places
        for status in admin.done("ListCheckedIn", location_id=place).statuses
    ])  # fmt: skip


# The board.


def board(caller: Caller, **question: Any) -> list[Any]:
    """The rows of all pages."""
    return [row for page in caller.pages("GetBoard", **question) for row in page.rows]


class Venue:
    """Five places whose names share a tag, with 3, 0, 1, 2 and 0 people."""

    def __init__(self, world: World) -> None:
        self.tag = unique("venue")
        self.counts = {"d": 3, "b": 0, "é": 1, "A": 2, "c": 0}
        self.points = {"d": (10.0, 10.3), "b": (10.0, 10.1), "é": (10.0, 10.2), "A": (10.0, 10.0)}
        self.ids = {}
        for ending, count in self.counts.items():
            at = self.points.get(ending)
            point = {"point": {"latitude": at[0], "longitude": at[1]}} if at else {}
            self.ids[ending] = world.place(name=self.tag + ending, **point)
            world.check_in(self.ids[ending], world.people(count))

    def endings(self, rows: list[Any]) -> list[str]:
        return [row.location.name.removeprefix(self.tag) for row in rows]


@pytest.fixture(scope="module")
def venue(world: World) -> Venue:
    return Venue(world)


@pytest.mark.parametrize("page_size", [0, 1, 2])
def test_F3_the_board_by_name(admin: Caller, venue: Venue, page_size: int) -> None:
    rows = board(admin, name_contains=venue.tag, page_size=page_size)
    assert venue.endings(rows) == ["A", "b", "c", "d", "é"]
    for row, ending in zip(rows, venue.endings(rows), strict=True):
        assert row.count == venue.counts[ending] and row.distance_m == 0
        assert row.location == admin.done("GetLocation", id=venue.ids[ending]).location


@pytest.mark.parametrize("page_size", [0, 1, 2])
def test_F3_the_board_busiest_first(admin: Caller, venue: Venue, page_size: int) -> None:
    question = {"name_contains": venue.tag, "order": pb.BOARD_ORDER_COUNT}
    rows = board(admin, page_size=page_size, **question)
    assert venue.endings(rows)[:3] == ["d", "A", "é"]
    assert sorted(venue.endings(rows)[3:]) == ["b", "c"]
    assert [row.count for row in rows] == [3, 2, 1, 0, 0]


@pytest.mark.parametrize("page_size", [0, 1, 2])
def test_F3_the_board_nearest_first(admin: Caller, venue: Venue, page_size: int) -> None:
    centre = (10.0, 10.12)
    question = {
        "name_contains": venue.tag,
        "order": pb.BOARD_ORDER_DISTANCE,
        "near": {"latitude": centre[0], "longitude": centre[1]},
        "radius_m": 15_000.0,
    }
    rows = board(admin, page_size=page_size, **question)
    assert venue.endings(rows) == ["b", "é", "A"]
    for row, ending in zip(rows, venue.endings(rows), strict=True):
        expected = haversine_m(centre, venue.points[ending])
        assert abs(row.distance_m - expected) < 0.01 and row.count == venue.counts[ending]
    occupied = board(admin, page_size=page_size, occupied_only=True, **question)
    assert venue.endings(occupied) == ["é", "A"]


@pytest.mark.parametrize("order", [0, pb.BOARD_ORDER_COUNT])
def test_F3_the_board_without_empty_places(admin: Caller, venue: Venue, order: int) -> None:
    rows = board(admin, name_contains=venue.tag, occupied_only=True, order=order, page_size=2)
    assert venue.endings(rows) == (["d", "A", "é"] if order else ["A", "d", "é"])


def test_F3_near_filters_in_any_order(admin: Caller, venue: Venue) -> None:
    near = {"near": {"latitude": 10, "longitude": 10.3}, "radius_m": 12_000.0}
    rows = board(admin, name_contains=venue.tag, **near)
    assert venue.endings(rows) == ["d", "é"]
    assert [row.distance_m > 1 for row in rows] == [False, True]
    rows = board(admin, name_contains=venue.tag, order=pb.BOARD_ORDER_COUNT, **near)
    assert venue.endings(rows) == ["d", "é"]


def test_F3_the_board_of_distances_needs_a_point(admin: Caller) -> None:
    assert admin.violations("GetBoard", order=pb.BOARD_ORDER_DISTANCE)
    fields = admin.violations("GetBoard", near={"latitude": 91}, radius_m=1)
    assert fields == ["near.latitude"]
    assert admin.violations("GetBoard", near={}, radius_m=-1) == ["radius_m"]


def test_E1_the_board_s_total_is_everybody_anywhere(admin: Caller, venue: Venue) -> None:
    body = admin.done("GetBoard", name_contains=venue.tag, page_size=1)
    assert body.total == admin.done("GetCounts").total and not body.unreachable


def test_E5_the_board_s_counts_follow(world: World, admin: Caller) -> None:
    tag = unique("follow")
    here, people = world.place(name=tag), world.people(120)
    for number in (0, 1, 3, 120):
        world.check_in(here, people[:number])
        assert [row.count for row in board(admin, name_contains=tag)] == [number]
    admin.done("CheckOutEveryone", location_id=here)
    assert [row.count for row in board(admin, name_contains=tag)] == [0]


def test_F3_a_new_name_shows_on_the_board(world: World, admin: Caller) -> None:
    tag = unique("board")
    here = world.place(name=tag + "old", capacity=5)
    location = {"id": here, "name": tag + "Né\u0301w"}
    admin.done("UpdateLocation", location=location, update_mask=["name"])
    rows = board(admin, name_contains=tag + "NEW")
    assert [row.location.id for row in rows] == [here] and rows[0].location.capacity == 5
    assert board(admin, name_contains=tag + "old") == []


def test_a_call_a_token_belongs_to_its_board(admin: Caller, venue: Venue) -> None:
    question: dict[str, Any] = {"name_contains": venue.tag, "page_size": 1}
    token = admin.done("GetBoard", **question).next_page_token
    others: list[dict[str, Any]] = [
        {"order": pb.BOARD_ORDER_COUNT},
        {"occupied_only": True},
        {"name_contains": venue.tag[:-1]},
        {"near": {"latitude": 10, "longitude": 10}, "radius_m": 5.0},
    ]
    for other in others:
        arguments = {**question, **other, "page_token": token}
        admin.refused("PAGE_TOKEN_INVALID", "GetBoard", **arguments)
    assert len(admin.done("GetBoard", **{**question, "page_token": token}).rows) == 1


def test_E3_counting_reads_no_profile(world: World, admin: Caller) -> None:
    here = world.place()
    header = {"timeout_ms": 300, "at_least": {"profiles": 2**60}}
    admin.succeeded("GetCounts", header=header, location_ids=[here])
