"""A system that talks over TCP alone, with keys, and believes nobody but who comes by ipc."""

from __future__ import annotations

import os
import random
import signal
import socket
from dataclasses import dataclass
from pathlib import Path

import zmq
from client import Caller, Connection, Keys
from system import Program, System, eventually

SERVICES = ("profiles", "locations", "check-ins")


@dataclass(frozen=True)
class Pair:
    """A key pair, and the file of its secret half."""

    public: str
    secret: str
    file: Path


def new_pair(folder: Path, name: str) -> Pair:
    """A pair whose public key can stand at the beginning of a line."""
    while True:
        public, secret = (half.decode() for half in zmq.curve_keypair())
        if public[0] not in "#-":
            break
    path = folder / f"{name}.key"
    path.touch(mode=0o600)
    path.write_text(secret + "\n")
    return Pair(public, secret, path)


def free_port() -> int:
    """A port that nobody has, below those that the system gives to whoever connects somewhere: of
    those one may be taken again before a program can listen there."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


class KeyedSystem(System):
    """Services that listen on TCP, and a gateway that does so and on ipc, where it trusts."""

    def __init__(self) -> None:
        self.pairs: dict[str, Pair] = {}
        self.ports: dict[str, int] = {}
        super().__init__()
        self.clients = self.folder / "allowed-keys"
        self.peers = self.folder / "allowed-peers"
        self.server = self.pair("gateway")
        self.allow()
        self.write(self.peers, *(self.line(name, "peer") for name in ("gateway", "check-ins")))
        self.gateway = self.keyed_gateway("gateway")
        self.programs = [self.profiles, self.locations, self.check_ins, self.gateway]

    def keyed_gateway(self, name: str, *more: str) -> Program:
        """A gateway with the system's list of keys."""
        behind = [part for service in SERVICES for part in (f"--{service}", self._pair(service))]
        keys = ["--secret-key", str(self.pair(name).file), "--allowed-keys", str(self.clients)]
        endpoints = ["--rpc", self.rpc(name), "--rpc", self.tcp(name)]
        arguments = [*endpoints, *behind, *keys, "--trust-clients", *more]
        return Program("muster-gateway", arguments, self.folder, name)

    def pair(self, name: str) -> Pair:
        """The keys of a process, or of somebody."""
        if name not in self.pairs:
            self.pairs[name] = new_pair(self.folder, name)
        return self.pairs[name]

    def tcp(self, name: str) -> str:
        while name not in self.ports:
            if (port := free_port()) not in self.ports.values():
                self.ports[name] = port
        return f"tcp://127.0.0.1:{self.ports[name]}"

    def rpc(self, name: str) -> str:
        return self.tcp(name) if name in SERVICES else super().rpc(name)

    def feed(self, name: str) -> str:
        return self.tcp(f"{name}-feed")

    def _pair(self, name: str) -> str:
        return f"{self.rpc(name)},{self.feed(name)},{self.pair(name).public}"

    def _service(self, name: str, program: str, *more: str) -> Program:
        keys = ["--secret-key", str(self.pair(name).file)]
        keys += ["--allowed-keys", str(self.folder / "allowed-peers")]
        return super()._service(name, program, *more, *keys)

    @staticmethod
    def write(path: Path, *lines: str) -> None:
        """Puts another list in the place of one, whole."""
        new = path.with_suffix(".new")
        new.write_text("".join(f"{line}\n" for line in lines))
        os.replace(new, path)

    def allow(self, *lines: str) -> None:
        """Lets nobody in as a client but these, and waits until that is so."""
        self.write(self.clients, "# people and displays", *lines)
        if self.gateway.runs:
            self.reread(self.gateway)

    @staticmethod
    def reread(*programs: Program) -> None:
        """Waits until programs have looked at their lists, as they do when they are told to."""

        def looks() -> list[int]:
            return [program.log.read_text().count("allowed keys ") for program in programs]

        before = looks()
        for program in programs:
            os.kill(program.pid, signal.SIGHUP)
        eventually("it is read", lambda: all(now > was for now, was in zip(looks(), before)))

    def line(self, name: str, roles: str, more: str = "") -> str:
        """A line of the list: somebody's key, and what it may."""
        return f"{self.pair(name).public} {name} {roles} {more}".rstrip()

    def keys(self, name: str, server: str = "gateway") -> Keys:
        """How somebody shakes hands with a process."""
        pair = self.pair(name)
        return Keys(pair.public, pair.secret, self.pair(server).public)

    def by_key(self, name: str, to: str = "gateway") -> Caller:
        """Somebody who comes by TCP, with a key, and says nothing else of itself."""
        connection = Connection(self.tcp(to), keys=self.keys(name, to))
        self._connections.append(connection)
        return Caller(connection)


class TwoWaySystem(KeyedSystem):
    """The same, whose services answer by ipc too, to whoever looks after them."""

    def __init__(self) -> None:
        super().__init__()
        for program in self.services:
            program.say("--rpc", System.rpc(self, program.name))

    def answers_at(self, name: str) -> str:
        own = System.rpc(self, name)
        return f"{self.rpc(name)}, {own}" if name in SERVICES else own
