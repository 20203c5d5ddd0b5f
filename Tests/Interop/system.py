"""The real programs, started as proto/README.md says, on ipc sockets in a folder of their own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from client import Caller, Connection, NoAnswer
from messages import pb

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(os.environ.get("MUSTER_BIN", ROOT / ".build" / "debug"))

T = TypeVar("T")


def eventually(what: str, condition: Callable[[], T], seconds: float = 15) -> T:
    """Waits until `condition` holds, and returns what it gave."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"not in {seconds} s: {what} (last: {value!r})"
        threading.Event().wait(0.02)


class Program:
    """One process, which can be killed and started again over the same data."""

    def __init__(self, program: str, arguments: list[str], folder: Path, name: str) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._program = PROGRAMS / program
        # However the tests end, no process outlives them.
        self._command = ["setpriv", "--pdeathsig", "KILL", str(self._program), *arguments]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        assert self._process is None, f"{self.name} runs already"
        assert os.access(self._program, os.X_OK), f"no program {self._program}: build first"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def say(self, *arguments: str) -> None:
        """Has it start with these arguments too."""
        self._command += arguments

    def run_by(self, *words: str) -> None:
        """Has another program start it, in whose place it then is."""
        self._command = [*words, *self._command]

    def lead_through(self, suffix: str, system: System) -> None:
        """Has it reach others by endpoints with something behind their names."""
        for name in ("profiles", "locations", "check-ins"):
            if f"--{name}" in self._command:
                place = self._command.index(f"--{name}") + 1
                rpc, feed = system.rpc(f"{name}{suffix}"), system.feed(f"{name}{suffix}")
                self._command[place] = f"{rpc},{feed}"

    def kill(self) -> None:
        """As a power cut would: kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Asks it to end; its exit code, negative for a signal."""
        return self._end(signal.SIGTERM)

    def ask_to_stop(self) -> None:
        """Asks it to end, and does not wait until it has."""
        os.kill(self.pid, signal.SIGTERM)

    def pause(self) -> None:
        """It stands still, and its connections stay."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, number: signal.Signals) -> int:
        os.kill(self.pid, number)
        return self.wait()

    def wait(self) -> int:
        """Until it has ended; its exit code, negative for a signal."""
        assert self._process is not None, f"{self.name} does not run"
        process, self._process = self._process, None
        try:
            return process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"{self.name} did not end in 10 s\n{self.tail()}") from None

    def check_running(self) -> None:
        """That it has not died by itself."""
        if self._process is not None and self._process.poll() is not None:
            code, self._process = self._process.returncode, None
            raise AssertionError(f"{self.name} died with {code}\n{self.tail()}")

    @property
    def runs(self) -> bool:
        return self._process is not None

    def resident_kib(self) -> int:
        """What it holds in memory now."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if "VmRSS" in line).split()[1])

    def tail(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join([f"--- {self.name}'s log", *lines[-30:]])


class System:
    """Three services and gateways before them."""

    def __init__(self) -> None:
        # An ipc path has at most 107 bytes, so pytest's own folders are too deep.
        self.folder = Path(tempfile.mkdtemp(prefix="muster-"))
        services = {name: self._pair(name) for name in ("profiles", "locations", "check-ins")}
        self.profiles = self._service("profiles", "muster-profiles")
        self.locations = self._service("locations", "muster-locations")
        self.check_ins = self._service(
            "check-ins",
            "muster-checkins",
            "--profiles",
            services["profiles"],
            "--locations",
            services["locations"],
        )
        behind = [part for name, pair in services.items() for part in (f"--{name}", pair)]
        self.gateway, self.second_gateway, self.third_gateway = (
            Program(
                "muster-gateway",
                ["--rpc", self.rpc(name), *behind, "--trust-clients"],
                self.folder,
                name,
            )
            for name in ("gateway", "gateway-2", "gateway-3")
        )
        self.programs = [
            self.profiles, self.locations, self.check_ins, self.gateway, self.second_gateway,
            self.third_gateway,
        ]  # fmt: skip
        self._connections: list[Connection] = []

    def _service(self, name: str, program: str, *more: str) -> Program:
        arguments = ["--data", str(self.folder / name), "--rpc", self.rpc(name)]
        (self.folder / name).mkdir()
        return Program(program, [*arguments, "--feed", self.feed(name), *more], self.folder, name)

    def rpc(self, name: str) -> str:
        return f"ipc://{self.folder}/{name}.rpc"

    def feed(self, name: str) -> str:
        return f"ipc://{self.folder}/{name}.feed"

    def _pair(self, name: str) -> str:
        return f"{self.rpc(name)},{self.feed(name)}"

    def start(self) -> None:
        """Starts the services and the first gateway, and waits until all serve."""
        for program in self.programs[:4]:
            if not program.runs:
                program.start()
        self.wait_until_serving()

    def wait_until_serving(self, name: str = "gateway") -> None:
        """Until the process says that it and all behind it serve."""

        def serves() -> bool:
            self.check_running()
            with Connection(self.rpc(name)) as connection:
                try:
                    caller = Caller(connection)
                    call = caller.start("CheckHealth", header={"timeout_ms": 1000})
                    return connection.finish(call, 2).body.state == pb.SERVING_STATE_SERVING
                except NoAnswer:
                    return False

        eventually(f"{name} serves", serves, 30)

    def connection(self, name: str = "gateway", **options: bool) -> Connection:
        """A connection that the system closes at its end."""
        connection = Connection(self.rpc(name), **options)
        self._connections.append(connection)
        return connection

    def caller(self, name: str = "gateway", user: str = "", roles: tuple[str, ...] = ()) -> Caller:
        """Somebody on a connection of its own."""
        return Caller(self.connection(name), user, roles)

    # As an operator sees it.

    def answers_at(self, name: str) -> str:
        """Where a process answers, as its settings have it."""
        return self.rpc(name)

    @property
    def services(self) -> list[Program]:
        return self.programs[:3]

    def settings(self) -> Path:
        """A settings file that says where everything is."""
        path = self.folder / "muster.conf"
        sections = {"muster-profiles": "profiles", "muster-locations": "locations",
                    "muster-checkins": "check-ins", "muster-gateway": "gateway"}  # fmt: skip
        path.write_text("".join(
            f"[{section}]\ndata = {self.folder / name}\nrpc = {self.answers_at(name)}\n"
            for section, name in sections.items()
        ))  # fmt: skip
        return path

    def muster(self, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Runs the command line to its end, which has to be `code`."""
        environment = {**os.environ, "MUSTER_ENDPOINT": self.rpc("gateway")}
        said = subprocess.run(
            [PROGRAMS / "muster", *words], capture_output=True, text=True, timeout=120,
            stdin=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        assert said.returncode == code, f"{words} ended with {said.returncode}: {said}"
        return said

    def look_after(self, command: str, *words: str, code: int = 0) -> str:
        """A command that works on the stores; gives all that it said."""
        said = self.muster(command, *words, "--config", str(self.settings()), code=code)
        return said.stdout + said.stderr

    def check_running(self) -> None:
        for program in self.programs:
            program.check_running()

    def close(self) -> None:
        """Ends all, and forgets the data."""
        for connection in self._connections:
            connection.close()
        for program in reversed(self.programs):
            if program.runs:
                program.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
