"""What hostile peers do, each in a process of its own that goes on until it is killed.

Each abuse is a generator: it yields when it is at it, and then again and again.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import random
import resource
import selectors
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import zmq
from client import Caller, Connection, Keys
from keyed import KeyedSystem
from messages import METHODS, pb
from wire_bytes import chunk
from zmtp import command, frame, greeting, is_closed, read, shake_hands

MIB = 1024 * 1024
HONEST_ID = b"honest"
NOBODY = Keys("", "", "")


@dataclass(frozen=True)
class Target:
    """What an abuser knows: the endpoints, a key of its own, and one that services let in."""

    ipc: str
    tcp: str = ""
    feed: str = ""
    keys: Keys = NOBODY
    peer: Keys = NOBODY

    @classmethod
    def of(cls, system: KeyedSystem) -> Target:
        return cls(
            system.rpc("gateway"), system.tcp("gateway"), system.feed("profiles"),
            system.keys("mallory"), system.keys("check-ins", "profiles"),
        )  # fmt: skip

    def by_key(self, **options: int) -> Connection:
        return Connection(self.tcp, keys=self.keys, **options)

    def trusted(self, **options: int) -> Connection:
        return Connection(self.ipc, **options)

    def raw_tcp(self) -> socket.socket:
        host, port = self.tcp.removeprefix("tcp://").split(":")
        return self._raw(socket.AF_INET, (host, int(port)))

    def raw_ipc(self) -> socket.socket:
        return self._raw(socket.AF_UNIX, self.ipc.removeprefix("ipc://"))

    @staticmethod
    def _raw(family: int, address: object) -> socket.socket:
        raw = socket.socket(family)
        # What is closed is gone at once, so that ports last.
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.connect(address)
        raw.settimeout(5)
        return raw


def request(id: int, method: str = "CheckHealth", **fields: object) -> bytes:
    values = {"id": id, "method": METHODS[method].full_name, "timeout_ms": 60_000, **fields}
    return pb.RequestHeader(**values).SerializeToString()


# The abuses.


def port_scans(target: Target) -> Iterator[None]:
    source = random.Random(1)
    probes = [b"", b"GET / HTTP/1.1\r\n\r\n", greeting(b"NULL"), greeting(b"CURVE")[:40]]
    while True:
        for probe in [*probes, source.randbytes(300)]:
            with target.raw_tcp() as raw:
                raw.sendall(probe)
            yield


def half_open_handshakes(target: Target) -> Iterator[None]:
    """A thousand at a time that stop in the middle; who is dropped comes again."""
    yield from stay_connected([target.raw_tcp] * 1_000, greeting(b"CURVE")[:11])


def connections(target: Target) -> Iterator[None]:
    """Ten thousand, half of them by ipc; who is dropped comes again."""
    yield from stay_connected([target.raw_tcp, target.raw_ipc] * 5_000, b"")


def stay_connected(connect: list[Callable[[], socket.socket]], first: bytes) -> Iterator[None]:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    selector = selectors.DefaultSelector()

    def come(again: Callable[[], socket.socket]) -> None:
        try:
            raw = again()
            raw.sendall(first)
        except OSError:
            return
        selector.register(raw, selectors.EVENT_READ, again)

    for one in connect:
        come(one)
    while True:
        yield
        for key, _ in selector.select(0.1):
            raw = key.fileobj
            assert isinstance(raw, socket.socket)
            try:
                gone = not raw.recv(65_536)
            except OSError:
                gone = True
            if gone:
                selector.unregister(raw)
                raw.close()
                come(key.data)


def length_prefixes(target: Target) -> Iterator[None]:
    """Frames that say that they have 2 GiB: with a key, without one, before the handshake."""
    long = b"\x02" + struct.pack(">Q", 1 << 31) + bytes(1_000)
    while True:
        with target.raw_tcp() as raw:
            raw.sendall(greeting(b"CURVE"))
            read(raw, 64)
            raw.sendall(long)
            assert is_closed(raw)
        with target.raw_ipc() as raw:
            shake_hands(raw)
            raw.sendall(long)
            assert is_closed(raw)
        yield


def endless_messages(target: Target) -> Iterator[None]:
    """Messages that get another part, and another."""
    yield from flood(target, frame(bytes(MIB // 2), more=True))


def flood(target: Target, data: bytes) -> Iterator[None]:
    """The same bytes as fast as they go, with nothing read; who is dropped comes again."""
    while True:
        try:
            with target.raw_ipc() as raw:
                shake_hands(raw)
                raw.settimeout(60)
                while True:
                    raw.sendall(data)
                    yield
        except OSError:
            threading.Event().wait(0.02)
            yield


def endless_small_parts(target: Target) -> Iterator[None]:
    """The same in parts of nothing, which cost memory all the same."""
    yield from flood(target, frame(b"", more=True) * 100_000)


def never_read(target: Target, trusted: bool = False) -> Iterator[None]:
    """Eight connections that ask for 512 KiB again and again, and read nothing."""
    with target.trusted() as first:
        me = Caller(first, "mallory")
        me.call("CreateProfile", profile={"first_name": "Mallory"})
        image = b"\x89PNG\r\n\x1a\n" + bytes(500_000)
        me.succeeded("SetAvatar", image=image)
    body = pb.GetAvatarRequest(avatar_id=hashlib.sha256(image).digest()).SerializeToString()
    connect = target.trusted if trusted else target.by_key
    lazy = [connect(receive_high_water=1) for _ in range(8)]
    fields = {"acting_user": "mallory"} if trusted else {}
    id = 0
    while True:
        for connection in lazy:
            id += 1
            connection.send_frames(b"", request(id, "GetAvatar", **fields), body)
        threading.Event().wait(0.005)
        yield


def never_read_trusted(target: Target) -> Iterator[None]:
    yield from never_read(target, trusted=True)


def large_bodies(target: Target, trusted: bool = False) -> Iterator[None]:
    """400 bodies of 1 MiB at once, each a thousand profiles, again and again."""
    profiles = [
        {"user_id": f"user {number}", "first_name": "M", "bio": "b" * 1_000}
        for number in range(1_000)
    ]
    body = pb.BatchCreateProfilesRequest(profiles=profiles).SerializeToString()
    body += chunk(1000, bytes(MIB - len(body) - 8))
    fields = {"acting_user": "mallory"} if trusted else {}
    with (target.trusted() if trusted else target.by_key()) as connection:
        while True:
            for id in range(1, 401):
                connection.send_frames(b"", request(id, "BatchCreateProfiles", **fields), body)
            for _ in range(400):
                yield
                connection.receive_frames(60)


def large_bodies_trusted(target: Target) -> Iterator[None]:
    yield from large_bodies(target, trusted=True)


def calls(target: Target) -> Iterator[None]:
    """As many calls as go, a thousand outstanding."""
    with target.by_key() as connection:
        id = 0
        for id in range(1, 1_001):
            connection.send_frames(b"", request(id, "GetCounts"), b"")
        while True:
            connection.receive_frames(60)
            id += 1
            connection.send_frames(b"", request(id, "GetCounts"), b"")
            yield


def calls_unread(target: Target) -> Iterator[None]:
    """Calls as fast as bytes go, trusted, whose answers nobody reads."""
    header = request(1, "GetCounts", acting_user="mallory")
    yield from flood(target, (frame(header, more=True) + frame(b"", more=False)) * 2_000)


def watches(target: Target) -> Iterator[None]:
    """Watches that begin and end, as many as go."""
    with target.by_key() as connection:
        id, body = 0, pb.WatchRequest(all_counts=True).SerializeToString()
        while True:
            for _ in range(100):
                id += 2
                connection.send_frames(b"", request(id, "Watch"), body)
                cancel = pb.CancelWatchRequest(call_id=id).SerializeToString()
                connection.send_frames(b"", request(id + 1, "CancelWatch"), cancel)
            while connection.socket.poll(0):
                connection.socket.recv_multipart()
            yield


def subscriptions(target: Target) -> Iterator[None]:
    """Ever more topics at a service's feed, by somebody with a key that services let in."""
    context = zmq.Context.instance()
    with context.socket(zmq.SUB) as feed:
        feed.sndhwm = 1_000
        feed.curve_publickey, feed.curve_secretkey, feed.curve_serverkey = (
            half.encode() for half in (target.peer.public, target.peer.secret, target.peer.server)
        )
        feed.connect(target.feed)
        while True:
            for _ in range(100):
                feed.subscribe(os.urandom(1_000))
            yield


