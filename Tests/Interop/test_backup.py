"""`muster backup` and `muster restore`, with the services at work."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from client import Caller
from messages import pb
from stores import Load, counts_equal_lists, ends_right, last_revisions, state, stop_services
from system import System, eventually
from town import SERVICES, Town
from watching import Watcher
from world import unique

NewSystem = Callable[[], System]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backup"


@pytest.fixture
def own_town(new_system: NewSystem) -> Iterator[Town]:
    """A town of the test's own, with data that the test may put back."""
    system = new_system()
    system.start()
    yield Town(system)


def test_a_backup_under_load_is_whole_and_nobody_waits_for_it(
    town: Town, folder: Path
) -> None:
    load = Load(town.system, town.place)
    try:
        eventually("there is load", lambda: load.moves > 50)
        for number in range(3):
            before = load.moves
            said = town.system.look_after("backup", f"{folder}-{number}/")
            assert "Backed up and verified" in said
            eventually("the load goes on", lambda before=before: load.moves > before + 20)
    finally:
        load.end()
    manifest = json.loads(Path(f"{folder}-2/manifest.json").read_text())
    assert {store["service"] for store in manifest["stores"]} == set(SERVICES)
    for store in manifest["stores"]:
        with sqlite3.connect(f"{folder}-2/{store['file']}") as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert copy.execute("SELECT max(revision) FROM log").fetchone() == (store["revision"],)
    assert not list(town.system.folder.glob("*/*.copy")), "a copy was left in the data folder"
    assert not list(folder.parent.glob("*unfinished*"))


def test_a_backup_is_made_of_stopped_services_too(own_town: Town, folder: Path) -> None:
    stop_services(own_town)
    own_town.system.look_after("backup", str(folder))
    assert "already" in own_town.system.look_after("backup", str(folder), code=6)


def test_backups_under_their_dates_are_kept_up_to_a_number(town: Town, folder: Path) -> None:
    folder.mkdir()
    (folder / "notes").mkdir()
    # No process has this number: they end below it.
    killed = folder / "2022-01-01T000000Z.unfinished-4194304"
    killed.mkdir()
    (killed / "profiles.db").touch()
    for name in ("2020-01-01T000000Z", "2021-01-01T000000Z"):
        town.system.look_after("backup", str(folder / name))
    town.system.look_after("backup", "--dated", "--keep", "2", str(folder))
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 3 and names[0] == "2021-01-01T000000Z" and names[2] == "notes"


def test_backups_of_one_second_get_names_of_their_own(town: Town, folder: Path) -> None:
    """In a folder that the first of them makes."""
    for _ in range(4):
        town.system.look_after("backup", "--dated", str(folder))
    assert len(list(folder.glob("*/manifest.json"))) == 4


def test_a_restore_is_refused_while_a_service_runs(town: Town, folder: Path) -> None:
    town.system.look_after("backup", str(folder))
    before = town.state()
    said = town.system.look_after("restore", "--yes", str(folder), code=6)
    assert "running" in said and "systemctl stop" in said
    assert not town.changed(before)
    assert not list(town.system.folder.glob("*/before-restore-*"))


@pytest.mark.parametrize("command", ["backup", "check", "migrate"])
def test_a_service_that_stands_still_is_waited_for_and_named(
    town: Town, folder: Path, command: str
) -> None:
    words = {"backup": [str(folder)], "check": [], "migrate": ["--dry-run"]}[command]
    service = town.system.locations
    service.pause()
    try:
        began = time.monotonic()
        said = town.system.look_after(command, *words, "--timeout", "3s", code=69)
        assert time.monotonic() - began < 8
    finally:
        service.resume()
    assert "Waiting for locations" in said
    waited = r"(answered nothing for|not made a copy of \S+locations.db in) 3 s"
    assert re.search(rf"locations \(process {service.pid}\) has {waited}", said), said
    assert f"kill -CONT {service.pid}" in said
    assert not list(folder.parent.glob("backup*")), "half a backup was left"
    town.system.look_after(command, *words)


