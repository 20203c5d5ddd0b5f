"""What a process says of a service that does not let it in: another key is told from a service that
dies, stands still, or goes without keys."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from keyed import KeyedSystem
from system import PROGRAMS, eventually

OTHER_KEY = "the handshake fails: the service most likely has another key"
SILENT = "the handshake is not answered"
PLAIN = "no keys are taken"


@pytest.fixture
def keyed() -> Iterator[KeyedSystem]:
    """Not started."""
    system = KeyedSystem()
    try:
        yield system
    finally:
        system.close()


def says(system: KeyedSystem, what: str, of: str = "profiles") -> None:
    eventually(what, lambda: any(
        what in line and f"to={of}" in line for line in log(system).splitlines()))


def log(system: KeyedSystem) -> str:
    return system.gateway.log.read_text() if system.gateway.log.exists() else ""


def test_a_service_that_has_another_key_is_said_to_have_it(keyed: KeyedSystem) -> None:
    eve, own = keyed.pair("eve"), keyed.pair("profiles")
    keyed.pairs["profiles"] = eve
    keyed.gateway = keyed.keyed_gateway("gateway")
    keyed.pairs["profiles"] = own
    keyed.programs[-1] = keyed.gateway
    for program in keyed.programs:
        program.start()
    says(keyed, OTHER_KEY)
    assert SILENT not in log(keyed)


def test_a_service_that_is_killed_is_not_said_to_have_another_key(keyed: KeyedSystem) -> None:
    keyed.start()
    for _ in range(8):
        for program in keyed.services:
            program.kill()
            program.start()
        keyed.wait_until_serving()
    told = log(keyed)
    assert "connection lost" in told and "the handshake" not in told


def test_a_peer_that_hangs_up_once_in_the_handshake_has_no_other_key_for_that(
    keyed: KeyedSystem
) -> None:
    """As a process does that is killed at that moment."""
    with socket.create_server(("127.0.0.1", keyed.ports["profiles"])) as dying:
        keyed.gateway.start()
        connection, _ = dying.accept()
        assert connection.recv(10), "it has begun to shake hands"
    connection.close()
    keyed.start()
    assert "the handshake" not in log(keyed)


def test_a_service_that_stands_still_is_said_to_be_silent(keyed: KeyedSystem) -> None:
    keyed.start()
    keyed.profiles.pause()
    assert keyed.gateway.stop() == 0
    keyed.gateway.start()
    says(keyed, SILENT)
    keyed.profiles.resume()
    keyed.wait_until_serving()
    assert OTHER_KEY not in log(keyed)


@contextmanager
def going_without_keys(port: int) -> Iterator[None]:
    """Somebody who greets as a peer without keys, and leaves it to others to hang up: libzmq itself
    may do so first, and is then not told from one that has another key."""
    # RFC 23: signature, version, mechanism, no server, filler.
    greeting = b"\xff" + bytes(7) + b"\x01\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
    listener = socket.create_server(("127.0.0.1", port))
    come: list[socket.socket] = []

    def greet() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # It is closed.
                return
            connection.sendall(greeting)
            come.append(connection)

    greeter = threading.Thread(target=greet)
    greeter.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        greeter.join()
        for connection in (listener, *come):
            connection.close()


def test_what_goes_without_keys_is_said_to(keyed: KeyedSystem) -> None:
    with going_without_keys(keyed.ports["profiles"]):
        keyed.gateway.start()
        says(keyed, PLAIN)
    assert OTHER_KEY not in log(keyed)


# At the other end of the line: what somebody is told who calls a gateway.


def told(keyed: KeyedSystem, home: Path) -> str:
    """What a command says by its deadline, that has a key and knows the gateway's."""

    def muster(*words: str) -> str:
        return subprocess.run(
            [PROGRAMS / "muster", *words], env={**os.environ, "XDG_CONFIG_HOME": str(home)},
            text=True, capture_output=True, timeout=20, stdin=subprocess.DEVNULL,
        ).stderr  # fmt: skip

    own = str(keyed.pair("ada").file)
    keys = ["--server-key", keyed.server.public, "--secret-key", own]
    muster("context", "add", "work", "--endpoint", keyed.tcp("gateway"), *keys)
    return muster("me", "--context", "work", "--timeout", "1s")


def test_A3_a_gateway_that_dies_in_the_handshake_is_gone_and_has_no_other_key(
    keyed: KeyedSystem, tmp_path: Path
) -> None:
    dying = socket.create_server(("127.0.0.1", keyed.ports["gateway"]))

    def die() -> None:
        connection, _ = dying.accept()
        connection.recv(10)
        dying.close()
        connection.close()

    gateway = threading.Thread(target=die)
    gateway.start()
    said = told(keyed, tmp_path)
    gateway.join()
    assert "is the gateway running?" in said and "wrong" not in said


def test_A3_a_gateway_that_takes_no_keys_is_said_to(keyed: KeyedSystem, tmp_path: Path) -> None:
    with going_without_keys(keyed.ports["gateway"]):
        assert "takes no keys" in told(keyed, tmp_path)