def pings(target: Target) -> Iterator[None]:
    """Heartbeats as fast as they go, whose answers nobody reads."""
    yield from flood(target, command(b"PING", b"\0\0" + b"0123456789abcdef") * 2_000)


def routing_ids(target: Target) -> Iterator[None]:
    """Somebody else's id, one id twice, and ids as libzmq makes them, with calls under each."""
    source = random.Random(2)
    # libzmq numbers peers from what rand(3) gives it, and aborts where it comes to a number that
    # somebody has claimed. Which socket has which of the first numbers is not known here.
    c = ctypes.CDLL(None)
    c.srand(1)
    claimed = []
    for _ in range(6):
        first = c.rand() | (c.rand() & 1) << 31
        for number in range(40):
            claimed.append(target.raw_ipc())
            shake_hands(claimed[-1], struct.pack(">BI", 0, (first + number) % 2**32))
    for _ in range(40):
        with target.raw_ipc() as raw:
            shake_hands(raw)
    while True:
        own = b"\0" + source.randbytes(4)
        for id in (HONEST_ID, own, own, b"x" * 255):
            with target.raw_ipc() as raw:
                shake_hands(raw, id)
                header = request(1, acting_user="mallory")
                raw.sendall(frame(header, more=True) + frame(b"", more=False))
                raw.settimeout(0.02)
                try:
                    read(raw, 2)
                    assert id != HONEST_ID, "a thief was answered"
                except TimeoutError:
                    pass
            yield


