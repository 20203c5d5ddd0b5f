"""People and places for tests, each test's own, so that tests can share one running system."""

from __future__ import annotations

import itertools
import math
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from client import Caller, Connection
from messages import pb

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff\xe0"
WEBP = b"RIFF\x10\0\0\0WEBPVP8 "
IN = pb.CHECK_IN_STATE_CHECKED_IN
OUT = pb.CHECK_IN_STATE_CHECKED_OUT
NEVER = 4_294_967_295
FAR = 2**60

_counter = itertools.count(1)


def unique(prefix: str = "x") -> str:
    """A short text that no other test has."""
    return f"{prefix}{next(_counter)}q{uuid.uuid4().hex[:6]}"


def new_id() -> bytes:
    """An id that nothing has."""
    return uuid.uuid4().bytes


@dataclass(frozen=True)
class Person:
    """A user who has a profile."""

    caller: Caller
    id: bytes

    @property
    def user(self) -> str:
        return self.caller.user

    def check_in(self, location_id: bytes, **more: Any) -> Any:
        """Checks itself in."""
        return self.caller.done("CheckIn", location_id=location_id, **more)


class World:
    """Makes people and places through one connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.admin = Caller(connection, unique("admin-"))

    def stranger(self, *roles: str) -> Caller:
        """A user who has no profile."""
        return Caller(self.connection, unique("user-"), roles)

    def person(self, *roles: str, **fields: str) -> Person:
        """A user who has one."""
        caller = self.stranger(*roles)
        profile = {"first_name": "Ada", "last_name": "Lovelace", **fields}
        return Person(caller, caller.done("CreateProfile", profile=profile).profile.id)

    def profile(self, **fields: Any) -> Any:
        """A new user's new profile."""
        profile = {"first_name": "Ada", **fields}
        return self.stranger().done("CreateProfile", profile=profile).profile

    def people(self, count: int) -> list[bytes]:
        """The ids of many new profiles."""
        ids: list[bytes] = []
        while len(ids) < count:
            some = range(min(1000, count - len(ids)))
            profiles = [{"first_name": f"P{number}", "user_id": unique("u")} for number in some]
            ids.extend(self.admin.done("BatchCreateProfiles", profiles=profiles).ids)
        return ids

    def location(self, **fields: Any) -> Any:
        """A new place."""
        location = {"name": "Here", **fields}
        return self.admin.done("CreateLocation", location=location).location

    def place(self, **fields: Any) -> bytes:
        """The id of a new place."""
        return self.location(**{"name": unique("Place "), **fields}).id

    def change(self, id: bytes, mask: list[str], **fields: Any) -> Any:
        """A place with some of its fields changed."""
        arguments = {"location": {"id": id, **fields}, "update_mask": mask}
        return self.admin.done("UpdateLocation", **arguments).location

    def check_in(self, location_id: bytes, profile_ids: Iterable[bytes]) -> None:
        """Checks many in."""
        items = [{"profile_id": id, "location_id": location_id} for id in profile_ids]
        for start in range(0, len(items), 1000):
            body = self.admin.done("BatchCheckIn", items=items[start : start + 1000])
            assert not any(outcome.HasField("error") for outcome in body.outcomes)

    def count(self, location_id: bytes) -> int:
        """How many are there."""
        return self.admin.done("GetCounts", location_ids=[location_id]).counts[0].count


def history(caller: Caller, **question: Any) -> list[Any]:
    """All entries, newest first."""
    return [change for page in caller.pages("ListHistory", **question) for change in page.changes]


def haversine_m(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle metres on the contract's sphere (Sinnott, "Virtues of the Haversine", 1984)."""
    (lat1, lon1), (lat2, lon2) = (map(math.radians, point) for point in (a, b))
    half = math.sin((lat2 - lat1) / 2) ** 2
    half += math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(min(1.0, half)))
