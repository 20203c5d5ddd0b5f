"""The contract's messages and methods, made from proto/ by protoc when the tests start.

`pb.Profile`, `pb.CODE_OK` and so on are the messages and enum values of muster.v1; `METHODS` has
every method by its short name, which no two services share.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from google.protobuf.message import Message

STREAMS = {"Watch", "AttendDeletes"}
PROTO = Path(__file__).resolve().parents[2] / "proto"
_generated = tempfile.TemporaryDirectory(prefix="muster-messages-")


@dataclass(frozen=True)
class Method:
    """One method of the contract."""

    name: str
    service: str
    full_name: str
    request: type[Message]
    response: type[Message]


def _generate() -> list[ModuleType]:
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("muster/v1/*.proto"))
    target = _generated.name
    subprocess.run(["protoc", f"-I{PROTO}", f"--python_out={target}", *sources], check=True)
    sys.path.insert(0, target)
    return [
        importlib.import_module(source.removesuffix(".proto").replace("/", ".") + "_pb2")
        for source in sources
    ]


def _names(modules: list[ModuleType]) -> Any:
    names: dict[str, object] = {}
    for module in modules:
        for name in module.DESCRIPTOR.message_types_by_name:
            names[name] = getattr(module, name)
        for enum in module.DESCRIPTOR.enum_types_by_name.values():
            names.update({value.name: value.number for value in enum.values})
    return SimpleNamespace(**names)


def _methods(modules: list[ModuleType]) -> dict[str, Method]:
    methods: dict[str, Method] = {}
    for module in modules:
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                assert method.name not in methods
                methods[method.name] = Method(
                    name=method.name,
                    service=service.name,
                    full_name=f"{service.full_name}/{method.name}",
                    request=getattr(pb, method.input_type.name),
                    response=getattr(pb, method.output_type.name),
                )
    return methods


_modules = _generate()
pb = _names(_modules)
METHODS = _methods(_modules)

CODES = {
    "MALFORMED_REQUEST": pb.CODE_INVALID_ARGUMENT,
    "INVALID_FIELDS": pb.CODE_INVALID_ARGUMENT,
    "IDEMPOTENCY_KEY_REUSED": pb.CODE_INVALID_ARGUMENT,
    "PAGE_TOKEN_INVALID": pb.CODE_INVALID_ARGUMENT,
    "PROFILE_NOT_FOUND": pb.CODE_NOT_FOUND,
    "LOCATION_NOT_FOUND": pb.CODE_NOT_FOUND,
    "IMAGE_NOT_FOUND": pb.CODE_NOT_FOUND,
    "CALL_NOT_FOUND": pb.CODE_NOT_FOUND,
    "PROFILE_EXISTS": pb.CODE_ALREADY_EXISTS,
    "EXTERNAL_ID_EXISTS": pb.CODE_ALREADY_EXISTS,
    "STATUS_CHANGED": pb.CODE_FAILED_PRECONDITION,
    "LOCATION_OCCUPIED": pb.CODE_FAILED_PRECONDITION,
    "LOCATION_FULL": pb.CODE_FAILED_PRECONDITION,
    "NO_PROFILE": pb.CODE_FAILED_PRECONDITION,
    "REVISION_MISMATCH": pb.CODE_ABORTED,
    "LOG_COMPACTED": pb.CODE_OUT_OF_RANGE,
    "LOG_RESTORED": pb.CODE_OUT_OF_RANGE,
    "OVERLOADED": pb.CODE_RESOURCE_EXHAUSTED,
    "RATE_LIMITED": pb.CODE_RESOURCE_EXHAUSTED,
    "TOO_MANY_CALLS": pb.CODE_RESOURCE_EXHAUSTED,
    "TOO_MANY_WATCHES": pb.CODE_RESOURCE_EXHAUSTED,
    "STORAGE_FULL": pb.CODE_RESOURCE_EXHAUSTED,
    "SERVICE_UNREACHABLE": pb.CODE_UNAVAILABLE,
    "STARTING": pb.CODE_UNAVAILABLE,
    "DRAINING": pb.CODE_UNAVAILABLE,
    "NOT_CAUGHT_UP": pb.CODE_UNAVAILABLE,
    "OUTCOME_UNKNOWN": pb.CODE_UNAVAILABLE,
    "NO_IDENTITY": pb.CODE_UNAUTHENTICATED,
    "NOT_ALLOWED": pb.CODE_PERMISSION_DENIED,
    "KEY_REVOKED": pb.CODE_UNAUTHENTICATED,
    "DEADLINE_EXCEEDED": pb.CODE_DEADLINE_EXCEEDED,
    "UNKNOWN_METHOD": pb.CODE_UNIMPLEMENTED,
    "CANCELLED": pb.CODE_CANCELLED,
    "INTERNAL": pb.CODE_INTERNAL,
}
