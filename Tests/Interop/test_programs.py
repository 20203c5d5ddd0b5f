"""The programs as files: how they are linked."""

from __future__ import annotations

import subprocess

import pytest
from system import PROGRAMS

NAMES = ("muster", "muster-load", "muster-gateway", "muster-profiles", "muster-locations",
         "muster-checkins")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_nothing_can_be_bound_to_another_place_when_a_program_runs(name: str) -> None:
    """It lies where chance puts it, and what it takes from libraries is bound and read-only before
    it begins."""
    told = subprocess.run(
        ["readelf", "-W", "-h", "-l", "-d", PROGRAMS / name],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "DYN (Position-Independent Executable file)" in told
    assert "GNU_RELRO" in told and "BIND_NOW" in told
    assert "GNU_STACK" in told and " RWE " not in told
