"""README "Who is calling": the table of roles holds whichever way a caller comes, and whichever way
it asks for a fact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from client import Caller
from keyed import KeyedSystem
from messages import METHODS
from system import eventually
from test_roles import CELLS, HIDDEN, PROFILE, ROLES, Fields, Scene, make
from watching import Watcher
from world import World, unique

# Which service answers a method, besides the gateway; the others are the gateway's own.
OWNERS = {
    "ProfileService": "profiles",
    "LocationService": "locations",
    "CheckInService": "check-ins",
    "ControlService": "profiles",
}
# Methods with rows of their own, below and in test_roles.py.
ELSEWHERE = {"Watch", "CancelWatch", "BatchCheckIn"}
FOLLOWERS = {name for name, method in METHODS.items() if method.service == "ChangeLogService"}
IDS = [f"{cell[0]}-{cell[1]}" for cell in CELLS]


@pytest.fixture(scope="module")
def keyed() -> Iterator[KeyedSystem]:
    """A system that knows four keys of one user, each with another role."""
    system = KeyedSystem()
    system.allow(*(f"{system.pair(role).public} ada {role}" for role in ROLES))
    try:
        system.start()
        yield system
    finally:
        system.close()


@pytest.fixture(scope="module")
def callers(keyed: KeyedSystem) -> dict[str, Caller]:
    """That user with each key."""
    callers = {role: keyed.by_key(role) for role in ROLES}
    for caller in callers.values():
        caller.succeeded("GetCounts")
    return callers


@pytest.fixture(scope="module")
def keyed_world(keyed: KeyedSystem) -> World:
    return World(keyed.connection())


def test_A1_every_method_is_in_the_table() -> None:
    """One that is added to the contract has to be given its row here."""
    assert set(METHODS) == {cell[0] for cell in CELLS} | ELSEWHERE | FOLLOWERS


@pytest.mark.parametrize(("method", "row", "fields", "least"), CELLS, ids=IDS)
def test_A1_the_table_of_roles_by_key(
    keyed_world: World,
    callers: dict[str, Caller],
    method: str,
    row: str,
    fields: Fields,
    least: str,
) -> None:
    scene = make(keyed_world, "ada")
    for role in ROLES:
        if ROLES.index(role) < ROLES.index(least):
            callers[role].refused("NOT_ALLOWED", method, **fields(scene))
        else:
            callers[role].succeeded(method, **fields(scene))
            scene = make(keyed_world, "ada")


def direct(keyed: KeyedSystem, scene: Scene, method: str) -> Caller | None:
    """The scene's caller at the service that answers a method; None: only the gateway does."""
    name = OWNERS.get(METHODS[method].service)
    if name is None:
        return None
    peer = keyed.by_key("gateway", to=name)
    if METHODS[method].full_name not in peer.done("GetInfo").methods:
        return None
    return scene.caller.on(peer.connection)


@pytest.mark.parametrize(("method", "row", "fields", "least"), CELLS, ids=IDS)
def test_A1_the_table_of_roles_at_the_services(
    keyed: KeyedSystem, keyed_world: World, method: str, row: str, fields: Fields, least: str
) -> None:
    """Where a peer says for whom it calls, a service denies what the gateway does."""
    scene = make(keyed_world)
    caller = direct(keyed, scene, method)
    if caller is None:
        pytest.skip("only the gateway answers it")
    for role in ROLES:
        if ROLES.index(role) < ROLES.index(least):
            caller.acting(role).refused("NOT_ALLOWED", method, **fields(scene))
        else:
            at_least = {"header": {"at_least": newest(keyed_world)}}
            caller.acting(role).succeeded(method, **fields(scene), **at_least)
            scene = make(keyed_world)
            caller = scene.caller.on(caller.connection)


def newest(world: World) -> Any:
    """The state of all logs, which a service has to have come to."""
    return world.admin.succeeded("ListPeopleEverywhere").as_of


@pytest.mark.parametrize("role", ROLES)
def test_A1_logs_are_read_by_nobody_at_the_gateway(callers: dict[str, Caller], role: str) -> None:
    for method in FOLLOWERS:
        callers[role].refused("UNKNOWN_METHOD", method)


def test_A1_a_display_is_told_of_nobody(keyed_world: World, callers: dict[str, Caller]) -> None:
    """Nothing that it may ask says who somebody is, not even by an id."""
    scene = make(keyed_world, "ada")
    secrets = [scene.other, scene.own, HIDDEN.encode()]
    for method, _, fields, least in CELLS:
        if least != "display" or method == "GetMe":
            continue
        frame = callers["display"].succeeded(method, **fields(scene)).frame
        assert not [one for one in secrets if one in frame], method
    watch = Watcher(callers["display"], all_counts=True).begin()
    keyed_world.person(first_name=HIDDEN).check_in(scene.spare)
    watch.until(lambda: watch.counts.get(scene.spare) == 1)
    assert not watch.people and not watch.changes


@pytest.mark.parametrize("mode", [0, 1])
def test_A1_a_display_watches_no_place(
    keyed_world: World, callers: dict[str, Caller], mode: int
) -> None:
    scene = make(keyed_world, "ada")
    callers["display"].refused("NOT_ALLOWED", "Watch", location_id=scene.place, mode=mode)
    for role in ROLES[1:]:
        watch = Watcher(callers[role], location_id=scene.place, mode=mode)
        eventually("it is open", lambda watch=watch: watch.read() or True)
        callers[role].succeeded("CancelWatch", call_id=watch.call)


def test_A1_a_user_is_told_of_others_where_they_are_and_not_where_they_were(
    keyed_world: World, callers: dict[str, Caller]
) -> None:
    scene = make(keyed_world, "ada")
    user = callers["user"]
    for method, fields in (
        ("ListHistory", {"profile_id": scene.other}),
        ("ListHistory", {"location_id": scene.place}),
        ("GetStatus", {"profile_id": scene.other}),
        ("ListProfiles", {}),
        ("GetStats", {}),
        ("GetStats", {"service": "check-ins"}),
    ):
        user.refused("NOT_ALLOWED", method, **fields)
    assert not user.done("ListHistory", profile_id=scene.own).changes


def test_A1_a_batch_does_nothing_that_one_call_may_not(
    keyed_world: World, callers: dict[str, Caller]
) -> None:
    scene = make(keyed_world, "ada")
    items = [
        {"profile_id": scene.other, "location_id": scene.spare},
        {"profile_id": scene.own, "location_id": scene.spare},
    ]
    callers["display"].refused("NOT_ALLOWED", "BatchCheckIn", items=items)
    outcomes = callers["user"].done("BatchCheckIn", items=items).outcomes
    assert [outcome.error.reason for outcome in outcomes] == ["NOT_ALLOWED", ""]
    callers["user"].refused("NOT_ALLOWED", "BatchCreateProfiles", profiles=[PROFILE])
    callers["staff"].refused(
        "NOT_ALLOWED", "CreateProfile", profile={**PROFILE, "user_id": unique("other")}
    )
