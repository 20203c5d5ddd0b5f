"""Peers that send rubbish, too much, or never read: everybody else is served as if nothing were."""

from __future__ import annotations

import os
import random
import socket as sockets
import time
from collections.abc import Callable

import pytest
import zmq
from client import Caller, Connection, NoAnswer
from messages import METHODS, STREAMS, pb
from system import Program, System, eventually
from wire_bytes import chunk, number
from world import FAR, World, unique

PROCESSES = ["gateway", "profiles", "locations", "check-ins"]
MIB = 1024 * 1024
CALLS = [name for name in METHODS if name not in STREAMS]


@pytest.fixture(params=PROCESSES)
def process(request: pytest.FixtureRequest) -> str:
    return request.param


def program(system: System, name: str) -> Program:
    return next(one for one in system.programs if one.name == name)


def serves(system: System, name: str) -> None:
    """That somebody else is answered, soon."""
    with Connection(system.rpc(name)) as connection:
        began = time.monotonic()
        Caller(connection).succeeded("CheckHealth")
        assert time.monotonic() - began < 2


def calls_of(system: System, process: str, method: str) -> int:
    """How many calls of a method a process has ended."""
    rows = system.caller(process).done("GetStats").methods
    return sum(row.calls for row in rows if row.method == method)


def test_frames_random_bytes_disturb_nobody(system: System, process: str) -> None:
    seed = int.from_bytes(os.urandom(4), "big")
    source = random.Random(seed)
    try:
        with Connection(system.rpc(process)) as good, Connection(system.rpc(process)) as bad:
            for number_ in range(600):
                count = source.randrange(1, 6)
                sizes = [source.choice([0, 1, 3, 20, 300]) for _ in range(count)]
                bad.send_frames(*(source.randbytes(size) for size in sizes))
                if number_ % 50 == 0:
                    Caller(good).succeeded("CheckHealth")
            bad.send_frames(header(FAR), b"")
            while True:
                answer = pb.ResponseHeader.FromString(bad.receive_frames()[-2])
                if answer.id == FAR and answer.status.code == pb.CODE_OK:
                    break
            assert bad.socket.poll(100) == 0
        serves(system, process)
    except Exception as error:
        error.add_note(f"seed {seed}")
        raise


def header(id: int, method: str = METHODS["CheckHealth"].full_name, **fields: object) -> bytes:
    values = {"id": id, "method": method, "acting_user": "hostile", **fields}
    return pb.RequestHeader(**values).SerializeToString()


def test_frames_random_bodies_are_each_answered_once(system: System, process: str) -> None:
    seed = int.from_bytes(os.urandom(4), "big")
    source = random.Random(seed)
    with Connection(system.rpc(process)) as connection:
        caller = Caller(connection, unique("fuzz"))
        calls = []
        for _ in range(400):
            method = source.choice(CALLS)
            size = source.choice([1, 2, 5, 20, 100])
            body = source.randbytes(size)
            if source.random() < 0.6:  # a known field with rubbish in it
                body = chunk(source.randrange(1, 8), body)
            calls.append(caller.start(method, body=body, header={"timeout_ms": 5000}))
        for call in calls:
            reply = connection.finish(call)
            assert reply.reason != "INTERNAL", f"seed {seed}: {reply}"
        caller.succeeded("CheckHealth")


def test_frames_mutated_requests_are_each_answered_once(system: System, world: World) -> None:
    seed = int.from_bytes(os.urandom(4), "big")
    source = random.Random(seed)
    here = world.place()
    location = {"name": "n", "point": {"latitude": 1, "longitude": 2}, "address": "a"}
    requests = [
        ("CheckIn", pb.CheckInRequest(location_id=here, expect={"revision": 5})),
        ("GetBoard", pb.GetBoardRequest(near={"latitude": 1}, radius_m=5, name_contains="é")),
        ("CreateLocation", pb.CreateLocationRequest(location=location)),
        ("CreateProfile", pb.CreateProfileRequest(profile={"first_name": "Ada", "bio": "b"})),
        ("BatchCheckIn", pb.BatchCheckInRequest(items=[{"profile_id": here}] * 2)),
        ("GetCounts", pb.GetCountsRequest(location_ids=[here, here], page_size=3)),
    ]
    with Connection(system.rpc("gateway")) as connection:
        calls = []
        caller = Caller(connection, unique("mutant"))
        for _ in range(600):
            method, message = source.choice(requests)
            body = bytearray(message.SerializeToString())
            for _ in range(source.randrange(1, 4)):
                body[source.randrange(len(body))] = source.randrange(256)
            calls.append(caller.start(method, body=bytes(body)))
        for call in calls:
            reply = connection.finish(call)
            assert reply.reason != "INTERNAL", f"seed {seed}: {reply}"
    serves(system, "gateway")


