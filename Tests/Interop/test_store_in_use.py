"""A store that another process has open when its service starts: a dying one is waited for."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from stores import stop_services
from system import Program, System, eventually
from town import SERVICES, Town

NewSystem = Callable[[], System]


@contextmanager
def held(system: System, name: str) -> Iterator[None]:
    """As a process has it that reads it, or is killed and has not ended yet."""
    store = sqlite3.connect(system.folder / name / f"{name}.db")
    try:
        assert store.execute("SELECT count(*) FROM log").fetchone() is not None
        yield
    finally:
        store.close()


def stopped(system: System, name: str) -> Program:
    """A service that has run, and does not."""
    system.start()
    stop_services(Town(system))
    return next(each for each in system.services if each.name == name)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_for_a_process_that_is_about_to_end(
    new_system: NewSystem, name: str
) -> None:
    system = new_system()
    program = stopped(system, name)
    before = program.log.read_text()
    with held(system, name):
        program.start()
        file = system.folder / name / f"{name}.db"
        descriptors = f"/proc/{program.pid}/fd"
        eventually("it has the file open", lambda: str(file) in open_files(descriptors))
        program.check_running()
    system.start()
    told = program.log.read_text()[len(before):]
    assert "ready" in told and "open" not in told


def open_files(folder: str) -> set[str]:
    files = set()
    for descriptor in Path(folder).iterdir():
        try:
            files.add(str(descriptor.readlink()))
        except OSError:  # It was closed meanwhile.
            continue
    return files


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_says_that_its_store_is_in_use(new_system: NewSystem, name: str) -> None:
    system = new_system()
    program = stopped(system, name)
    with held(system, name):
        began = time.monotonic()
        program.start()
        assert program.wait() == 1
        assert time.monotonic() - began > 2.5, "it waits"
    told = program.tail()
    assert f"another process has {system.folder / name / name}.db open" in told
    assert "cannot run" in told and "the store failed" not in told
    system.start()
