"""`muster check` finds each kind of damage in a copy of the stores, and repairs what can be."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from client import Caller, Connection
from stores import Load, counts_equal_lists, state, stop_services
from system import System, eventually
from town import SERVICES, Town
from world import new_id, unique


@dataclass(frozen=True)
class Damage:
    """What somebody, or a disk, did to one store."""

    service: str
    sql: str
    # What is found first.
    found: str
    repairable: bool = True


ONE = "(SELECT id FROM profile WHERE avatar_id = x'' LIMIT 1)"
NOW = "(SELECT max(time_ms) FROM log)"
GHOST = f"'ghost', 'Ghost', '', '', '', x'', {NOW}, {NOW}"
SUPERSEDED = "(SELECT min(revision) FROM log GROUP BY entity HAVING count(*) > 1 LIMIT 1)"
LAST_OF = "(SELECT max(revision) FROM log GROUP BY entity HAVING count(*) > 1 LIMIT 1)"
MIDDLE = "(SELECT revision FROM log WHERE from_place IS NOT NULL LIMIT 1)"
HERE = "(SELECT number FROM person WHERE place IS NOT NULL LIMIT 1)"

DAMAGES = {
    "a profile altered": Damage(
        "profiles", f"UPDATE profile SET bio = 'altered' WHERE id = {ONE}", "not what the log says"
    ),
    "a profile lost": Damage(
        "profiles", f"DELETE FROM profile WHERE id = {ONE}", "not what the log says"
    ),
    "a profile that was deleted": Damage(
        "profiles",
        "INSERT INTO profile VALUES "
        f"((SELECT entity FROM log WHERE body IS NULL LIMIT 1), {GHOST}, 1)",
        "the log says were deleted",
    ),
    "a profile that the log lacks": Damage(
        "profiles",
        f"INSERT INTO profile VALUES (randomblob(16), {GHOST}, (SELECT max(revision)+1 FROM log))",
        "the log does not know of",
    ),
    "a void change lost": Damage(
        "profiles", f"DELETE FROM log WHERE revision = {SUPERSEDED}", "the log lacks changes"
    ),
    "the newest change of somebody lost": Damage(
        "profiles", f"DELETE FROM log WHERE revision = {LAST_OF}", "the log lacks changes"
    ),
    "a void change unreadable": Damage(
        "profiles",
        f"UPDATE log SET body = x'FFFF' WHERE revision = {SUPERSEDED}",
        "cannot be read",
    ),
    "the newest change of somebody unreadable": Damage(
        "profiles", f"UPDATE log SET body = x'FFFF' WHERE revision = {LAST_OF}", "cannot be read"
    ),
    "a change under another's name": Damage(
        "profiles",
        f"UPDATE log SET entity = randomblob(16) WHERE revision = {SUPERSEDED}",
        "cannot be read",
    ),
    "an image miscounted": Damage("profiles", "UPDATE image SET uses = 7", "counted wrongly"),
    "an image nobody has": Damage(
        "locations",
        "INSERT INTO image VALUES (randomblob(32), 1, x'00')",
        "counted wrongly",
    ),
    "an image lost": Damage("profiles", "DELETE FROM image", "images are missing", False),
    "an image altered": Damage(
        "locations", "UPDATE image SET bytes = x'00'", "images are not what they were", False
    ),
    "a response of somebody who is not there": Damage(
        "profiles",
        "INSERT INTO kept_response VALUES (900, randomblob(16), 0, 0, 0, 0, 0, x'00');"
        "INSERT INTO kept_response_profile VALUES (randomblob(16), 900)",
        "stored responses tell of people",
    ),
    "an index dropped": Damage("profiles", "DROP INDEX profile_by_name", "indexes are missing"),
    "a table dropped": Damage("locations", "DROP TABLE image", "tables are missing", False),
    "time that falls": Damage(
        "locations", "UPDATE log SET time_ms = 5 WHERE revision = 2", "time falls", False
    ),
    "a place altered": Damage(
        "locations", "UPDATE place SET name = 'Elsewhere' WHERE number = 1", "what they are not"
    ),
    "a place lost": Damage("locations", "DELETE FROM place WHERE number = 1", "part of their name"),
    "positions lost": Damage("locations", "DELETE FROM place_position", "near where they are not"),
    "names lost": Damage(
        "locations",
        "INSERT INTO place_name(place_name) VALUES ('delete-all')",
        "part of their name",
    ),
    "somebody elsewhere": Damage(
        "check-ins",
        f"UPDATE person SET place = 1 WHERE number = {HERE}",
        "people are not where the log says",
    ),
    "somebody nowhere": Damage(
        "check-ins",
        f"UPDATE person SET place = NULL WHERE number = {HERE}",
        "people are not where the log says",
    ),
    "a stay that began elsewhen": Damage(
        "check-ins",
        f"UPDATE person SET since_ms = since_ms + 1 WHERE number = {HERE}",
        "people are not where the log says",
    ),
    "somebody deleted and checked in": Damage(
        "check-ins", f"UPDATE person SET user = NULL WHERE number = {HERE}", "who were deleted"
    ),
    "a place deleted with people in it": Damage(
        "check-ins",
        "UPDATE place SET is_known = 0 WHERE number = (SELECT place FROM person WHERE place >= 0)",
        "whose place was",
    ),
    "a change of a person lost": Damage(
        "check-ins", f"DELETE FROM log WHERE revision = {MIDDLE}", "the log lacks changes"
    ),
    "the newest change lost": Damage(
        "check-ins",
        "DELETE FROM log WHERE revision = (SELECT max(revision) FROM log)",
        "people are not where the log says",
    ),
    "an entry of a history lost": Damage(
        "check-ins",
        f"UPDATE log SET person_before = 0 WHERE revision = {MIDDLE}",
        "histories do not go through",
    ),
    "a history of a place that skips": Damage(
        "check-ins",
        "UPDATE log SET to_before = 0 WHERE to_before = (SELECT max(to_before) FROM log)",
        "histories do not go through",
    ),
    "a history that nobody finds": Damage(
        "check-ins",
        "UPDATE place SET last_entry = 0 WHERE last_entry > 0",
        "histories do not go through",
    ),
    "a snapshot beyond the log": Damage(
        "check-ins", "UPDATE progress SET snapshot_revision = 100000", "beyond the end of the log"
    ),
    "nobody who asked": Damage("check-ins", "DELETE FROM actor", "do not tell who asked"),
    "a place's number lost": Damage(
        "check-ins", "DELETE FROM place WHERE number = 0", "numbers of a place are missing", False
    ),
    "a person that there never was": Damage(
        "check-ins",
        "UPDATE log SET person = 9999 WHERE revision = 1",
        "that there never were",
        False,
    ),
    "somebody the profiles do not know": Damage(
        "check-ins",
        "INSERT INTO person(number, id, user) VALUES "
        "((SELECT count(*) FROM person), randomblob(16), 'ghost')",
        "profiles does not know",
    ),
    "somebody unknown to check-ins": Damage(
        "check-ins",
        "DELETE FROM person WHERE number = (SELECT max(number) FROM person)",
        "profiles are not known here",
    ),
    "a newer schema": Damage("profiles", "PRAGMA user_version = 99", "a newer version", False),
    "another program's file": Damage(
        "profiles", "PRAGMA application_id = 99", "another program", False
    ),
}


@pytest.fixture(scope="module")
def stopped() -> Iterator[Town]:
    """A town whose services have been stopped when all was written that is written behind."""
    system = System()
    try:
        system.start()
        town = Town(system)
        town.world.change(town.place, ["point"], point={"latitude": 37.4, "longitude": -121.9})
        town.people[0].caller.done(
            "CheckIn", location_id=town.place, header={"idempotency_key": new_id()}
        )
        # Nobody refers to the last one.
        town.world.person()
        stats = Caller(Connection(system.rpc("check-ins")), unique("a"))

        def is_saved() -> bool:
            gauges = {gauge.name: gauge.value for gauge in stats.done("GetStats").gauges}
            return gauges["muster_log_entries_without_snapshot"] == 0

        eventually("the snapshot has everything", is_saved)
        stop_services(town)
        yield town
    finally:
        system.close()


@pytest.fixture
def stores(stopped: Town, tmp_path: Path) -> Path:
    """Copies of the town's stores, as a data folder."""
    for name in SERVICES:
        shutil.copytree(stopped.system.folder / name, tmp_path / name)
    return tmp_path


