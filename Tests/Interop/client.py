"""A client of Muster, written from proto/README.md alone.

A `Connection` owns one socket and matches responses to calls by their id. A `Caller` is somebody
on a connection: a user with roles. Every response is held against the rules of the envelope.
"""

from __future__ import annotations

import time
import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import zmq
from google.protobuf.message import Message
from messages import CODES, METHODS, STREAMS, pb

_context = zmq.Context()

# Which refusals come with a body.
BODIES_OF_REFUSALS = {
    ("CreateProfile", "PROFILE_EXISTS"),
    ("CheckIn", "STATUS_CHANGED"),
    ("CheckOut", "STATUS_CHANGED"),
}


class NoAnswer(AssertionError):
    """Nothing came in time."""


@dataclass(frozen=True)
class Reply:
    """One response, taken apart."""

    method: str
    header: Any
    body: Any
    frame: bytes

    @property
    def code(self) -> int:
        return self.header.status.code

    @property
    def reason(self) -> str:
        return self.header.status.reason

    @property
    def violations(self) -> list[str]:
        """The fields that were refused."""
        return [violation.field for violation in self.header.status.field_violations]

    @property
    def as_of(self) -> Any:
        return self.header.as_of

    @property
    def replayed(self) -> bool:
        return self.header.replayed

    def __str__(self) -> str:
        return f"{self.method}: header {{ {self.header} }} body {{ {self.body} }}"


def check_envelope(reply: Reply) -> None:
    """Holds a response against what README says of every response."""
    status = reply.header.status
    if reply.header.more:
        assert reply.method in STREAMS, f"more than one response: {reply}"
        assert not reply.header.HasField("status"), f"a refusal that is not the last: {reply}"
    if status.code == pb.CODE_OK:
        assert not status.reason and not status.field_violations, f"success with reason: {reply}"
        return
    assert CODES.get(status.reason) == status.code, f"code and reason do not go together: {reply}"
    assert status.message.strip(), f"a refusal without a sentence: {reply}"
    controls = [c for c in status.message if unicodedata.category(c) == "Cc"]
    assert not controls, f"control characters in a sentence: {reply}"
    assert len(status.field_violations) <= 20, f"too many violations: {reply}"
    if status.reason == "INVALID_FIELDS":
        assert status.field_violations, f"INVALID_FIELDS names no field: {reply}"
    if status.code != pb.CODE_INVALID_ARGUMENT:
        assert not status.field_violations, f"violations with another code: {reply}"
    if (reply.method, status.reason) not in BODIES_OF_REFUSALS:
        assert reply.frame == b"", f"a refusal with a body: {reply}"


@dataclass(frozen=True)
class Keys:
    """How to shake hands: one's own pair, and the server's public key, in Z85."""

    public: str
    secret: str
    server: str


