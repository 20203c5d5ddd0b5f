"""What an operator does where the services are reached by TCP, with keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from keyed import SERVICES, KeyedSystem, TwoWaySystem
from system import System
from world import World


@pytest.fixture
def system() -> Iterator[TwoWaySystem]:
    yield from running(TwoWaySystem)


@pytest.fixture
def by_TCP_alone() -> Iterator[KeyedSystem]:
    yield from running(KeyedSystem)


def running(make: Callable[[], System]) -> Iterator[System]:
    system = make()
    try:
        system.start()
        yield system
    finally:
        system.close()


def test_stores_are_looked_after_by_ipc_without_a_key(
    system: TwoWaySystem, tmp_path: Path
) -> None:
    world = World(system.connection())
    place = world.place()
    for person in world.people(3):
        world.admin.done("CheckIn", profile_id=person, location_id=place)
    folder = tmp_path / "backup"
    system.look_after("backup", str(folder))
    stores = json.loads((folder / "manifest.json").read_text())["stores"]
    assert {store["service"] for store in stores} == set(SERVICES)
    assert "whole" in system.look_after("check")
    assert "newest" in system.look_after("migrate", "--dry-run")
    for program in system.services:
        assert "has ended" in system.look_after("drain", program.name)
        assert program.wait() == 0
    system.look_after("restore", "--yes", str(folder))
    for program in system.services:
        program.start()
    system.wait_until_serving()
    assert world.count(place) == 3


def test_without_an_ipc_endpoint_it_is_told_at_once_what_to_add(
    by_TCP_alone: KeyedSystem, tmp_path: Path
) -> None:
    system = by_TCP_alone
    for words in (["backup", str(tmp_path / "b")], ["check"], ["migrate", "--dry-run"]):
        said = system.look_after(*words, code=6)
        assert "alone" in said and "add an ipc endpoint to its rpc" in said, said
    assert not list(tmp_path.iterdir())
    said = system.look_after("drain", "profiles", code=64)
    assert system.tcp("profiles") in said and "add one to its rpc" in said
    system.check_running()


def test_each_machine_backs_up_the_services_that_it_has(
    system: TwoWaySystem, tmp_path: Path
) -> None:
    """Its settings have sections for these alone."""
    world = World(system.connection())
    person = world.person(first_name="Kept")
    settings = tmp_path / "muster.conf"
    settings.write_text(
        f"[muster-profiles]\ndata = {system.folder}/profiles\n"
        f"rpc = {system.answers_at('profiles')}\n")  # fmt: skip
    place = ["--config", str(settings)]
    folder = str(tmp_path / "backup")
    system.muster("backup", folder, *place)
    manifest = json.loads(Path(f"{folder}/manifest.json").read_text())
    assert [store["service"] for store in manifest["stores"]] == ["profiles"]
    assert "whole" in system.muster("check", *place).stdout
    person.caller.done("UpdateProfile", profile={"first_name": "Later"}, update_mask=["first_name"])
    said = system.muster("restore", "--yes", folder, *place, "--only", "locations", code=64)
    assert "locations is not on this machine" in said.stderr
    system.muster("drain", "profiles", *place)
    system.profiles.wait()
    system.muster("restore", "--yes", folder, *place)
    system.profiles.start()
    system.wait_until_serving()
    assert person.caller.done("GetMe").profile.first_name == "Kept"
    settings.write_text("[muster-gateway]\nrpc = ipc:///nowhere\n")
    said = system.muster("backup", f"{folder}-2", *place, code=64)
    assert "no service" in said.stderr
