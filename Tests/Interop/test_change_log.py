"""change_log.proto, asked directly at the services."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import zmq
from messages import pb
from system import System
from world import FAR, Person, World, new_id, unique

SERVICES = ["profiles", "locations", "check-ins"]
PUTS = {"profile_put", "location_put"}


class Small:
    """A system of its own with short logs."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.world = World(system.connection())
        self.log = {name: system.caller(name) for name in SERVICES}

    def write(self) -> None:
        """At least one change in each log, and in all of them together each kind of change."""
        here, there = self.world.place(), self.world.place()
        person, gone = self.world.person(), self.world.person()
        admin = self.world.admin
        for one in (person, gone):
            one.caller.done("CheckIn", location_id=here, ttl_s=1000)
        person.caller.done("CheckIn", location_id=here, ttl_s=2000)
        person.caller.done("UpdateProfile", profile={"bio": "b"}, update_mask=["bio"])
        gone.caller.done("DeleteProfile")
        person.caller.done("CheckIn", location_id=there)
        admin.done("DeleteLocation", id=here)

    def changes(self, name: str, after: int = 0, limit: int = 0) -> list[Any]:
        """The whole log after a revision."""
        found: list[Any] = []
        while True:
            body = self.log[name].done("ListChanges", after_revision=after, limit=limit)
            found.extend(body.changes)
            if not body.changes:
                assert after == body.last_revision
                return found
            after = body.changes[-1].revision

    def last(self, name: str) -> int:
        return self.log[name].done("ListChanges", limit=1).last_revision

    def snapshot(self, name: str, **question: Any) -> tuple[int, list[Any]]:
        """The revision and the entries of a snapshot."""
        pages = list(self.log[name].pages("GetSnapshot", **question))
        assert len({page.revision for page in pages}) == 1
        return pages[0].revision, [entry for page in pages for entry in page.entries]


@pytest.fixture(scope="module")
def small() -> Iterator[Small]:
    system = System()
    try:
        system.start()
        yield Small(system)
    finally:
        system.close()