def test_a_store_that_somebody_else_has_open_is_told_of(own_town: Town, folder: Path) -> None:
    stop_services(own_town)
    store = own_town.system.folder / "locations" / "locations.db"
    with sqlite3.connect(store) as other:
        assert other.execute("SELECT count(*) FROM log").fetchone()
        words = (str(folder), "--timeout", "2s")
        said = own_town.system.look_after("backup", *words, code=69)
    other.close()
    assert f"another process has {store} open" in said and f"fuser {store}" in said
    own_town.system.look_after("backup", str(folder))


@pytest.mark.parametrize("fault", ["a bit", "the end", "the manifest", "a store"])
def test_a_damaged_backup_is_refused_and_nothing_is_changed(
    own_town: Town, folder: Path, fault: str
) -> None:
    own_town.system.look_after("backup", str(folder))
    stop_services(own_town)
    damage(folder, fault)
    stores = [own_town.system.folder / name / f"{name}.db" for name in SERVICES]
    before = [store.read_bytes() for store in stores]
    code = {"the manifest": 64, "a store": 1}.get(fault, 6)
    said = own_town.system.look_after("restore", "--yes", str(folder), code=code)
    assert str(folder) in said
    assert [store.read_bytes() for store in stores] == before
    assert not list(own_town.system.folder.glob("*/*.restoring*"))