def check(town: Town, stores: Path, *words: str, code: int = 0) -> str:
    said = town.system.muster("check", "--data", str(stores), "-o", "json", *words, code=code)
    return said.stdout + said.stderr


def damage(stores: Path, service: str, sql: str) -> None:
    with sqlite3.connect(stores / service / f"{service}.db") as store:
        store.executescript(sql)
    store.close()


def test_stores_that_are_whole_are_said_to_be(stopped: Town, stores: Path) -> None:
    before = {name: (stores / name / f"{name}.db").read_bytes() for name in SERVICES}
    assert check(stopped, stores).count('"whole"') == 3
    check(stopped, stores, "--repair")
    assert before == {name: (stores / name / f"{name}.db").read_bytes() for name in SERVICES}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_and_repaired(stopped: Town, stores: Path, name: str) -> None:
    fault = DAMAGES[name]
    damage(stores, fault.service, fault.sql)
    files = [stores / service / f"{service}.db" for service in SERVICES]
    damaged = [file.read_bytes() for file in files]
    said = check(stopped, stores, code=6)
    assert fault.found in said
    assert [file.read_bytes() for file in files] == damaged, "looking has changed something"
    if fault.repairable:
        assert "--repair" in said
        assert '"repaired"' in check(stopped, stores, "--repair")
        assert check(stopped, stores).count('"whole"') == 3
    else:
        is_newer = "newer" in name
        assert ("the version that wrote it" if is_newer else "muster restore") in said
        assert ('"unknown"' if is_newer else '"lost"') in said
        assert fault.found in check(stopped, stores, "--repair", code=6)


