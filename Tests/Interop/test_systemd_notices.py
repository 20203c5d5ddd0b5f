"""What the programs tell systemd, by sd_notify(3): that they serve, are well, and end."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from system import Program, System, eventually


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A socket like the one that systemd listens on."""
    with tempfile.TemporaryDirectory(prefix="muster-") as folder:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(f"{folder}/notify")
            manager.settimeout(10)
            monkeypatch.setenv("NOTIFY_SOCKET", f"{folder}/notify")
            yield manager


def told(manager: socket.socket) -> list[str]:
    """What comes next; one message may tell several things."""
    return manager.recv(4096).decode().splitlines()


def test_a_program_tells_that_it_serves_that_it_is_well_and_that_it_ends(
        manager: socket.socket) -> None:
    folder = Path(tempfile.mkdtemp(prefix="muster-"))
    program = Program("muster-profiles", [
        "--data", str(folder), "--rpc", f"ipc://{folder}/rpc", "--feed", f"ipc://{folder}/feed",
    ], folder, "profiles")
    program.start()
    try:
        assert told(manager) == ["READY=1"]
        assert told(manager) == ["WATCHDOG=1", "STATUS=serving"]
        # A loop that nobody calls still goes round, and a status that holds is not told again.
        assert told(manager) == ["WATCHDOG=1"]
        program.pause()
        manager.settimeout(2.5)
        with pytest.raises(TimeoutError):
            while True:
                told(manager)
        program.resume()
        manager.settimeout(10)
        assert told(manager) == ["WATCHDOG=1"]
    finally:
        program.ask_to_stop()
        eventually("it says that it ends", lambda: "STOPPING=1" in told(manager))
        assert program.wait() == 0


def test_a_gateway_that_serves_in_part_says_without_whom(
        new_system: Callable[[], System], manager: socket.socket,
        monkeypatch: pytest.MonkeyPatch) -> None:
    system = new_system()
    system.gateway.start()
    # The others are started by nobody who wants to know.
    monkeypatch.delenv("NOTIFY_SOCKET")
    system.start()
    eventually("it lacks nothing", lambda: "STATUS=serving" in told(manager))
    system.locations.kill()
    eventually("it says what it lacks", lambda: any(
        line.startswith("STATUS=serving in part; locations: ") for line in told(manager)))
    system.locations.start()
    eventually("it lacks nothing again", lambda: "STATUS=serving" in told(manager))
