"""README "A call", rpc.proto RequestHeader: what a header may hold."""

from __future__ import annotations

import time
from typing import Any

import pytest
from client import Caller, Connection
from messages import pb
from system import System
from world import FAR, World, new_id, unique

PROCESSES = ["gateway", "profiles", "locations", "check-ins"]
A_WRITE = {
    "gateway": ("CreateLocation", {"location": {"name": "Here"}}),
    "profiles": ("CreateProfile", {"profile": {"first_name": "Ada"}}),
    "locations": ("CreateLocation", {"location": {"name": "Here"}}),
    "check-ins": ("CheckIn", {"location_id": b"x" * 16}),
}


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("timeout_ms", [0, 1, 300_000])
def test_header_a_timeout_up_to_five_minutes_is_taken(
    system: System, process: str, timeout_ms: int
) -> None:
    with Connection(system.rpc(process)) as connection:
        reply = Caller(connection).call("CheckHealth", header={"timeout_ms": timeout_ms})
        assert reply.code == pb.CODE_OK or (timeout_ms == 1 and reply.reason == "DEADLINE_EXCEEDED")


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("timeout_ms", [300_001, 2**32 - 1])
def test_header_a_longer_timeout_is_refused(system: System, process: str, timeout_ms: int) -> None:
    with Connection(system.rpc(process)) as connection:
        header = {"timeout_ms": timeout_ms}
        assert Caller(connection).violations("CheckHealth", header=header) == ["header.timeout_ms"]


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("size", [1, 15, 17, 1000])
def test_header_an_idempotency_key_has_sixteen_bytes(
    system: System, process: str, size: int
) -> None:
    method, fields = A_WRITE[process]
    with Connection(system.rpc(process)) as connection:
        caller = Caller(connection, unique("user"))
        header = {"idempotency_key": b"k" * size}
        refused = caller.violations(method, header=header, **fields)
        assert refused == ["header.idempotency_key"]


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("size", [1, 15, 17])
def test_header_a_trace_id_has_sixteen_bytes(system: System, process: str, size: int) -> None:
    with Connection(system.rpc(process)) as connection:
        caller = Caller(connection, unique("user"))
        caller.succeeded("CheckHealth", header={"trace_id": new_id()})
        refused = caller.violations("CheckHealth", header={"trace_id": b"t" * size})
        assert refused == ["header.trace_id"]


def test_header_a_user_has_at_most_128_bytes_and_no_controls(admin: Caller) -> None:
    admin.succeeded("GetMe", header={"acting_user": "u" * 128})
    for user in ("u" * 129, "ü" * 65, "a\nb", "a\0b", "a\u202eb"):
        refused = admin.violations("GetMe", header={"acting_user": user})
        assert refused == ["header.acting_user"], repr(user)


def test_header_a_user_is_kept_in_nfc(world: World) -> None:
    name = unique("e\u0301")
    composed = name.replace("e\u0301", "é")
    decomposed = Caller(world.connection, name)
    assert decomposed.done("GetMe").user_id == composed
    created = decomposed.done("CreateProfile", profile={"first_name": "Zoé"}).profile
    assert created.user_id == composed
    assert Caller(world.connection, composed).done("GetMe").profile.id == created.id


WRONG = {"timeout_ms": 300_001, "idempotency_key": b"short", "trace_id": b"short"}


def test_header_all_violations_come_at_once(world: World) -> None:
    fields = world.stranger().violations("CreateLocation", header=WRONG, location={"name": "x"})
    assert fields == [f"header.{name}" for name in sorted(WRONG)]


# Calls that are wrong in their body, with the service that knows why.
WRONG_BODIES = [
    ("profiles", "CreateProfile", {"profile": {"last_name": "a\0b", "bio": "b" * 101}}),
    ("profiles", "BatchCreateProfiles", {"profiles": [{"first_name": " "}] * 30}),
    ("profiles", "GetProfile", {}),
    ("profiles", "ListProfiles", {"page_token": "nonsense"}),
    ("profiles", "SetAvatar", {"image": b"no image"}),
    ("locations", "CreateLocation", {"location": {"point": {"latitude": 91}}}),
    ("locations", "UpdateLocation", {"update_mask": ["nothing"]}),
    ("check-ins", "CheckIn", {"expect": {}}),
    ("check-ins", "ListHistory", {"page_token": "nonsense"}),
    ("check-ins", "CheckOutEveryone", {}),
]


