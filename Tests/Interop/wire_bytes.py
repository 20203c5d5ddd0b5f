"""Protobuf fields as raw bytes, for what a proper library refuses to write."""

from __future__ import annotations


def varint(value: int) -> bytes:
    """`value` in base 128, the low groups first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    """A varint field."""
    return varint(field << 3) + varint(value)


def chunk(field: int, value: bytes) -> bytes:
    """A length-delimited field: bytes, a string or a message."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def fixed64(field: int, value: bytes) -> bytes:
    """A field of eight bytes."""
    return varint(field << 3 | 1) + value.rjust(8, b"\0")


def fixed32(field: int, value: bytes) -> bytes:
    """A field of four bytes."""
    return varint(field << 3 | 5) + value.rjust(4, b"\0")


def group(field: int, content: bytes) -> bytes:
    """A group, which proto3 no longer has."""
    return varint(field << 3 | 3) + content + varint(field << 3 | 4)
