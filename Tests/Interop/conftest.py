"""One running system for all tests that leave it running, and new ones for those that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from client import Caller
from system import System
from town import Town
from world import World


@pytest.fixture(scope="session")
def system() -> Iterator[System]:
    """The system that tests share: nobody kills its processes."""
    shared = System()
    try:
        shared.start()
        shared.second_gateway.start()
        shared.wait_until_serving("gateway-2")
        yield shared
    finally:
        shared.close()


@pytest.fixture(scope="session")
def world(system: System) -> World:
    return World(system.connection())


@pytest.fixture(scope="session")
def admin(world: World) -> Caller:
    """A user with every role and no profile."""
    return world.admin


@pytest.fixture(scope="module")
def module_town() -> Iterator[Town]:
    """A system of the module's own, whose processes its tests kill."""
    system = System()
    try:
        system.start()
        yield Town(system)
    finally:
        system.close()


@pytest.fixture
def town(module_town: Town) -> Iterator[Town]:
    """The module's system, with all processes up again after each test."""
    yield module_town
    module_town.system.start()


@pytest.fixture
def new_system() -> Iterator[Callable[[], System]]:
    """Makes systems of the test's own, not yet started."""
    made: list[System] = []

    def make() -> System:
        made.append(System())
        return made[-1]

    yield make
    for system in made:
        system.close()


@pytest.fixture(autouse=True)
def programs_stay_up(request: pytest.FixtureRequest) -> Iterator[None]:
    """Blames a death on the test that caused it."""
    shared = request.getfixturevalue("system") if "system" in request.fixturenames else None
    yield
    if shared is not None:
        try:
            shared.check_running()
        except AssertionError:
            request.session.shouldfail = "a process that all tests share has died"
            raise