@pytest.fixture(params=SERVICES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def state(changes: list[Any]) -> dict[bytes, Any]:
    """What a log's changes lead to: profiles, places, or where people are."""
    result: dict[bytes, Any] = {}
    for change in changes:
        match change.WhichOneof("what"):
            case "profile_put":
                result[change.profile_put.id] = change.profile_put
            case "profile_deleted":
                result.pop(change.profile_deleted, None)
            case "location_put":
                result[change.location_put.id] = change.location_put
            case "location_deleted":
                result.pop(change.location_deleted, None)
            case "check_in":
                one = change.check_in
                result[one.profile_id] = (one.to_location_id, one.expire_time_ms)
                if not one.to_location_id:
                    del result[one.profile_id]
            case other:
                raise AssertionError(f"a change of nothing: {other} {change}")
    return result


def test_G3_a_log_counts_from_one_without_gaps(small: Small, name: str) -> None:
    small.write()
    for limit in (0, 1, 3, 10_000):
        changes = small.changes(name, limit=limit)
        revisions = [change.revision for change in changes]
        assert revisions == list(range(1, len(changes) + 1)) and revisions
        times = [change.time_ms for change in changes]
        assert times == sorted(times) and times[0] > 0
    some = small.log[name].done("ListChanges", after_revision=2, limit=2)
    assert [change.revision for change in some.changes] == [3, 4]
    assert some.last_revision == small.last(name) == revisions[-1]


def test_G3_a_change_says_what_it_is(small: Small) -> None:
    small.write()
    for change in small.changes("check-ins"):
        one = change.check_in
        assert (one.revision, one.time_ms) == (change.revision, change.time_ms)
        assert len(one.profile_id) == 16 and one.reason != pb.CHANGE_REASON_UNSPECIFIED
    for log, put in (("profiles", "profile_put"), ("locations", "location_put")):
        for change in small.changes(log):
            if change.HasField(put):
                assert getattr(change, put).revision == change.revision
    for log in SERVICES:
        state(small.changes(log))


def test_G3_a_revision_that_was_never_given_out_is_told(small: Small, name: str) -> None:
    last = small.last(name)
    body = small.log[name].done("ListChanges", after_revision=last)
    assert not body.changes and body.last_revision == last
    for after in (last + 1, last + 1000, FAR):
        reply = small.log[name].refused("LOG_RESTORED", "ListChanges", after_revision=after)
        assert reply.code == pb.CODE_OUT_OF_RANGE


def test_B6_changes_of_a_deleted_profile_are_told_as_its_deletion(small: Small) -> None:
    person, here = small.world.person(bio=unique("secret")), small.world.place()
    mask = {"profile": {"company_name": "Corp"}, "update_mask": ["company_name"]}
    person.caller.done("UpdateProfile", **mask)
    person.caller.done("CheckIn", location_id=here)
    before = [c for c in small.changes("profiles") if c.profile_put.id == person.id]
    assert len(before) == 2
    person.caller.done("DeleteProfile")
    after = {change.revision: change for change in small.changes("profiles")}
    for change in before:
        assert after[change.revision].WhichOneof("what") == "profile_deleted"
        assert after[change.revision].profile_deleted == person.id
    deleted = [c for c in after.values() if c.profile_deleted == person.id]
    assert len(deleted) == 3
    check_ins = [c.check_in for c in small.changes("check-ins")]
    own = [c for c in check_ins if c.profile_id == person.id]
    assert len(own) == 2 and {c.acting_user for c in own} == {""}
    assert own[-1].reason == pb.CHANGE_REASON_PROFILE_DELETED
    for name in SERVICES:
        for change in small.changes(name):
            assert person.user.encode() not in change.SerializeToString()


def test_C1_the_log_and_the_reads_agree(small: Small) -> None:
    small.write()
    admin = small.world.admin
    people = state(small.changes("profiles"))
    listed = {p.id: p for page in admin.pages("ListProfiles") for p in page.profiles}
    assert listed == people
    places = state(small.changes("locations"))
    found = {r.location.id: r.location for p in admin.pages("ListLocations") for r in p.results}
    assert found == places
    where = state(small.changes("check-ins"))
    counts: dict[bytes, int] = {}
    for at, _ in where.values():
        counts[at] = counts.get(at, 0) + 1
    body = admin.done("GetCounts")
    assert {count.location_id: count.count for count in body.counts} == counts
    for profile_id, (at, expires) in where.items():
        status = admin.done("GetStatus", profile_id=profile_id).status
        assert (status.location_id, status.expire_time_ms) == (at, expires)


def test_C1_of_several_puts_in_one_batch_each_is_a_change(small: Small) -> None:
    last = small.last("profiles")
    ids = small.world.people(5)
    changes = small.changes("profiles", after=last)
    assert [change.profile_put.id for change in changes] == ids


# Snapshots.


@pytest.mark.parametrize("page_size", [0, 1, 3, 100_000])
def test_G3_a_snapshot_is_the_state_at_one_revision(
    small: Small, name: str, page_size: int
) -> None:
    small.write()
    revision, entries = small.snapshot(name, page_size=page_size)
    assert revision == small.last(name)
    assert state(entries) == state(small.changes(name)) and len(state(entries)) == len(entries)
    for entry in entries:
        if name == "check-ins":
            assert entry.check_in.from_location_id == b"" != entry.check_in.to_location_id
        else:
            assert entry.WhichOneof("what") in PUTS


def test_D3_a_snapshot_keeps_its_revision_while_writes_go_on(small: Small, name: str) -> None:
    for _ in range(3):
        small.write()
    expected = state(small.changes(name))
    revision = small.last(name)
    entries: list[Any] = []
    page_size = max(2, len(expected) // 5)
    for page in small.log[name].pages("GetSnapshot", page_size=page_size):
        assert page.revision == revision
        entries.extend(page.entries)
        small.write()
    assert state(entries) == expected and len(entries) == len(expected)
    for entry in entries:
        assert entry.revision <= revision


def test_D3_an_update_during_a_snapshot_does_not_show(small: Small) -> None:
    people = [small.world.person(last_name="Before") for _ in range(4)]
    place = small.world.place(name="Before")
    first = small.log["profiles"].done("GetSnapshot", page_size=1)
    first_place = small.log["locations"].done("GetSnapshot", page_size=1)
    for person in people:
        mask = {"profile": {"last_name": "After"}, "update_mask": ["last_name"]}
        person.caller.done("UpdateProfile", **mask)
    location = {"id": place, "name": "After"}
    small.world.admin.done("UpdateLocation", location=location, update_mask=["name"])
    for log, page, put in (
        ("profiles", first, "profile_put"),
        ("locations", first_place, "location_put"),
    ):
        rest = small.log[log].pages("GetSnapshot", page_token=page.next_page_token)
        entries = [*page.entries, *(entry for one in rest for entry in one.entries)]
        puts = {getattr(entry, put).id: getattr(entry, put) for entry in entries}
        if log == "profiles":
            assert {puts[person.id].last_name for person in people} == {"Before"}
        else:
            assert puts[place].name == "Before"


def test_B6_who_was_deleted_meanwhile_is_left_out_of_a_snapshot(small: Small) -> None:
    people = [small.world.person() for _ in range(4)]
    here = small.world.place()
    for person in people:
        person.caller.done("CheckIn", location_id=here)
    for name in ("profiles", "check-ins"):
        first = small.log[name].done("GetSnapshot", page_size=1)
        gone = people.pop()
        gone.caller.done("DeleteProfile")
        rest = list(small.log[name].pages("GetSnapshot", page_token=first.next_page_token))
        seen = {
            entry.profile_put.id or entry.check_in.profile_id
            for page in rest
            for entry in page.entries
        }
        assert gone.id not in seen
        assert all(page.revision == first.revision for page in rest)


def test_D2_a_snapshot_s_token_is_its_own(small: Small, name: str) -> None:
    small.log[name].refused("PAGE_TOKEN_INVALID", "GetSnapshot", page_token="x")
    other = SERVICES[SERVICES.index(name) - 1]
    small.write()
    token = small.log[other].done("GetSnapshot", page_size=1).next_page_token
    assert token
    small.log[name].refused("PAGE_TOKEN_INVALID", "GetSnapshot", page_token=token)


def test_a_call_a_log_is_read_up_to_512_kib_at_a_time(small: Small) -> None:
    text = ("x" + "\u0302" * 99 + "y") * 40
    last = small.last("locations")
    locations = [{"name": f"Large {number}", "description": text} for number in range(80)]
    small.world.admin.done("BatchCreateLocations", locations=locations)
    reply = small.log["locations"].succeeded("ListChanges", after_revision=last, limit=10_000)
    assert len(reply.frame) <= 512 * 1024 + 10_000 and 0 < len(reply.body.changes) < 80
    assert len(small.changes("locations", after=last, limit=10_000)) == 80
    page = small.log["locations"].succeeded("GetSnapshot", page_size=10_000)
    assert len(page.frame) <= 512 * 1024 + 10_000 and page.body.next_page_token


# The feed.


class Feed:
    """A subscriber to one service's changes."""

    def __init__(self, system: System, name: str) -> None:
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.SUB)
        self.socket.subscribe(b"changes")
        self.socket.connect(system.feed(name))

    def next(self, seconds: float = 5) -> Any:
        assert self.socket.poll(int(seconds * 1000)), f"nothing published in {seconds} s"
        frames = self.socket.recv_multipart()
        assert len(frames) == 2 and frames[0] == b"changes"
        return pb.ChangesPublished.FromString(frames[1])

    def close(self) -> None:
        self.context.destroy(linger=0)


@pytest.fixture
def feed(small: Small, name: str) -> Iterator[Feed]:
    feed = Feed(small.system, name)
    yield feed
    feed.close()


def test_G3_the_feed_tells_each_change_in_order(small: Small, name: str, feed: Feed) -> None:
    position = feed.next().last_revision
    start = position
    told: list[Any] = []
    for _ in range(4):
        small.write()
    end = small.last(name)
    while position < end:
        published = feed.next()
        assert published.previous_revision == position
        revisions = [change.revision for change in published.changes]
        assert revisions == list(range(position + 1, published.last_revision + 1))
        told.extend(published.changes)
        position = published.last_revision
    read = {change.revision: change for change in small.changes(name, after=start)}
    for change in told:
        later = read[change.revision]
        assert change == later or later.HasField("profile_deleted") or name == "check-ins"


def test_G3_the_feeds_beat_about_once_a_second(small: Small) -> None:
    feeds = {name: Feed(small.system, name) for name in SERVICES}
    poller = zmq.Poller()
    for feed in feeds.values():
        poller.register(feed.socket, zmq.POLLIN)
    times: dict[str, list[float]] = {name: [] for name in SERVICES}
    while min(len(beats) for beats in times.values()) < 3:
        readable = dict(poller.poll(3000))
        assert readable, f"nothing published in 3 s: {times}"
        for name, feed in feeds.items():
            if feed.socket in readable:
                beat = feed.next()
                times[name].append(time.monotonic())
                assert not beat.changes
                assert beat.previous_revision == beat.last_revision == small.last(name)
    for feed in feeds.values():
        feed.close()
    for name, beats in times.items():
        for earlier, later in zip(beats, beats[1:], strict=False):
            assert 0.5 <= later - earlier <= 2, name


def test_G3_an_expiry_is_published(small: Small) -> None:
    feed = Feed(small.system, "check-ins")
    try:
        feed.next()
        person: Person = small.world.person()
        person.caller.done("CheckIn", location_id=small.world.place(), ttl_s=1)
        reasons = []
        deadline = time.monotonic() + 5
        while pb.CHANGE_REASON_EXPIRED not in reasons and time.monotonic() < deadline:
            changes = [change.check_in for change in feed.next().changes]
            reasons += [one.reason for one in changes if one.profile_id == person.id]
        assert reasons == [pb.CHANGE_REASON_REQUESTED, pb.CHANGE_REASON_EXPIRED]
    finally:
        feed.close()


def test_A3_a_refused_write_is_no_change(small: Small) -> None:
    before = {name: small.last(name) for name in SERVICES}
    admin = small.world.admin
    admin.refused("PROFILE_NOT_FOUND", "CheckOut", profile_id=new_id())
    admin.refused("INVALID_FIELDS", "CreateLocation", location={})
    admin.refused("NO_PROFILE", "CheckIn", location_id=new_id())
    admin.refused("INVALID_FIELDS", "BatchCreateProfiles", profiles=[{"first_name": "A"}, {}])
    assert {name: small.last(name) for name in SERVICES} == before