class Connection:
    """One socket to one process."""

    def __init__(
        self,
        endpoint: str,
        *,
        delimiter: bool = True,
        routing_id: bytes | None = None,
        receive_high_water: int = 0,
        keys: Keys | None = None,
    ) -> None:
        self.delimiter = delimiter
        self.socket = _context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.sndhwm = 0
        self.socket.rcvhwm = receive_high_water
        if routing_id is not None:
            self.socket.setsockopt(zmq.ROUTING_ID, routing_id)
        if keys is not None:
            self.socket.curve_publickey = keys.public.encode()
            self.socket.curve_secretkey = keys.secret.encode()
            self.socket.curve_serverkey = keys.server.encode()
        self.socket.connect(endpoint)
        self._next_id = 1
        self._in_flight: dict[int, str] = {}
        self._arrived: dict[int, Reply] = {}
        # Of streams all responses but the last.
        self._streamed: dict[int, deque[Reply]] = {}

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Frames as they are.

    def send_frames(self, *frames: bytes) -> None:
        """Sends exactly these frames."""
        self.socket.send_multipart(frames)

    def receive_frames(self, seconds: float = 5) -> list[bytes]:
        """The next message as it is, or NoAnswer."""
        if not self.socket.poll(int(seconds * 1000)):
            raise NoAnswer(f"no message in {seconds} s")
        return self.socket.recv_multipart()

    def receive_header(self, seconds: float = 5) -> Any:
        """The header of the next response, whichever call it is of."""
        frames = self.receive_frames(seconds)
        return pb.ResponseHeader.FromString(frames[-2])

    # Calls.

    def start(self, method: str, message: Message | bytes, header: Any) -> int:
        """Sends a call and returns its id."""
        header.id = self._next_id
        self._next_id += 1
        body = message if isinstance(message, bytes) else message.SerializeToString()
        self._in_flight[header.id] = method
        frames = [header.SerializeToString(), body]
        self.send_frames(*([b"", *frames] if self.delimiter else frames))
        return header.id

    def finish(self, call_id: int, seconds: float = 15) -> Reply:
        """Waits for the response of one call; those of others are kept for them."""
        deadline = time.monotonic() + seconds
        while call_id not in self._arrived:
            left = deadline - time.monotonic()
            if left <= 0 or not self.socket.poll(int(left * 1000) + 1):
                method = self._in_flight[call_id]
                raise NoAnswer(f"{method} was not answered in {seconds} s")
            self._accept(self.socket.recv_multipart())
        return self._arrived.pop(call_id)

    def next(self, call_id: int, seconds: float = 15) -> Reply:
        """The next response of a stream; the last one is what `finish` waits for."""
        deadline = time.monotonic() + seconds
        while not (streamed := self._streamed.get(call_id)):
            if call_id in self._arrived:
                return self._arrived.pop(call_id)
            left = deadline - time.monotonic()
            if left <= 0 or not self.socket.poll(int(left * 1000) + 1):
                raise NoAnswer(f"nothing more came of stream {call_id} in {seconds} s")
            self._accept(self.socket.recv_multipart())
        return streamed.popleft()

    def _accept(self, frames: list[bytes]) -> None:
        if self.delimiter:
            assert frames[0] == b"", f"a response without the delimiter: {frames!r}"
            frames = frames[1:]
        assert len(frames) == 2, f"{len(frames)} frames where two belong: {frames!r}"
        header = pb.ResponseHeader.FromString(frames[0])
        method = self._in_flight.get(header.id)
        assert method is not None, f"a response that nobody waits for: {header}"
        body = METHODS[method].response.FromString(frames[1]) if method in METHODS else None
        reply = Reply(method, header, body, frames[1])
        check_envelope(reply)
        if header.more:
            self._streamed.setdefault(header.id, deque()).append(reply)
            return
        del self._in_flight[header.id]
        self._arrived[header.id] = reply


class Caller:
    """A user with roles on a connection. No roles: every role."""

    def __init__(self, connection: Connection, user: str = "", roles: tuple[str, ...] = ()) -> None:
        self.connection = connection
        self.user = user
        self.roles = roles

    def acting(self, *roles: str) -> Caller:
        """The same user with these roles."""
        return Caller(self.connection, self.user, roles)

    def on(self, connection: Connection) -> Caller:
        """The same user elsewhere."""
        return Caller(connection, self.user, self.roles)

    def start(
        self,
        method: str,
        *,
        header: dict[str, Any] | None = None,
        body: bytes | None = None,
        **fields: Any,
    ) -> int:
        """Sends a call; `fields` are the request's, `header` is added to the request's header."""
        known = METHODS.get(method)
        values = {
            "method": known.full_name if known else method,
            "timeout_ms": 10_000,
            "acting_user": self.user,
            "acting_roles": self.roles,
            **(header or {}),
        }
        message = body if body is not None else (known.request(**fields) if known else b"")
        return self.connection.start(method, message, pb.RequestHeader(**values))

    def call(self, method: str, **arguments: Any) -> Reply:
        """Calls and waits, whatever the answer is."""
        return self.connection.finish(self.start(method, **arguments))

    def done(self, method: str, **arguments: Any) -> Any:
        """The body of a call that succeeds."""
        return self.succeeded(method, **arguments).body

    def succeeded(self, method: str, **arguments: Any) -> Reply:
        """A call that succeeds."""
        reply = self.call(method, **arguments)
        assert reply.code == pb.CODE_OK, f"refused by {self}: {reply}"
        return reply

    def refused(self, reason: str, method: str, **arguments: Any) -> Reply:
        """A call that is refused for this reason."""
        reply = self.call(method, **arguments)
        assert reply.reason == reason, f"expected {reason} for {self}: {reply}"
        return reply

    def violations(self, method: str, **arguments: Any) -> list[str]:
        """The fields that the call is refused for."""
        return sorted(self.refused("INVALID_FIELDS", method, **arguments).violations)

    def pages(self, method: str, **arguments: Any) -> Iterator[Any]:
        """The bodies of all pages; writes of others may come between them."""
        token = arguments.pop("page_token", "")
        seen = {token}
        while True:
            body = self.done(method, page_token=token, **arguments)
            yield body
            token = body.next_page_token
            if not token:
                return
            assert token not in seen, f"{method} gives the same page token again"
            seen.add(token)

    def __str__(self) -> str:
        return f"user {self.user!r} with roles {self.roles or 'all'}"
