"""A Debian 12 of its own, booted by systemd in a container, that the packages are tried on.

The system is made once, by debootstrap, and kept; each run works on a copy.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

from client import Caller, Connection
from system import eventually

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / ".build" / "systemd"
CLEAN = FOLDER / "debian"
COPY = FOLDER / "machine"
SERVICES = {"profiles": "muster-profiles", "locations": "muster-locations",
            "check-ins": "muster-checkins"}
UNITS = (*SERVICES.values(), "muster-gateway")
# Containers share the network, so the port is one that nobody is likely to have.
PORT = int(os.environ.get("MUSTER_SYSTEMD_PORT", "17400"))


def make_copy() -> None:
    if not (CLEAN / "made").exists():
        shutil.rmtree(CLEAN, ignore_errors=True)
        CLEAN.mkdir(parents=True)
        packages = "--include=systemd,systemd-sysv,dbus,ca-certificates"
        with open(FOLDER / "debootstrap.log", "w") as log:
            subprocess.run(["debootstrap", "--variant=minbase", packages, "bookworm", CLEAN],
                           check=True, stdout=log, stderr=subprocess.STDOUT)
        (CLEAN / "made").touch()
    shutil.rmtree(COPY, ignore_errors=True)
    subprocess.run(["cp", "-a", CLEAN, COPY], check=True)


class Machine:
    """The booted system, reached from outside: by its port, and by the sockets in its /run."""

    def __init__(self) -> None:
        make_copy()
        self._switch_on()

    def _switch_on(self) -> None:
        command = ["systemd-nspawn", "--register=no", "--keep-unit", "--quiet", "--boot",
                   "--console=read-only", f"--directory={COPY}"]
        with open(FOLDER / "console.log", "a") as log:
            self.nspawn = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self.wait_until_up()

    def leader(self) -> str | None:
        """The container's first process; None while there is none."""
        try:
            pid = self.nspawn.pid
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                if Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                    return child
        except FileNotFoundError:
            pass  # It has just ended.
        return None

    def attempt(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Runs a command inside, whatever becomes of it."""
        leader = self.leader()
        if leader is None:
            return subprocess.CompletedProcess(command, 1, "", "the machine is down")
        inside = ["nsenter", "-t", leader, "--all", "--wdns=/root", "env", "HOME=/root",
                  "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                  "DEBIAN_FRONTEND=noninteractive", *command]
        return subprocess.run(inside, text=True, capture_output=True, timeout=180)

    def do(self, *command: str) -> str:
        """Runs a command inside that has to succeed, and gives what it wrote."""
        done = self.attempt(*command)
        said = f"{done.stdout[-1500:]}{done.stderr[-1500:]}"
        assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}: {said}"
        return done.stdout

    def wait_until_up(self) -> None:
        def runs() -> bool:
            return self.attempt("systemctl", "is-system-running").stdout.strip() == "running"
        eventually("the system runs", runs, 60)

    def reboot(self) -> None:
        """As the machine's own command does it: everything is stopped, and starts again."""
        self.do("systemctl", "reboot")
        # A container that is not registered with a manager ends here, and is switched on again.
        self.nspawn.wait(timeout=60)
        self._switch_on()

    def install(self, folder: Path) -> str:
        """Installs the packages of a folder with apt, as an operator does."""
        inside = COPY / "srv" / folder.name
        shutil.copytree(folder, inside, dirs_exist_ok=True,
                        ignore=lambda _, names: [n for n in names if not n.endswith(".deb")])
        debs = [f"/srv/{folder.name}/{deb.name}" for deb in sorted(inside.glob("*.deb"))]
        return self.do("apt-get", "install", "-y", "--no-install-recommends", *debs)

    def show(self, unit: str, name: str) -> str:
        return self.do("systemctl", "show", "--value", f"--property={name}", unit).strip()

    def is_serving(self) -> bool:
        """Whether every unit runs, and says itself that it lacks nothing."""
        return all(self.show(unit, "ActiveState") == "active"
                   and self.show(unit, "StatusText") == "serving" for unit in UNITS)

    def wait_until_serving(self) -> None:
        eventually("all units serve", self.is_serving, 30)

    def stop(self) -> None:
        self.nspawn.send_signal(signal.SIGTERM)
        try:
            self.nspawn.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.nspawn.kill()
            self.nspawn.wait()

    def socket(self, name: str) -> str:
        """One of the sockets in the machine's /run/muster, as it is reached from outside."""
        return f"ipc:///proc/{self.leader()}/root/run/muster/{name}.sock"

    # As the load of the crash tests wants it.

    def rpc(self, name: str) -> str:
        if name == "gateway":
            return f"tcp://127.0.0.1:{PORT}"
        return self.socket(f"services/{name}")

    def caller(self, name: str = "gateway", user: str = "") -> Caller:
        return Caller(Connection(self.rpc(name)), user, ())
