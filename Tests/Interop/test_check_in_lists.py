"""C, D and E, CheckInService: batches, lists, counts and history."""

from __future__ import annotations

import time
from typing import Any

from client import Caller
from messages import pb
from system import eventually
from world import IN, NEVER, OUT, World, history, new_id


def test_A5_reading_who_is_here_needs_no_profile_and_checking_in_does(
    world: World, admin: Caller
) -> None:
    here, people = world.place(), world.people(2)
    world.check_in(here, people)
    stranger = world.stranger("user")
    assert not stranger.done("GetMe").HasField("profile")
    body = stranger.done("ListPeopleHere", location_id=here)
    assert {person.profile_id for person in body.people} == set(people) and body.count == 2
    assert all(person.first_name for person in body.people)
    everywhere = [
        place
        for page in stranger.pages("ListPeopleEverywhere")
        for place in page.locations
        if place.location_id == here
    ]
    assert [place.count for place in everywhere] == [2]
    assert stranger.done("GetCounts", location_ids=[here]).counts[0].count == 2
    assert stranger.done("GetBoard").total >= 2
    before = history(admin, location_id=here)
    for method, arguments in (("CheckIn", {"location_id": here}), ("CheckOut", {})):
        stranger.refused("NO_PROFILE", method, **arguments)
    assert history(admin, location_id=here) == before and world.count(here) == 2
    stranger.done("CreateProfile", profile={"first_name": "Ada"})
    assert stranger.done("CheckIn", location_id=here).changed and world.count(here) == 3


def test_C1_each_item_of_a_batch_has_its_own_outcome(world: World, admin: Caller) -> None:
    a, b = world.place(), world.place(capacity=1)
    one, two, three = world.people(3)
    items = [
        {"profile_id": one, "location_id": a},
        {"profile_id": new_id(), "location_id": a},
        {"profile_id": two, "location_id": new_id()},
        {"profile_id": two, "location_id": b, "ttl_s": 100},
        {"profile_id": three, "location_id": b},
        {"location_id": a},
        {"profile_id": b"short", "location_id": a},
        {"profile_id": one, "location_id": b"short"},
        {"profile_id": one},
        {"profile_id": three},
        {"profile_id": three, "location_id": a},
        {"profile_id": three, "location_id": a},
    ]
    reply = admin.succeeded("BatchCheckIn", items=items)
    outcomes = reply.body.outcomes
    assert [outcome.error.reason for outcome in outcomes] == [
        "",
        "PROFILE_NOT_FOUND",
        "LOCATION_NOT_FOUND",
        "",
        "LOCATION_FULL",
        "INVALID_FIELDS",
        "INVALID_FIELDS",
        "INVALID_FIELDS",
        "",
        "",
        "",
        "",
    ]
    assert [outcome.changed for outcome in outcomes] == [
        *(True, False, False, True, False, False, False, False, True, False, True, False)
    ]
    for outcome, field in zip(outcomes[5:8], ("profile_id", "profile_id", "location_id")):
        fields = [violation.field for violation in outcome.error.field_violations]
        assert len(fields) == 1 and fields[0].endswith(field)
        assert outcome.error.code == pb.CODE_INVALID_ARGUMENT and outcome.error.message
    assert outcomes[8].previous_location_id == a and outcomes[8].status.state == OUT
    assert outcomes[3].status.expire_time_ms > 0
    assert outcomes[11].status == outcomes[10].status
    assert reply.as_of.check_ins >= outcomes[10].status.revision
    counts = admin.done("GetCounts", location_ids=[a, b]).counts
    assert [count.count for count in counts] == [1, 1]


def test_C2_a_batch_is_done_in_order(world: World, admin: Caller) -> None:
    a, b = world.place(), world.place()
    [person] = world.people(1)
    items = [{"profile_id": person, "location_id": at} for at in (a, b, b"", a)]
    outcomes = admin.done("BatchCheckIn", items=items).outcomes
    assert [outcome.previous_location_id for outcome in outcomes] == [b"", a, b, b""]
    entries = history(admin, profile_id=person)
    assert [c.to_location_id for c in entries] == [a, b"", b, a]
    revisions = [outcome.status.revision for outcome in outcomes]
    assert revisions == sorted(set(revisions))


def test_limits_a_batch_has_at_most_a_thousand_items(world: World, admin: Caller) -> None:
    here = world.place()
    people = world.people(1001)
    items = [{"profile_id": person, "location_id": here} for person in people]
    assert admin.violations("BatchCheckIn", items=items) == ["items"]
    assert world.count(here) == 0
    outcomes = admin.done("BatchCheckIn", items=items[:1000]).outcomes
    assert all(outcome.changed for outcome in outcomes) and len(outcomes) == 1000
    assert admin.done("CheckOutEveryone", location_id=here).checked_out == 1000


