"""control.proto: what every process answers about itself."""

from __future__ import annotations

import time

import pytest
from client import Caller, Connection
from google.protobuf import descriptor_pb2, descriptor_pool
from messages import METHODS, pb
from system import System
from world import World

SERVICES = {
    "profiles": {"ProfileService", "ChangeLogService", "ControlService"},
    "locations": {"LocationService", "ChangeLogService", "ControlService"},
    "check-ins": {"CheckInService", "ChangeLogService", "ControlService"},
    "gateway": {
        *("ProfileService", "LocationService", "CheckInService", "GatewayService"),
        "ControlService",
    },
}
# Methods between services need not be named.
MAY_BE_LEFT_OUT = {"AttendDeletes", "AnswerDelete"}


@pytest.fixture(params=sorted(SERVICES))
def process(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def caller(system: System, process: str) -> Caller:
    return system.caller(process)


def test_A3_a_process_says_that_it_serves(caller: Caller, process: str) -> None:
    body = caller.done("CheckHealth")
    assert body.state == pb.SERVING_STATE_SERVING
    services = {health.service: health for health in body.services}
    if process == "gateway":
        assert set(services) >= {"profiles", "locations", "check-ins"}
        for name in ("profiles", "locations", "check-ins"):
            assert services[name].state == pb.SERVING_STATE_SERVING
            assert services[name].silent_ms < 10_000
    assert set(services) <= set(SERVICES)


def test_A3_health_tells_how_far_each_log_has_come(world: World, admin: Caller) -> None:
    here = world.place()
    reply = world.person().caller.succeeded("CheckIn", location_id=here)
    services = {health.service: health for health in admin.done("CheckHealth").services}
    assert services["check-ins"].revision >= reply.as_of.check_ins


def test_growing_a_process_names_its_methods(caller: Caller, process: str) -> None:
    info = caller.done("GetInfo")
    assert info.service == process and info.version
    assert abs(time.time() * 1000 - info.start_time_ms) < 600_000
    expected = {
        method.full_name for method in METHODS.values() if method.service in SERVICES[process]
    }
    optional = {METHODS[name].full_name for name in MAY_BE_LEFT_OUT}
    assert expected - optional <= set(info.methods) <= expected
    assert len(info.methods) == len(set(info.methods))
    if process != "gateway":
        assert "wal" in info.durability.lower()


def test_growing_the_descriptor_set_has_the_api_with_its_imports(caller: Caller) -> None:
    files = descriptor_pb2.FileDescriptorSet.FromString(caller.done("GetInfo").file_descriptor_set)
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:  # imports first, or this fails
        pool.Add(file)
    for method in METHODS.values():
        service = pool.FindServiceByName(f"muster.v1.{method.service}")
        found = service.methods_by_name[method.name]
        assert found.input_type.full_name == method.request.DESCRIPTOR.full_name
        fields = [(field.name, field.number) for field in found.output_type.fields]
        assert fields == [(f.name, f.number) for f in method.response.DESCRIPTOR.fields]


@pytest.mark.parametrize("service", ["profiles", "locations", "check-ins"])
def test_growing_the_gateway_asks_the_services(system: System, admin: Caller, service: str) -> None:
    through = admin.done("GetInfo", service=service)
    assert through == system.caller(service).done("GetInfo")
    stats = admin.done("GetStats", service=service)
    assert any(method.method.endswith("/GetInfo") for method in stats.methods)


def test_growing_a_service_that_there_is_not_is_refused(admin: Caller) -> None:
    for method in ("GetInfo", "GetStats"):
        assert admin.violations(method, service="weather") == ["service"]


def test_growing_stats_count_calls(caller: Caller) -> None:
    name = METHODS["CheckHealth"].full_name

    def calls() -> int:
        stats = caller.done("GetStats")
        rows = [row for row in stats.methods if row.method == name and row.code == pb.CODE_OK]
        for row in rows:
            assert row.p50_us <= row.p99_us <= row.max_us
        return sum(row.calls for row in rows)

    before = calls()
    for _ in range(10):
        caller.done("CheckHealth")
    assert calls() - before >= 10


def test_growing_stats_have_gauges(caller: Caller) -> None:
    gauges = {gauge.name: gauge.value for gauge in caller.done("GetStats").gauges}
    assert {"muster_malformed_requests_total", "muster_requests_in_flight"} <= set(gauges)
    assert all(name.startswith("muster_") for name in gauges)


def test_growing_refusals_are_counted_by_code(system: System, process: str) -> None:
    with Connection(system.rpc(process)) as connection:
        caller = Caller(connection)
        method = {"profiles": "GetProfile", "locations": "GetLocation"}.get(process, "GetStatus")
        key = {"GetProfile": "id", "GetLocation": "id", "GetStatus": "profile_id"}[method]
        caller.call(method, **{key: b"bad"})
        rows = caller.done("GetStats").methods
    found = {(row.method, row.code): row.calls for row in rows}
    assert found.get((METHODS[method].full_name, pb.CODE_INVALID_ARGUMENT), 0) >= 1