def test_limits_a_body_of_one_mib_is_taken(world: World) -> None:
    known = chunk(1, chunk(3, b"Ada"))
    padding = MIB - len(known) - len(chunk(1000, b"")) - 2  # a length of three bytes
    body = known + chunk(1000, b"x" * padding)
    assert len(body) == MIB
    profile = world.stranger().done("CreateProfile", body=body).profile
    assert profile.first_name == "Ada"


def test_limits_garbage_of_one_mib_is_malformed(system: System, process: str) -> None:
    with Connection(system.rpc(process)) as connection:
        caller = Caller(connection, unique("large"))
        for _ in range(5):
            caller.refused("MALFORMED_REQUEST", "CheckHealth", body=b"\xff" * MIB)
        caller.succeeded("CheckHealth")


def test_limits_a_larger_frame_drops_its_sender_only(system: System, process: str) -> None:
    with Connection(system.rpc(process)) as good, Connection(system.rpc(process)) as bad:
        Caller(good).succeeded("CheckHealth")
        call = Caller(bad, "large").start("CheckHealth", body=b"\0" * (MIB + 1))
        Caller(good).succeeded("CheckHealth")
        with pytest.raises(NoAnswer):
            bad.finish(call, 0.5)
        Caller(good).succeeded("CheckHealth")


