"""A peer that speaks ZMTP by itself, to say what no ZeroMQ library would."""

from __future__ import annotations

import socket
import struct

import pytest

from client import Caller
from system import System

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32)


def command(name: bytes, data: bytes) -> bytes:
    body = bytes([len(name)]) + name + data
    return bytes([4, len(body)]) + body


READY = command(b"READY", b"\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER")
PING = command(b"PING", b"\0\0")
REQUEST = bytes([1, 9]) + b"\x08\x01\x12\x05x.y/z" + bytes([0, 0])


def flood(path: str) -> None:
    """Sends requests with heartbeats among them as fast as they are taken, and hangs up."""
    with socket.socket(socket.AF_UNIX) as raw:
        raw.settimeout(5)
        raw.connect(path)
        raw.sendall(GREETING)
        greeting = b""
        while len(greeting) < 64:
            greeting += raw.recv(64)
        raw.sendall(READY)
        raw.recv(256)
        raw.setblocking(False)
        rest = memoryview((REQUEST * 20 + PING) * 1_000)
        while rest:
            try:
                rest = rest[raw.send(rest) :]
            except BlockingIOError:
                return


@pytest.mark.parametrize("process", ["profiles", "locations", "check-ins", "gateway"])
def test_frames_heartbeats_in_what_a_lost_peer_sent_harm_nobody(
    system: System, process: str
) -> None:
    path = system.rpc(process).removeprefix("ipc://")
    for _ in range(3):  # what they leave behind is answered after they are gone
        flood(path)
    with system.connection(process) as connection:
        Caller(connection).succeeded("CheckHealth")
    system.check_running()