def test_C10_everyone_out_is_one_change_a_person(world: World, admin: Caller) -> None:
    here, there = world.place(), world.place()
    people = world.people(5)
    world.check_in(here, people[:4])
    world.check_in(there, people[4:])
    staff = world.person("staff")
    assert staff.caller.done("CheckOutEveryone", location_id=here).checked_out == 4
    entries = history(admin, location_id=here)
    out = [c for c in entries if c.reason == pb.CHANGE_REASON_EVERYONE_OUT]
    assert {c.profile_id for c in out} == set(people[:4]) and len(out) == 4
    assert {c.acting_user for c in out} == {staff.user}
    assert world.count(here) == 0 and world.count(there) == 1
    assert admin.done("CheckOutEveryone", location_id=here).checked_out == 0


# Lists and counts.


def test_D1_who_is_at_a_place_by_arrival_then_id(world: World, admin: Caller) -> None:
    here, people = world.place(), world.people(25)
    for person in people[:5]:
        admin.done("CheckIn", profile_id=person, location_id=here)
    world.check_in(here, people[5:])
    listed = []
    for page in admin.pages("ListCheckedIn", location_id=here, page_size=4):
        assert page.count == 25 and len(page.statuses) <= 4
        listed.extend(page.statuses)
    keys = [(status.since_ms, status.profile_id) for status in listed]
    assert keys == sorted(keys) and {key[1] for key in keys} == set(people)
    assert len(keys) == 25
    assert {(s.state, s.location_id) for s in listed} == {(IN, here)}


def test_D2_nobody_there_is_an_answer(world: World, admin: Caller) -> None:
    here = world.place()
    body = admin.done("ListCheckedIn", location_id=here)
    assert not body.statuses and body.count == 0 and not body.next_page_token


def test_a_call_a_token_belongs_to_its_place(world: World, admin: Caller) -> None:
    a, b, people = world.place(), world.place(), world.people(6)
    world.check_in(a, people[:3])
    world.check_in(b, people[3:])
    for method in ("ListCheckedIn", "ListPeopleHere"):
        token = admin.done(method, location_id=a, page_size=1).next_page_token
        assert token
        admin.refused("PAGE_TOKEN_INVALID", method, location_id=b, page_token=token)
        admin.refused("PAGE_TOKEN_INVALID", method, location_id=b, page_token="x")
    token = admin.done("ListCheckedIn", location_id=a, page_size=1).next_page_token
    admin.refused("PAGE_TOKEN_INVALID", "ListPeopleHere", location_id=a, page_token=token)


def test_E1_named_counts_come_in_order_with_zeros(world: World, admin: Caller) -> None:
    a, b, empty, people = world.place(), world.place(), world.place(), world.people(3)
    world.check_in(a, people[:1])
    world.check_in(b, people[1:])
    asked = [empty, b, new_id(), a]
    body = admin.done("GetCounts", location_ids=asked)
    assert [count.location_id for count in body.counts] == asked
    assert [count.count for count in body.counts] == [0, 2, 0, 1]
    assert body.total >= 3 and not body.next_page_token


def test_E1_all_counts_by_id_without_zeros(world: World, admin: Caller) -> None:
    places = [world.place() for _ in range(12)]
    people = world.people(12)
    for place, person in zip(places, people, strict=True):
        world.check_in(place, [person])
    admin.done("CheckOut", profile_id=people[0])
    body = admin.done("GetCounts")
    ids = [count.location_id for count in body.counts]
    assert ids == sorted(set(ids)) and set(places[1:]) <= set(ids) and places[0] not in ids
    assert all(count.count > 0 for count in body.counts)
    assert sum(count.count for count in body.counts) == body.total
    paged = [
        (count.location_id, count.count)
        for page in admin.pages("GetCounts", page_size=5)
        for count in page.counts
    ]
    assert dict(paged) == {count.location_id: count.count for count in body.counts}
    assert [id for id, _ in paged] == ids
    admin.refused("PAGE_TOKEN_INVALID", "GetCounts", page_token="nonsense")


