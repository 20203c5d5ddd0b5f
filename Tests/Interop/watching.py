"""What a program knows that watches: a list, or counts, made of the responses of one stream.

Every response is held against the comments of WatchResponse and HereChange.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from client import Caller, NoAnswer, Reply
from messages import pb

ARRIVED = pb.HERE_CHANGE_KIND_ARRIVED
LEFT = pb.HERE_CHANGE_KIND_LEFT
UPDATED = pb.HERE_CHANGE_KIND_UPDATED
PASS_THROUGH = pb.WATCH_MODE_PASS_THROUGH


class Ended(AssertionError):
    """The stream has had its last response."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(f"the stream ended: {reply}")
        self.reply = reply


class Watcher:
    """One stream, and what it has told."""

    def __init__(self, caller: Caller, **fields: Any) -> None:
        self.caller = caller
        self.fields = fields
        self.people: dict[bytes, Any] = {}
        self.counts: dict[bytes, int] = {}
        self.count = 0
        self.total = 0
        self.changes: list[Any] = []
        self.responses = 0
        self.heartbeats = 0
        self.resets = 0
        self.after = pb.Revisions()
        self.revisions: list[int] = []
        self._incomplete = False
        self.call = caller.start("Watch", **fields)

    @property
    def names(self) -> list[str]:
        """In the order of a list."""
        rows = sorted(self.people.values(), key=lambda p: (p.since_ms, p.profile_id))
        return [row.first_name for row in rows]

    def begin(self, seconds: float = 15) -> Watcher:
        """Waits for the first state, whole."""
        self.until(lambda: self.responses > 0 and not self._incomplete, seconds)
        return self

    def again(self, caller: Caller) -> Watcher:
        """The same elsewhere, after what was seen last; what is known is taken along."""
        fields = {key: value for key, value in self.fields.items() if key != "after"}
        other = Watcher(caller, after=self.after, **fields)
        other.people, other.counts = dict(self.people), dict(self.counts)
        return other

    def until(self, condition: Callable[[], object], seconds: float = 15) -> None:
        """Reads until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            self.read(max(0.001, deadline - time.monotonic()))

    def settle(self, caller: Caller, seconds: float = 15) -> None:
        """Reads until it has all that a fresh read sees, and holds it against that."""
        place = self.fields["location_id"]
        fresh = caller.succeeded("ListPeopleHere", location_id=place, page_size=1000)
        self.until(lambda: self.after.check_ins >= fresh.as_of.check_ins, seconds)
        rows = [row for page in caller.pages("ListPeopleHere", location_id=place, page_size=1000)
                for row in page.people]  # fmt: skip
        known = sorted(self.people.values(), key=lambda p: (p.since_ms, p.profile_id))
        assert known == rows and self.count == len(rows)

    def read(self, seconds: float = 15) -> Any:
        """Takes in the next response."""
        reply = self.caller.connection.next(self.call, seconds)
        if not reply.header.more:
            raise Ended(reply)
        self.take(reply.body, reply.as_of)
        return reply.body

    def silent(self, seconds: float) -> None:
        """That nothing comes, heartbeats apart."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                body = self.read(left)
            except NoAnswer:
                return
            assert not body.changes and not body.counts and not body.reset, body

    def end(self, seconds: float = 15) -> str:
        """Reads to the end, and gives the reason for it."""
        try:
            while True:
                self.read(seconds)
        except Ended as ended:
            return ended.reply.reason

    def take(self, body: Any, as_of: Any) -> None:
        self.responses += 1
        assert body.time_ms > 0 and as_of.check_ins >= self.after.check_ins
        if body.reset:
            self.resets += 1
            self.people, self.counts = {}, {}
        is_state = body.reset or self._incomplete
        self._incomplete = body.incomplete
        if not body.changes and not body.counts and not body.reset:
            self.heartbeats += 1
        for change in body.changes:
            self._change(change, is_state)
        for place in body.counts:
            self.counts[place.location_id] = place.count
            if not place.count:
                del self.counts[place.location_id]
        self.changes.extend(body.changes)
        self.count, self.total = body.count, body.total
        if not body.incomplete:
            self.after = as_of
            if self.fields.get("mode") != PASS_THROUGH and "location_id" in self.fields:
                assert len(self.people) == body.count
            if self.fields.get("mode") != PASS_THROUGH and "all_counts" in self.fields:
                assert sum(self.counts.values()) == body.total

    def _change(self, change: Any, is_state: bool) -> None:
        id = change.person.profile_id
        if change.kind == ARRIVED:
            assert id not in self.people, f"arrives, and is here: {change}"
            self.people[id] = change.person
        elif change.kind == LEFT:
            known = self.people.pop(id, None)
            assert known or self.fields.get("mode") == PASS_THROUGH, f"was not here: {change}"
        else:
            assert change.kind == UPDATED and not is_state, change
            assert id in self.people or self.fields.get("mode") == PASS_THROUGH, change
            self.people[id] = change.person
        if is_state:
            assert change.reason == 0 and change.other_location_id == b"", change
