"""ZMTP 3.0 as bytes (https://rfc.zeromq.org/spec/23), by somebody who keeps to no rule of it."""

from __future__ import annotations

import socket
import struct


def greeting(mechanism: bytes) -> bytes:
    return b"\xff" + bytes(8) + b"\x7f\x03\x00" + mechanism.ljust(20, b"\0") + bytes(32)


def command(name: bytes, data: bytes) -> bytes:
    body = bytes([len(name)]) + name + data
    return b"\x06" + struct.pack(">Q", len(body)) + body


def frame(data: bytes, more: bool) -> bytes:
    return bytes([0x02 | more]) + struct.pack(">Q", len(data)) + data


def shake_hands(raw: socket.socket, routing_id: bytes = b"") -> None:
    """Becomes a DEALER without a key, with any routing id at all."""
    raw.sendall(greeting(b"NULL"))
    read(raw, 64)
    properties = [(b"Socket-Type", b"DEALER"), (b"Identity", routing_id)]
    raw.sendall(command(b"READY", b"".join(
        bytes([len(name)]) + name + struct.pack(">I", len(value)) + value
        for name, value in properties
    )))  # fmt: skip
    read(raw, read(raw, 2)[1])


def read(raw: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = raw.recv(count - len(data))
        if not part:
            raise ConnectionResetError("closed")
        data += part
    return data


def is_closed(raw: socket.socket) -> bool:
    """Waits until the other side has hung up; what it says before does not matter."""
    try:
        while raw.recv(65_536):
            pass
    except OSError as error:
        return not isinstance(error, TimeoutError)
    return True
