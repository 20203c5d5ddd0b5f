"""README "Frames" and "A call": what a message looks like, at the gateway and at each service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import zmq
from client import Caller, Connection
from messages import METHODS, STREAMS, pb
from system import System
from wire_bytes import chunk, fixed32, fixed64, group, number
from world import FAR, World, unique

PROCESSES = ["gateway", "profiles", "locations", "check-ins"]
HEALTH = METHODS["CheckHealth"].full_name
OWNERS = {
    "ProfileService": "profiles",
    "LocationService": "locations",
    "CheckInService": "check-ins",
    "GatewayService": "gateway",
    "ControlService": "gateway",
    "ChangeLogService": "profiles",
}
PASSED_ON = {"ProfileService", "LocationService", "CheckInService"}
CALLS = sorted(name for name in METHODS if name not in STREAMS)
# Each method where it lives, and at the gateway where that passes it on.
PLACES = [(OWNERS[METHODS[name].service], name) for name in CALLS]
PLACES += [("gateway", m) for m in CALLS if METHODS[m].service in PASSED_ON]


@pytest.fixture(params=PROCESSES)
def process(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def connection(system: System, process: str) -> Iterator[Connection]:
    """A connection whose frames the test makes itself."""
    with Connection(system.rpc(process), delimiter=False) as connection:
        yield connection


def header(id: int, method: str = HEALTH, **fields: object) -> bytes:
    return pb.RequestHeader(
        id=id, method=method, acting_user="frames", **fields
    ).SerializeToString()


def malformed(frames: list[bytes], id: int) -> None:
    """That these frames refuse call `id` as malformed."""
    answer = pb.ResponseHeader.FromString(frames[-2])
    assert (answer.id, answer.status.code) == (id, pb.CODE_INVALID_ARGUMENT), answer
    assert answer.status.reason == "MALFORMED_REQUEST", answer
    assert answer.status.message and not answer.more and frames[-1] == b""


def malformed_count(system: System, process: str) -> float:
    with Connection(system.rpc(process)) as connection:
        gauges = Caller(connection).done("GetStats").gauges
    return sum(g.value for g in gauges if g.name == "muster_malformed_requests_total")


def serves(connection: Connection) -> None:
    """That a call on this very connection is answered."""
    connection.send_frames(header(4711), b"")
    frames = connection.receive_frames()
    answer = pb.ResponseHeader.FromString(frames[0])
    assert len(frames) == 2 and answer.id == 4711 and answer.status.code == pb.CODE_OK


def test_frames_a_response_has_a_delimiter_where_the_request_has_one(
    connection: Connection,
) -> None:
    connection.send_frames(b"", header(1), b"")
    with_delimiter = connection.receive_frames()
    connection.send_frames(header(2), b"")
    without = connection.receive_frames()
    assert (len(with_delimiter), with_delimiter[0]) == (3, b"")
    assert len(without) == 2 and pb.ResponseHeader.FromString(without[0]).id == 2


def test_frames_a_req_socket_can_call(system: System, process: str) -> None:
    context = zmq.Context.instance()
    socket = context.socket(zmq.REQ)
    socket.linger = 0
    socket.connect(system.rpc(process))
    try:
        for id in range(1, 4):
            socket.send_multipart([header(id), b""])
            assert socket.poll(5000)
            frames = socket.recv_multipart()
            assert len(frames) == 2 and pb.ResponseHeader.FromString(frames[0]).id == id
    finally:
        socket.close()


@pytest.mark.parametrize("id", [0, 1, 2**32, 2**64 - 1])
def test_frames_any_id_is_an_id(connection: Connection, id: int) -> None:
    connection.send_frames(header(id), b"")
    assert connection.receive_header().id == id


@pytest.mark.parametrize("delimiter", [False, True])
@pytest.mark.parametrize("bodies", [0, 2, 3, 50])
def test_frames_too_few_or_too_many_are_malformed(
    connection: Connection, bodies: int, delimiter: bool
) -> None:
    start = [b""] if delimiter else []
    connection.send_frames(*start, header(17), *[b""] * bodies)
    frames = connection.receive_frames()
    assert len(frames) == (3 if delimiter else 2)
    malformed(frames, 17)
    serves(connection)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\xff" * 9,
        b"\x0a",
        chunk(2, b"GetMe")[:-1],
        b"\x08" + b"\xff" * 11,
        chunk(5, b"\xff\xff"),
        b"\x00\x00",
    ],
)
def test_frames_a_garbage_header_is_not_answered_but_counted(
    system: System, process: str, connection: Connection, garbage: bytes
) -> None:
    before = malformed_count(system, process)
    connection.send_frames(garbage, b"")
    serves(connection)  # and nothing else comes first
    assert malformed_count(system, process) == before + 1


def test_frames_malformed_bodies_are_counted(
    system: System, process: str, connection: Connection
) -> None:
    before = malformed_count(system, process)
    connection.send_frames(header(5), b"\xff")
    malformed(connection.receive_frames(), 5)
    connection.send_frames(header(6))
    malformed(connection.receive_frames(), 6)
    assert malformed_count(system, process) == before + 2


@pytest.mark.parametrize(("name", "method"), PLACES)
def test_frames_a_body_that_does_not_parse_is_malformed(
    system: System, name: str, method: str
) -> None:
    with Connection(system.rpc(name)) as connection:
        caller = Caller(connection, "frames")
        bodies = [b"\xff", b"\x0a\x05ab", b"\x08" + b"\xff" * 11, b"\x0f", group(99, b"")]
        for body in [*bodies, group(99, number(1, 1)), chunk(3, b"")[:-1]]:
            caller.refused("MALFORMED_REQUEST", method, body=body)
        caller.succeeded("CheckHealth")


def test_frames_a_nested_message_that_does_not_parse_is_malformed(admin: Caller) -> None:
    bodies = [chunk(1, b"\xff"), chunk(1, chunk(3, b"a")[:-1]), chunk(1, group(90, b""))]
    for body in bodies:
        admin.refused("MALFORMED_REQUEST", "CreateProfile", body=body)
        admin.refused("MALFORMED_REQUEST", "CreateLocation", body=body)


@pytest.mark.parametrize(
    "method",
    [
        "",
        "GetMe",
        "muster.v1.ProfileService",
        "muster.v1.ProfileService/",
        "muster.v1.ProfileService/getMe",
        "muster.v1.ProfileService/GetMe ",
        "/muster.v1.ProfileService/GetMe",
        "muster.v2.ProfileService/GetMe",
        "muster.v1.LocationService/GetMe",
        "x" * 5000,
    ],
)
def test_frames_an_unknown_method_is_unimplemented(
    system: System, process: str, method: str
) -> None:
    with Connection(system.rpc(process)) as connection:
        header = {"method": method}
        Caller(connection, "frames").refused("UNKNOWN_METHOD", "GetMe", header=header)


@pytest.mark.parametrize(
    ("process_name", "method"),
    [
        ("gateway", "ListChanges"),
        ("gateway", "GetSnapshot"),
        ("profiles", "CheckIn"),
        ("profiles", "CreateLocation"),
        ("profiles", "GetBoard"),
        ("locations", "GetMe"),
        ("locations", "GetCounts"),
        ("check-ins", "GetMe"),
        ("check-ins", "ListPeopleHere"),
    ],
)
def test_frames_another_process_s_method_is_unimplemented(
    system: System, process_name: str, method: str
) -> None:
    with Connection(system.rpc(process_name)) as connection:
        Caller(connection, "frames").refused("UNKNOWN_METHOD", method)


UNKNOWN_FIELDS = (
    number(1000, 2**64 - 1)
    + fixed64(1001, b"\xff")
    + fixed32(1002, b"\xff")
    + chunk(1003, b"\xff\x00")
    + number(536_870_911, 1)
)


def test_growing_unknown_fields_are_passed_over(world: World) -> None:
    user = world.stranger()
    profile = chunk(3, b"Ada") + UNKNOWN_FIELDS
    created = user.done("CreateProfile", body=UNKNOWN_FIELDS + chunk(1, profile) + UNKNOWN_FIELDS)
    assert created.profile.first_name == "Ada"
    assert user.done("GetMe", body=UNKNOWN_FIELDS).profile.id == created.profile.id


def test_growing_unknown_fields_of_a_header_are_passed_over(connection: Connection) -> None:
    connection.send_frames(UNKNOWN_FIELDS + header(8) + UNKNOWN_FIELDS, b"")
    assert connection.receive_header().id == 8


def test_frames_fields_in_any_order_and_twice_are_read_as_protobuf_says(world: World) -> None:
    user = world.stranger()
    parts = chunk(1, chunk(3, b"No") + chunk(6, b"bio")) + chunk(1, chunk(3, b"Yes"))
    profile = user.done("CreateProfile", body=parts).profile
    assert (profile.first_name, profile.bio) == ("Yes", "bio")  # the last one, merged


def test_frames_unknown_enum_values_are_refused_with_their_field(
    admin: Caller, world: World
) -> None:
    assert admin.violations("GetBoard", order=99) == ["order"]
    assert admin.violations("GetBoard", body=number(3, 2**64 - 5)) == ["order"]
    where = world.place()
    image = admin.violations("SetLocationImage", location_id=where, which=3, image=b"\xff\xd8\xff")
    assert image == ["which"]


def test_a_call_many_in_flight_are_each_answered_once(system: System, process: str) -> None:
    with Connection(system.rpc(process)) as connection:
        caller = Caller(connection, unique("many"))
        calls = [caller.start("CheckHealth") for _ in range(500)]
        for call in reversed(calls):
            assert connection.finish(call).code == pb.CODE_OK
        assert connection.socket.poll(50) == 0


@pytest.mark.parametrize(
    ("name", "method"),
    [("gateway", "GetCounts"), ("check-ins", "GetCounts"), ("profiles", "GetMe")],
)
def test_a_call_with_an_id_in_flight_is_malformed(system: System, name: str, method: str) -> None:
    full_name = METHODS[method].full_name
    far = pb.Revisions(profiles=FAR, check_ins=FAR)
    with Connection(system.rpc(name), delimiter=False) as connection:
        connection.send_frames(header(9, full_name, timeout_ms=700, at_least=far), b"")
        connection.send_frames(header(9, full_name, timeout_ms=700), b"")
        first, second = connection.receive_header(), connection.receive_header()
        assert (first.id, first.status.reason) == (9, "MALFORMED_REQUEST")
        assert (second.id, second.status.reason) == (9, "NOT_CAUGHT_UP")
        connection.send_frames(header(9), b"")  # free again
        assert connection.receive_header().status.code == pb.CODE_OK


def test_a_call_with_the_same_id_on_another_connection_is_another_call(system: System) -> None:
    far = pb.Revisions(check_ins=FAR)
    method = METHODS["GetCounts"].full_name
    with (
        Connection(system.rpc("gateway"), delimiter=False) as one,
        Connection(system.rpc("gateway"), delimiter=False) as other,
    ):
        one.send_frames(header(9, method, timeout_ms=500, at_least=far), b"")
        other.send_frames(header(9, method), b"")
        assert other.receive_header().status.code == pb.CODE_OK
        assert one.receive_header().status.reason == "NOT_CAUGHT_UP"


def test_a_call_that_expired_was_not_carried_out(world: World, admin: Caller) -> None:
    tag = unique("late")
    calls = {}
    for number_ in range(200):
        location = {"name": f"{tag} {number_}", "external_id": f"{tag}-{number_}"}
        call = admin.start("CreateLocation", location=location, header={"timeout_ms": 1})
        calls[call] = location["external_id"]
    outcomes = {id: admin.connection.finish(call) for call, id in calls.items()}
    for external_id, reply in outcomes.items():
        if reply.code == pb.CODE_OK:
            assert admin.done("GetLocation", external_id=external_id).location.id
        elif reply.reason == "DEADLINE_EXCEEDED":
            admin.refused("LOCATION_NOT_FOUND", "GetLocation", external_id=external_id)
        else:
            assert reply.reason == "OUTCOME_UNKNOWN", reply