@pytest.mark.parametrize(("service", "method", "fields"), WRONG_BODIES)
def test_A3_what_is_wrong_in_header_and_body_is_told_together(
    system: System, world: World, service: str, method: str, fields: dict[str, Any]
) -> None:
    told = world.stranger().call(method, header=WRONG, **fields)
    asked = system.caller(service, unique("user")).call(method, header=WRONG, **fields)
    assert told.code == pb.CODE_INVALID_ARGUMENT
    assert (told.reason, told.violations) == (asked.reason, asked.violations)
    if told.reason == "INVALID_FIELDS":
        of_header = [field for field in told.violations if field.startswith("header.")]
        assert sorted(of_header) == [f"header.{name}" for name in sorted(WRONG)]
        assert told.violations[: len(of_header)] == of_header != told.violations


def test_A3_what_is_wrong_in_its_header_is_never_carried_out(world: World) -> None:
    user = world.stranger()
    for name, value in WRONG.items():
        header = {name: value}
        assert user.violations("CreateProfile", header=header, profile={"first_name": "Ada"})
    assert not user.done("GetMe").HasField("profile")


def test_header_an_unknown_role_gives_nothing(world: World) -> None:
    user = world.stranger("superuser")
    assert user.call("CreateLocation", location={"name": "Here"}).code != pb.CODE_OK


@pytest.mark.parametrize("name", ["gateway", "check-ins"])
def test_header_a_deadline_is_kept(system: System, name: str) -> None:
    with Connection(system.rpc(name)) as connection:
        caller = Caller(connection, unique("user"))
        for timeout_ms in (100, 600):
            header = {"timeout_ms": timeout_ms, "at_least": {"check_ins": FAR}}
            began = time.monotonic()
            reply = caller.refused("NOT_CAUGHT_UP", "GetCounts", header=header)
            took_ms = (time.monotonic() - began) * 1000
            assert timeout_ms * 0.9 <= took_ms <= timeout_ms + 1000
            assert not reply.replayed


def test_header_zero_is_five_seconds(admin: Caller) -> None:
    began = time.monotonic()
    header = {"timeout_ms": 0, "at_least": {"check_ins": FAR}}
    admin.refused("NOT_CAUGHT_UP", "GetCounts", header=header)
    assert 4.5 <= time.monotonic() - began <= 6.5


NEEDS_THE_CALLER = {
    "GetMe": {},
    "CreateProfile": {"profile": {"first_name": "Ada"}},
    "UpdateProfile": {"profile": {"bio": "x"}, "update_mask": ["bio"]},
    "DeleteProfile": {},
    "SetAvatar": {"image": b""},
    "CheckIn": {"location_id": b"x" * 16},
    "CheckOut": {},
    "GetStatus": {},
}


@pytest.mark.parametrize("method", sorted(NEEDS_THE_CALLER))
def test_A1_a_call_for_the_caller_s_own_needs_a_caller(world: World, method: str) -> None:
    nobody = Caller(world.connection)
    nobody.refused("NO_IDENTITY", method, **NEEDS_THE_CALLER[method])


def test_A1_a_key_needs_a_user(world: World) -> None:
    nobody = Caller(world.connection)
    header = {"idempotency_key": new_id()}
    nobody.refused("NO_IDENTITY", "CreateLocation", header=header, location={"name": "Here"})


def test_A5_reading_needs_no_caller(world: World) -> None:
    nobody = Caller(world.connection)
    here = world.place()
    nobody.succeeded("GetBoard")
    nobody.succeeded("GetCounts")
    nobody.succeeded("ListPeopleHere", location_id=here)
    nobody.succeeded("GetLocation", id=here)