def test_E2_the_count_equals_the_list_at_the_same_revision(world: World, admin: Caller) -> None:
    here, people = world.place(), world.people(40)
    compared = 0
    writes, reads = [], []
    for number, person in enumerate(people):
        writes.append(admin.start("CheckIn", profile_id=person, location_id=here))
        if number % 3 == 0:
            writes.append(admin.start("CheckOut", profile_id=people[number // 2]))
        lists = admin.start("ListPeopleHere", location_id=here, page_size=1000)
        reads.append((lists, admin.start("GetCounts", location_ids=[here])))
    for list_call, count_call in reads:
        people_here = admin.connection.finish(list_call)
        counts = admin.connection.finish(count_call)
        assert people_here.body.count == len(people_here.body.people)
        if people_here.as_of.check_ins == counts.as_of.check_ins:
            compared += 1
            assert people_here.body.count == counts.body.counts[0].count
    for call in writes:
        assert admin.connection.finish(call).code == pb.CODE_OK
    final = admin.succeeded("ListPeopleHere", location_id=here)
    assert final.body.count == world.count(here) and compared > 0


# History.


def test_C1_history_newest_first_in_pages(world: World, admin: Caller) -> None:
    person = world.person("user")
    places = [world.place() for _ in range(3)]
    for at in places * 3:
        person.check_in(at)
    person.caller.done("CheckOut")
    entries = history(admin, profile_id=person.id, page_size=4)
    assert [c.to_location_id for c in entries] == [b"", *reversed(places * 3)]
    revisions = [c.revision for c in entries]
    assert revisions == sorted(set(revisions), reverse=True)
    times = [c.time_ms for c in entries]
    assert times == sorted(times, reverse=True)
    assert {c.acting_user for c in entries} == {person.user}
    assert {c.reason for c in entries} == {pb.CHANGE_REASON_REQUESTED}
    assert person.caller.done("ListHistory", profile_id=person.id).changes[:] == entries


def test_C1_history_of_a_place_and_of_somebody_there(world: World, admin: Caller) -> None:
    a, b, people = world.place(), world.place(), world.people(2)
    for person in people:
        for at in (a, b, a):
            admin.done("CheckIn", profile_id=person, location_id=at)
    at_b = history(admin, location_id=b)
    assert [(c.profile_id, c.from_location_id) for c in at_b] == [
        (people[1], b), (people[1], a), (people[0], b), (people[0], a)
    ]  # fmt: skip
    both = history(admin, location_id=b, profile_id=people[0])
    assert both == at_b[2:]
    assert history(admin, location_id=b, profile_id=people[0], page_size=1) == both


def test_C1_history_from_a_time_on_and_before_another(world: World, admin: Caller) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    entries: list[Any] = []
    for at in (a, b, a, b):
        last = entries[0].time_ms if entries else 0
        eventually("a new millisecond", lambda: time.time() * 1000 > last + 2)  # noqa: B023
        person.check_in(at)
        entries = history(admin, profile_id=person.id)
    times = [c.time_ms for c in entries]
    assert len(set(times)) == 4
    question = {"profile_id": person.id}
    assert history(admin, start_time_ms=times[1], **question) == entries[:2]
    assert history(admin, end_time_ms=times[1], **question) == entries[2:]
    middle = {"start_time_ms": times[2], "end_time_ms": times[0]}
    assert history(admin, page_size=1, **middle, **question) == entries[1:3]


def test_C1_history_asks_for_one_of_two(admin: Caller) -> None:
    assert admin.violations("ListHistory")


def test_a_call_a_token_belongs_to_its_history(world: World, admin: Caller) -> None:
    person, a, b = world.person("user"), world.place(), world.place()
    for at in (a, b, a, b):
        person.check_in(at)
    question = {"profile_id": person.id, "page_size": 1}
    token = admin.done("ListHistory", **question).next_page_token
    for other in ({"location_id": a}, {"end_time_ms": 2**52}, {"start_time_ms": 5}):
        arguments = {**question, **other, "page_token": token}
        admin.refused("PAGE_TOKEN_INVALID", "ListHistory", **arguments)
    arguments = {"profile_id": world.person().id, "page_token": token}
    admin.refused("PAGE_TOKEN_INVALID", "ListHistory", **arguments)


def test_C7_where_somebody_is_can_always_be_asked(world: World) -> None:
    person, here, there = world.person("user"), world.place(), world.place()
    staff = world.stranger("staff")
    seen = []
    for step in ("nowhere", "here", "elsewhere", "nowhere"):
        if step == "here":
            person.check_in(here)
        elif step == "elsewhere":
            person.check_in(there)
        elif seen:
            person.caller.done("CheckOut")
        seen.append(staff.done("GetStatus", profile_id=person.id).status.location_id)
    assert seen == [b"", here, there, b""]


def test_C1_who_asked_is_in_the_history(world: World, admin: Caller) -> None:
    person, here = world.person("user"), world.place()
    staff = world.stranger("staff")
    staff.done("CheckIn", profile_id=person.id, location_id=here)
    person.caller.done("CheckOut")
    Caller(world.connection).done("CheckIn", profile_id=person.id, location_id=here)
    users = [c.acting_user for c in history(admin, profile_id=person.id)]
    assert users == ["", person.user, staff.user]


def test_C5_ttl_is_an_argument_of_any_size(world: World) -> None:
    person, here = world.person("user"), world.place()
    status = person.check_in(here, ttl_s=NEVER - 1).status
    assert abs(status.expire_time_ms - status.since_ms - (NEVER - 1) * 1000) <= 1000
    assert person.check_in(here, ttl_s=NEVER).status.expire_time_ms == 0