BOMBS: list[tuple[str, Callable[[], bytes]]] = [
    ("BatchCreateProfiles", lambda: b"\x0a\x00" * (MIB // 2)),
    ("BatchCreateLocations", lambda: b"\x0a\x00" * (MIB // 2)),
    ("BatchCheckIn", lambda: b"\x0a\x00" * (MIB // 2)),
    ("BatchGetProfiles", lambda: b"\x0a\x00" * (MIB // 2)),
    ("GetCounts", lambda: b"\x0a\x00" * (MIB // 2)),
    ("UpdateProfile", lambda: b"\x12\x00" * (MIB // 2)),
    ("CheckHealth", lambda: number(1000, 1) * (MIB // 3)),
]


@pytest.mark.parametrize(("method", "bomb"), BOMBS, ids=[bomb[0] for bomb in BOMBS])
def test_limits_small_parts_do_not_become_much_memory(
    system: System, method: str, bomb: Callable[[], bytes]
) -> None:
    name = {
        "ProfileService": "profiles",
        "LocationService": "locations",
        "CheckInService": "check-ins",
    }.get(METHODS[method].service, "gateway")
    before = {one: program(system, one).resident_kib() for one in ("gateway", name)}
    with Connection(system.rpc("gateway")) as connection:
        caller = Caller(connection, unique("bomb"))
        calls = [caller.start(method, body=bomb()) for _ in range(8)]
        for call in calls:
            reply = connection.finish(call)
            if method != "CheckHealth":
                assert reply.code in (pb.CODE_INVALID_ARGUMENT, pb.CODE_RESOURCE_EXHAUSTED), reply
        caller.succeeded("CheckHealth")
    for one, kib in before.items():
        grown = program(system, one).resident_kib() - kib
        assert grown < 96 * 1024, f"{one} grew by {grown} KiB"


def read_all(connection: Connection, count: int, seconds: float = 30) -> dict[int, list[str]]:
    """Reads responses until `count` have come: their reasons by id."""
    reasons: dict[int, list[str]] = {}
    deadline = time.monotonic() + seconds
    for _ in range(count):
        frames = connection.receive_frames(max(0.1, deadline - time.monotonic()))
        answer = pb.ResponseHeader.FromString(frames[-2])
        reasons.setdefault(answer.id, []).append(answer.status.reason)
    return reasons


def test_A3_who_reads_nothing_until_4096_calls_are_sent_gets_every_response(
    system: System, process: str
) -> None:
    count = 4096
    with Connection(system.rpc(process), delimiter=False, receive_high_water=1) as lazy:
        user = unique("lazy")
        for id in range(1, count + 1):
            lazy.send_frames(header(id, acting_user=user, timeout_ms=60_000), b"")
            if id % 1024 == 0:
                serves(system, process)
        for _ in range(5):
            serves(system, process)
        reasons = read_all(lazy, count)
        assert sorted(reasons) == list(range(1, count + 1))
        assert {reason for all_ in reasons.values() for reason in all_} == {""}
        assert lazy.socket.poll(100) == 0


def test_limits_who_reads_nothing_is_told_when_32_mib_wait(system: System, process: str) -> None:
    before = program(system, process).resident_kib()
    info = METHODS["GetInfo"].full_name
    size = len(system.caller(process).succeeded("GetInfo").frame)
    count = min(4096, 80 * MIB // size)
    assert count * size > 40 * MIB
    with Connection(system.rpc(process), delimiter=False, receive_high_water=1) as lazy:
        user = unique("lazy")
        handled = calls_of(system, process, info)
        for id in range(1, count + 1):
            lazy.send_frames(header(id, info, acting_user=user, timeout_ms=60_000), b"")
            if id % 512 == 0:
                serves(system, process)
        eventually("all handled", lambda: calls_of(system, process, info) == handled + count)
        grown = program(system, process).resident_kib() - before
        reasons = read_all(lazy, count)
        assert sorted(reasons) == list(range(1, count + 1))
        told = [reason for all_ in reasons.values() for reason in all_]
        assert len(told) == count and told.count("") * size <= 50 * MIB
        assert told.count("") * size >= 20 * MIB
        assert set(told) == {"", "OVERLOADED"}, set(told)
        assert grown < 96 * 1024, f"grew by {grown} KiB"
        lazy.send_frames(header(FAR, acting_user=user), b"")
        assert lazy.receive_header().id == FAR


def test_A3_large_batches_are_answered_one_after_the_other(
    new_system: Callable[[], System]
) -> None:
    system = new_system()
    system.start()
    method = METHODS["BatchCreateProfiles"].full_name
    with Connection(system.rpc("profiles")) as connection:
        caller = Caller(connection, "importer")
        profiles = [{"first_name": "A", "bio": "é" * 100}] * 1000
        calls = [caller.start("BatchCreateProfiles", profiles=profiles) for _ in range(12)]
        assert connection.finish(calls[0]).code == pb.CODE_OK
        assert calls_of(system, "profiles", method) < len(calls), "the first waits for the last"
        for call in calls[1:]:
            assert connection.finish(call).code == pb.CODE_OK


def test_limits_a_caller_has_at_most_4096_calls_in_flight(system: System, process: str) -> None:
    method = {"profiles": "ListProfiles", "locations": "ListLocations"}.get(process, "GetCounts")
    far = pb.Revisions(profiles=FAR, locations=FAR, check_ins=FAR)
    user = unique("busy")
    with Connection(system.rpc(process)) as busy, Connection(system.rpc(process)) as other:
        for _ in range(4200):
            Caller(busy, user).start(method, header={"at_least": far, "timeout_ms": 8000})
        refusals = [busy.receive_header() for _ in range(104)]
        assert {refusal.status.reason for refusal in refusals} == {"TOO_MANY_CALLS"}
        assert busy.socket.poll(100) == 0
        Caller(other, user).refused("TOO_MANY_CALLS", method)  # the user, not the connection
        Caller(other, unique("idle")).succeeded(method)


def test_A3_who_leaves_before_the_responses_harms_nobody(system: System, process: str) -> None:
    for _ in range(20):
        gone = Connection(system.rpc(process))
        for _ in range(50):
            Caller(gone, "gone").start("GetInfo")
        gone.close()
    serves(system, process)


def test_A3_a_second_peer_with_the_same_routing_id_takes_nothing_over(
    system: System, process: str
) -> None:
    with Connection(system.rpc(process), routing_id=b"same") as first:
        Caller(first).succeeded("CheckHealth")
        with Connection(system.rpc(process), routing_id=b"same") as second:
            for _ in range(20):
                Caller(second).start("CheckHealth")
                Caller(first).succeeded("CheckHealth")
        Caller(first).succeeded("CheckHealth")
    serves(system, process)


def test_frames_a_raw_socket_with_no_zmtp_harms_nobody(system: System, process: str) -> None:
    path = system.rpc(process).removeprefix("ipc://")
    source = random.Random(5)
    for number_ in range(60):
        with sockets.socket(sockets.AF_UNIX) as raw:
            raw.settimeout(1)
            raw.connect(path)
            greeting = b"\xff" + b"\0" * 8 + b"\x7f\x03\x00NULL" if number_ % 2 else b"GET / HTTP"
            raw.sendall(greeting + source.randbytes(200))
    serves(system, process)


def test_frames_a_message_never_ended_harms_nobody(system: System, process: str) -> None:
    with Connection(system.rpc(process)) as bad:
        bad.socket.send(header(1), zmq.SNDMORE)
        for _ in range(100):
            bad.socket.send(b"x" * 1000, zmq.SNDMORE)
        serves(system, process)