@dataclass(frozen=True)
class Abuse:
    """Something that somebody does, and by how much it may make a process grow."""

    run: Callable[[Target], Iterator[None]]
    most_mib: int
    descriptors: int = 0


ABUSES = {
    "port scans": Abuse(port_scans, 16),
    "1 000 half-open handshakes": Abuse(half_open_handshakes, 64),
    "10 000 connections, 1 024 descriptors": Abuse(connections, 64, descriptors=1_024),
    "length prefixes of 2 GiB": Abuse(length_prefixes, 16),
    "8 connections that never read": Abuse(never_read, 256),
    "8 that never read, trusted": Abuse(never_read_trusted, 600),
    "400 bodies of 1 MiB at a time": Abuse(large_bodies, 256),
    "400 bodies of 1 MiB, trusted": Abuse(large_bodies_trusted, 256),
    "a flood of calls": Abuse(calls, 64),
    "a flood of calls, trusted, unread": Abuse(calls_unread, 256),
    "a flood of watches": Abuse(watches, 64),
    "a flood of subscriptions": Abuse(subscriptions, 600),
    "a flood of pings": Abuse(pings, 16),
    "routing ids stolen and repeated": Abuse(routing_ids, 16),
    "messages that never end": Abuse(endless_messages, 128),
}
# One that costs more memory than its bytes, for a process that has little.
ENDLESS = Abuse(endless_small_parts, 0)


class Abuser:
    """Somebody at it, from the beginning of the block to its end."""

    def __init__(self, abuse: Abuse, target: Target) -> None:
        name = abuse.run.__name__
        words = [sys.executable, "-B", __file__, name, json.dumps(asdict(target))]
        self._process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *words], stdout=subprocess.PIPE
        )

    def __enter__(self) -> Abuser:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"begun\n", "the abuser could not begin"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.poll() is None, "the abuser has given up"
        self._process.kill()
        self._process.communicate()


def main(name: str, target: str) -> None:
    known = json.loads(target)
    known |= {whose: Keys(**known[whose]) for whose in ("keys", "peer")}
    at_it = next(one for one in (*ABUSES.values(), ENDLESS) if one.run.__name__ == name)
    for count, _ in enumerate(at_it.run(Target(**known))):
        if count == 0:
            print("begun", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
