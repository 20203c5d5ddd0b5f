"""A system of a test module's own, with people at places, for tests that kill processes."""

from __future__ import annotations

from typing import Any

from messages import pb
from system import System, eventually
from world import PNG, World

SERVICES = ["profiles", "locations", "check-ins"]


class Town:
    """A system with some people at some places, and everything about it that can be read."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.world = World(system.connection())
        admin = self.world.admin
        self.place = self.world.place(name="Café", external_id="cafe", capacity=100)
        self.empty = self.world.place(name="Empty")
        self.people = [self.world.person(first_name=f"P{number}") for number in range(5)]
        for person in self.people:
            person.caller.done("CheckIn", location_id=self.place, ttl_s=5000)
        self.people[0].caller.done("CheckIn", location_id=self.empty)
        self.people[0].caller.done("CheckOut")
        self.people[1].caller.done("SetAvatar", image=PNG + b"town")
        image = {"location_id": self.place, "which": 1, "image": PNG + b"place"}
        admin.done("SetLocationImage", **image)
        admin.done("DeleteProfile", id=self.world.person().id)
        admin.done("DeleteLocation", id=self.world.place())

    def state(self) -> dict[str, Any]:
        """All that can be read, bytes as they come."""
        admin = self.world.admin
        at = {"location_id": self.place}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("ListProfiles", {}),
            ("ListLocations", {}),
            ("GetCounts", {}),
            ("GetBoard", {}),
            ("ListPeopleHere", at),
            ("ListPeopleEverywhere", {}),
            ("ListCheckedIn", at),
            ("ListHistory", at),
            ("GetLocation", {"external_id": "cafe"}),
            *(("GetStatus", {"profile_id": person.id}) for person in self.people),
        ]
        answers = {f"{method} {fields}": admin.done(method, **fields) for method, fields in calls}
        profile = admin.done("GetProfile", id=self.people[1].id).profile
        answers["avatar"] = admin.done("GetAvatar", avatar_id=profile.avatar_id)
        for name in SERVICES:
            log = self.system.caller(name)
            answers[f"log of {name}"] = log.done("ListChanges")
            answers[f"snapshot of {name}"] = log.done("GetSnapshot")
        return answers

    def changed(self, before: dict[str, Any]) -> list[str]:
        """What is no longer as it was."""
        now = self.state()
        return [name for name, answer in before.items() if now[name] != answer]

    def lose(self, name: str) -> None:
        """Kills a service, and waits until the gateway knows."""
        next(program for program in self.system.programs if program.name == name).kill()
        self.wait_until_down(name)

    def wait_until_down(self, name: str) -> None:
        """Until the gateway has noticed that a service is gone."""

        def noticed() -> bool:
            body = self.world.admin.done("CheckHealth")
            states = {health.service: health.state for health in body.services}
            degraded = body.state == pb.SERVING_STATE_DEGRADED
            return degraded and states[name] != pb.SERVING_STATE_SERVING

        eventually(f"{name} is known to be down", noticed, 15)
