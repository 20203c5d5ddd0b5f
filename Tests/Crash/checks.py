"""What must be true of a system, by what its callers were told: see load.py."""

from __future__ import annotations

from client import Caller
from load import NOWHERE, Known, Reachable


def check_everything(system: Reachable, known: list[Known]) -> None:
    """Everything that was acknowledged is there, once, and nothing else is."""
    reader = system.caller(user="reader")
    check_people(reader, known)
    check_places(reader, known)
    check_counts(system, reader, known)
    check_history(reader, known)
    for name in ("profiles", "locations", "check-ins"):
        check_log(system.caller(name))


def check_people(reader: Caller, known: list[Known]) -> None:
    """B6, B7: everybody who was made is there once, as last edited; who was deleted is nowhere."""
    listed = [p for page in reader.pages("ListProfiles", page_size=1000) for p in page.profiles]
    bios = {person: bio for each in known for person, bio in each.bios.items()}
    assert len(listed) == len({profile.id for profile in listed})
    assert {profile.id: profile.bio for profile in listed} == bios
    for person in list(set.union(*(each.deleted_people for each in known)))[-20:]:
        reader.refused("PROFILE_NOT_FOUND", "GetProfile", id=person)
        reader.refused("PROFILE_NOT_FOUND", "GetStatus", profile_id=person)


def check_places(reader: Caller, known: list[Known]) -> None:
    """C10: the places are those that were made and not deleted."""
    pages = reader.pages("ListLocations", page_size=1000)
    listed = [result.location for page in pages for result in page.results]
    names = {place: name for each in known for place, name in each.places.items()}
    assert len(listed) == len(names)
    assert {location.id: location.name for location in listed} == names
    for place in list(set.union(*(each.deleted_places for each in known)))[-20:]:
        reader.refused("LOCATION_NOT_FOUND", "ListPeopleHere", location_id=place)


def check_counts(system: Reachable, reader: Caller, known: list[Known]) -> None:
    """C2, E2: counts equal lists, at the gateway and at the service, and nobody is anywhere twice.
    """
    where = {person: place for each in known for person, place in each.where.items()}
    present = {person: place for person, place in where.items() if place != NOWHERE}
    service = system.caller("check-ins", "reader")
    total = reader.done("GetCounts").total
    assert total == len(present)
    seen: dict[bytes, bytes] = {}
    for place in (place for each in known for place in each.places):
        here = [p for page in reader.pages("ListPeopleHere", location_id=place, page_size=1000)
                for p in page.people]
        there = [s for page in service.pages("ListCheckedIn", location_id=place, page_size=1000)
                 for s in page.statuses]
        count = reader.done("GetCounts", location_ids=[place]).counts[0].count
        assert count == len(here) == len(there)
        assert [person.profile_id for person in here] == [status.profile_id for status in there]
        assert not any(person.profile_unavailable for person in here)
        for person in here:
            assert person.profile_id not in seen, "somebody is at two places"
            seen[person.profile_id] = place
    assert seen == present


def check_history(reader: Caller, known: list[Known]) -> None:
    """C7, C8: each acknowledged change is in the history once, in order, and nothing else is."""
    for each in known:
        for person, stays in each.history.items():
            changes = [c for page in reader.pages("ListHistory", profile_id=person, page_size=1000)
                       for c in page.changes]
            changes.reverse()
            told = [(c.from_location_id, c.to_location_id) for c in changes]
            assert told == [(stay.came_from, stay.went_to) for stay in stays]
            numbers = [c.revision for c in changes]
            assert all(a == b.revision or not b.revision for a, b in zip(numbers, stays))
            status = reader.done("GetStatus", profile_id=person).status
            assert status.location_id == each.where[person]
            assert status.revision == (numbers[-1] if numbers else 0)


def check_log(service: Caller) -> None:
    """The log has every number once, without a gap."""
    expected = 1
    while True:
        page = service.done("ListChanges", after_revision=expected - 1, limit=10_000)
        for change in page.changes:
            assert change.revision == expected
            expected += 1
        if expected > page.last_revision:
            return
        assert page.changes, "changes that the log counts are not told"