def test_an_index_that_is_not_what_its_table_says_is_made_anew(
    stopped: Town, stores: Path
) -> None:
    damage(stores, "profiles", """
        PRAGMA writable_schema = ON;
        CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'profile_by_name';
        DELETE FROM sqlite_schema WHERE name = 'profile_by_name';
        PRAGMA writable_schema = RESET;
        """)  # fmt: skip
    damage(stores, "profiles", """
        UPDATE profile SET last_name = 'Behind the back of the index';
        UPDATE profile SET last_name = 'Lovelace';
        DELETE FROM profile WHERE id = (SELECT id FROM profile LIMIT 1);
        PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema SELECT * FROM kept;
        PRAGMA writable_schema = RESET;
        DROP TABLE kept;
        """)  # fmt: skip
    assert "the file is damaged" in check(stopped, stores, code=6)
    assert '"repaired"' in check(stopped, stores, "--repair")
    assert check(stopped, stores).count('"whole"') == 3


@pytest.mark.parametrize("where", ["the header", "a page", "all"])
def test_a_file_that_is_damaged_is_no_crash(stopped: Town, stores: Path, where: str) -> None:
    file = stores / "check-ins" / "check-ins.db"
    content = bytearray(file.read_bytes())
    if where == "the header":
        content[:100] = bytes(100)
    elif where == "a page":
        content[4096 * 3 : 4096 * 8] = bytes(b"\xa5" * 4096 * 5)
    else:
        content[100:] = bytes(b"\x5a" * (len(content) - 100))
    file.write_bytes(content)
    assert "muster restore" in check(stopped, stores, code=6)
    assert '"lost"' in check(stopped, stores, "--repair", code=6)


def test_a_store_that_is_not_there_is_told(stopped: Town, stores: Path) -> None:
    (stores / "locations" / "locations.db").unlink()
    assert "there is no store" in check(stopped, stores, code=64)
    assert not (stores / "locations" / "locations.db").exists()


def test_running_services_are_checked_by_copies_and_not_repaired(town: Town) -> None:
    load = Load(town.system, town.place)
    try:
        eventually("there is load", lambda: load.moves > 50)
        for _ in range(3):
            town.system.look_after("check")
        assert "running" in town.system.look_after("check", "--repair", code=6)
        assert not list(town.system.folder.glob("*/*.copy*"))
    finally:
        load.end()


def test_E2_after_repairs_the_services_say_what_they_said(town: Town) -> None:
    """Much that can be told from the log is damaged at once; then all is as it was."""
    stats = town.system.caller("check-ins", unique("a"))

    def is_saved() -> bool:
        gauges = {gauge.name: gauge.value for gauge in stats.done("GetStats").gauges}
        return gauges["muster_log_entries_without_snapshot"] == 0

    eventually("the snapshot has everything", is_saved)
    before: dict[str, Any] = state(town)
    stop_services(town)
    for name in (
        *("a profile altered", "a profile lost", "an image miscounted", "an index dropped"),
        *("a place altered", "positions lost", "names lost", "somebody elsewhere"),
        *("an entry of a history lost", "a snapshot beyond the log"),
    ):
        damage(town.system.folder, DAMAGES[name].service, DAMAGES[name].sql)
    town.system.look_after("check", code=6)
    town.system.look_after("check", "--repair")
    town.system.look_after("check")
    for program in town.system.services:
        program.start()
    town.system.wait_until_serving()
    now = state(town)
    assert [name for name in before if now[name] != before[name]] == []
    counts_equal_lists(town.system)