def damage(folder: Path, fault: str) -> None:
    store = folder / "profiles.db"
    content = bytearray(store.read_bytes())
    if fault == "a bit":
        content[len(content) // 2] ^= 1
        store.write_bytes(content)
    elif fault == "the end":
        store.write_bytes(content[:-4096])
    elif fault == "the manifest":
        (folder / "manifest.json").unlink()
    else:
        store.unlink()


def test_after_a_restore_all_is_as_it_was_and_the_logs_go_on_above(
    own_town: Town, folder: Path
) -> None:
    system = own_town.system
    watcher = Watcher(system.caller(user=unique("w")), location_id=own_town.place).begin()
    everything = Watcher(system.caller(user=unique("w")), all_counts=True).begin()
    before = state(own_town)
    system.look_after("backup", str(folder))
    go_on(own_town)
    assert state(own_town) != before
    own_town.world.admin.done("DeleteProfile", id=own_town.people[3].id)
    given_out = last_revisions(system)
    stop_services(own_town)
    said = system.look_after("restore", "--yes", str(folder))
    assert "before-restore-" in said
    for program in system.services:
        program.start()
    system.wait_until_serving()
    now = state(own_town)
    assert [name for name in before if now[name] != before[name]] == []
    for name, revision in last_revisions(system).items():
        assert revision > given_out[name], name
    # Everybody who follows or watches ends with what is true, and goes on from there.
    counts_equal_lists(system)
    newcomer = own_town.world.person(first_name="Newcomer")
    newcomer.check_in(own_town.place)
    ends_right(watcher, own_town.world.admin)
    assert "Newcomer" in watcher.names
    counts = counts_equal_lists(system)
    everything.until(lambda: everything.counts == counts)


def go_on(town: Town) -> None:
    """What happens after a backup, and is lost by restoring it."""
    for _ in range(20):
        town.world.person().check_in(town.place)
    town.people[2].caller.done("UpdateProfile", profile={"bio": "later"}, update_mask=["bio"])
    town.people[2].check_in(town.world.place(name=unique("Later ")))
    town.people[4].caller.done("CheckOut")


def test_C10_people_and_places_that_a_restore_has_lost_are_nowhere(
    own_town: Town, folder: Path
) -> None:
    system, world = own_town.system, own_town.world
    system.look_after("backup", str(folder))
    late = [world.person(first_name=f"Late{number}") for number in range(12)]
    lost = world.place(name=unique("Late "))
    for person in late[:6]:
        person.check_in(own_town.place)
    for person in late[6:]:
        person.check_in(lost)
    world.people(5)
    own_town.people[2].check_in(lost)
    watcher = Watcher(system.caller(user=unique("w")), location_id=own_town.place).begin()
    elsewhere = Watcher(system.caller(user=unique("w")), location_id=lost).begin()
    for program in system.services[:2]:
        program.stop()
    # The owners go back, and the check-ins know of people and places that they do not.
    system.look_after(
        "restore", "--yes", str(folder), "--only", "profiles", "--only", "locations")  # fmt: skip
    for program in system.services[:2]:
        program.start()
    system.wait_until_serving()
    eventually("those who are lost are nowhere", lambda: world.count(own_town.place) == 3)
    admin = world.admin
    ends_right(watcher, admin)
    assert elsewhere.end() == "LOCATION_NOT_FOUND"
    assert lost not in counts_equal_lists(system)
    for person in late:
        admin.refused("PROFILE_NOT_FOUND", "GetStatus", profile_id=person.id)
    status = admin.done("GetStatus", profile_id=own_town.people[2].id).status
    assert status.state == pb.CHECK_IN_STATE_CHECKED_OUT
    # And those who came again are there again.
    again = Caller(world.connection, late[0].user)
    created = again.done("CreateProfile", profile={"first_name": "Again"}).profile
    again.done("CheckIn", location_id=own_town.place)
    ends_right(watcher, admin)
    assert created.id in watcher.people


def test_check_ins_that_are_restored_alone_follow_from_where_they_are(
    own_town: Town, folder: Path
) -> None:
    system, world = own_town.system, own_town.world
    system.look_after("backup", str(folder))
    go_on(own_town)
    world.admin.done("DeleteProfile", id=own_town.people[3].id)
    system.check_ins.kill()
    system.look_after("restore", "--yes", str(folder), "--only", "check-ins")
    system.check_ins.start()
    system.wait_until_serving()
    counts_equal_lists(system)
    # Who was deleted after the backup is at no place, though the restored state had them there.
    world.admin.refused("PROFILE_NOT_FOUND", "GetStatus", profile_id=own_town.people[3].id)
    late = world.person()
    late.check_in(own_town.place)
    here = late.caller.done("ListPeopleHere", location_id=own_town.place).people
    assert late.id in [person.profile_id for person in here]


def test_a_restore_refuses_where_the_clock_is_behind(own_town: Town, folder: Path) -> None:
    system = own_town.system
    system.look_after("backup", str(folder))
    stop_services(own_town)
    # As if the newest change had been made tomorrow: the file is right, and only its time is.
    store = folder / "locations.db"
    with sqlite3.connect(store) as copy:
        copy.execute("UPDATE log SET time_ms = time_ms + 86400000")
        copy.commit()
        copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copy.close()
    forge(folder, store)
    said = system.look_after("restore", "--yes", str(folder), code=1)
    assert "set the clock" in said
    assert not list(system.folder.glob("*/before-restore-*"))


def forge(folder: Path, store: Path) -> None:
    """Makes the manifest say what the file is now."""
    manifest = json.loads((folder / "manifest.json").read_text())
    entry = next(each for each in manifest["stores"] if each["file"] == store.name)
    content = store.read_bytes()
    entry["bytes"], entry["sha256"] = len(content), hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_B6_whoever_is_erased_is_in_no_copy_that_was_left(own_town: Town) -> None:
    """A copy that nobody took away does not outlive who is in it."""
    system, world = own_town.system, own_town.world
    bio = unique("secret-")
    person = world.person(bio=bio)
    path = Path(system.caller("profiles").done("CopyStore").path)
    assert bio.encode() in path.read_bytes()
    world.admin.done("DeleteProfile", id=person.id)
    eventually("the copy is gone", lambda: not path.exists())
