"""The packages on a real systemd: installed, killed, hung, restarted, rebooted, upgraded, removed.

The tests are one story and run in order. Under all but the first and the last runs the load of the
crash tests, whose callers remember what they were told.
"""

from __future__ import annotations

import configparser
import io
import json
import os
import random
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from abuse import ENDLESS, Abuser, Target
from checks import check_everything
from load import Worker
from machine import COPY, FOLDER, PORT, ROOT, SERVICES, UNITS, Machine
from system import eventually

PACKAGES = ROOT / ".build" / "deb"
SEED = int(os.environ.get("MUSTER_SEED") or random.SystemRandom().randrange(2**32))
WORKERS = 4
OLD_GATEWAY = "muster-gateway-old"


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    machine = Machine()
    try:
        yield machine
    finally:
        (FOLDER / "journal.log").write_text(machine.attempt("journalctl", "--no-pager").stdout)
        machine.stop()


@pytest.fixture(scope="module")
def workers(machine: Machine) -> Iterator[list[Worker]]:
    print(f"seed {SEED}")
    # The checks know of nobody but those that the load has made.
    machine.do("muster", "profile", "delete", "--yes")
    machine.do("muster", "location", "delete", "hall", "--yes")
    workers = [Worker(machine, f"w{n}", SEED + n) for n in range(WORKERS)]
    for worker in workers:
        worker.start()
    yield workers
    for worker in workers:
        worker.end()


def under_load(machine: Machine, workers: list[Worker], what: Callable[[], None]) -> None:
    """Does something while people check in and out; then everything acknowledged is there."""
    before = sum(worker.known.answers for worker in workers)
    for worker in workers:
        worker.go()
    eventually("every worker has people and places", lambda: all(
        worker.failure or len(worker.known.places) >= 4 for worker in workers), 60)
    what()
    machine.wait_until_serving()
    after = sum(worker.known.answers for worker in workers)
    eventually("the load goes on", lambda: any(worker.failure for worker in workers) or sum(
        worker.known.answers for worker in workers) > after + 100)
    for worker in workers:
        worker.rest()
    assert sum(worker.known.answers for worker in workers) > before + 100, "there was no load"
    check_everything(machine, [worker.known for worker in workers])
    assert machine.do("systemctl", "list-units", "--failed", "--plain", "--no-legend") == ""


def readme_commands() -> list[str]:
    """What the README tells somebody to type who installs the packages."""
    text = (ROOT / "README.md").read_text()
    found = re.search(r"<!-- install -->\s*```sh\n(.*?)```", text, re.S)
    assert found, "README.md has no block of commands after <!-- install -->"
    return [line for line in found[1].splitlines() if line and not line.startswith("#")]


def test_five_commands_lead_to_the_first_check_in(machine: Machine) -> None:
    machine.install(PACKAGES)
    commands = [line for line in readme_commands() if not line.startswith("sudo apt")]
    assert len(readme_commands()) <= 5
    for command in commands:
        out = machine.do("sh", "-ec", command.replace("sudo ", ""))
    assert "Ada" in out
    machine.wait_until_serving()


def test_units_are_confined_and_right(machine: Machine) -> None:
    units = [f"{unit}.service" for unit in [*UNITS, "muster-backup"]]
    files = [f"/lib/systemd/system/{unit}" for unit in [*units, "muster-backup.timer"]]
    verified = machine.attempt("systemd-analyze", "verify", "--man=no", *files)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    machine.do("systemd-analyze", "security", "--no-pager", "--threshold=15", *units)
    for unit in units:
        assert machine.show(unit, "User") == "muster"


def test_people_come_by_TCP_with_keys(machine: Machine) -> None:
    """As the README says, with settings from a drop-in; the key comes as a credential."""
    endpoint = f"tcp://127.0.0.1:{PORT}"
    machine.do("install", "-d", "-m", "700", "/etc/credstore")
    server = machine.do("muster", "key", "new", "/etc/credstore/muster-gateway.key").strip()
    machine.do("touch", "/etc/muster/allowed-keys")
    folder = "/run/systemd/system/muster-gateway.service.d"
    settings = {"RPC": f"ipc:///run/muster/gateway.sock,{endpoint}",
                "SECRET_KEY": "muster-gateway.key", "ALLOWED_KEYS": "/etc/muster/allowed-keys"}
    lines = "".join(f"Environment=MUSTER_{name}={value}\\n" for name, value in settings.items())
    machine.do("mkdir", "-p", folder)
    machine.do("sh", "-c", f"printf '[Service]\\n{lines}' >{folder}/keys.conf")
    machine.do("systemctl", "daemon-reload")
    machine.do("systemctl", "restart", "muster-gateway")
    machine.wait_until_serving()
    public = machine.do("muster", "key", "new", "/var/tmp/ada.key").strip()
    machine.do("muster", "key", "allow", public, "--user", "ada", "--roles", "user")
    machine.do("muster", "context", "add", "work", "--endpoint", endpoint, "--server-key", server,
               "--secret-key", "/var/tmp/ada.key")
    assert '"user_id": "ada"' in machine.do("muster", "me", "-o", "json", "--context", "work")
    assert "root" in machine.do("muster", "me", "-o", "json")

    def reads() -> int:
        journal = machine.do("journalctl", "--no-pager", "-u", "muster-gateway")
        return journal.count("allowed keys read")
    before = reads()
    machine.do("systemctl", "reload", "muster-gateway")
    eventually("the list is read again", lambda: reads() > before)
    machine.do("muster", "key", "revoke", "ada")
    eventually("the key is taken away", lambda: machine.attempt(
        "muster", "me", "--context", "work", "--timeout", "1s").returncode == 4)
    journal = machine.do("journalctl", "--no-pager")
    for path in ("/etc/credstore/muster-gateway.key", "/var/tmp/ada.key"):
        assert machine.do("cat", path).strip() not in journal
    machine.do("rm", "-r", f"{folder}/keys.conf")
    machine.do("systemctl", "daemon-reload")
    machine.do("systemctl", "restart", "muster-gateway")
    machine.wait_until_serving()


def test_settings_that_are_wrong_are_told_and_not_tried_again(machine: Machine) -> None:
    folder = "/run/systemd/system/muster-gateway.service.d"
    machine.do("mkdir", "-p", folder)
    line = "Environment=MUSTER_RPC=tcp://0.0.0.0:17499"
    machine.do("sh", "-c", f"printf '[Service]\\n{line}\\n' >{folder}/wrong.conf")
    machine.do("systemctl", "daemon-reload")
    assert machine.attempt("systemctl", "restart", "muster-gateway").returncode != 0
    assert machine.show("muster-gateway", "ActiveState") == "failed"
    assert machine.show("muster-gateway", "ExecMainStatus") == "78"
    journal = machine.do("journalctl", "--no-pager", "-u", "muster-gateway")
    assert "tcp://0.0.0.0:17499 would be open to anybody" in journal
    machine.do("rm", f"{folder}/wrong.conf")
    machine.do("systemctl", "daemon-reload")
    machine.do("systemctl", "restart", "muster-gateway")
    machine.wait_until_serving()


def test_the_gateway_can_listen_on_loopback_too(machine: Machine) -> None:
    folder = "/etc/systemd/system/muster-gateway.service.d"
    line = f"Environment=MUSTER_RPC=ipc:///run/muster/gateway.sock,tcp://127.0.0.1:{PORT}"
    machine.do("mkdir", "-p", folder)
    machine.do("sh", "-c", f"printf '[Service]\\n{line}\\n' >{folder}/listen.conf")
    machine.do("systemctl", "daemon-reload")
    machine.do("systemctl", "restart", "muster-gateway")
    machine.wait_until_serving()


@pytest.mark.parametrize("unit", UNITS)
def test_a_process_that_is_killed_is_started_again(
        machine: Machine, workers: list[Worker], unit: str) -> None:
    def kill() -> None:
        before = machine.show(unit, "NRestarts")
        machine.do("systemctl", "kill", "--signal=KILL", unit)
        eventually("it is started again", lambda: machine.show(unit, "NRestarts") != before)
    under_load(machine, workers, kill)


def test_a_loop_that_hangs_is_started_again_by_the_watchdog(
        machine: Machine, workers: list[Worker]) -> None:
    folder = "/run/systemd/system/muster-checkins.service.d"
    machine.do("mkdir", "-p", folder)
    machine.do("sh", "-c", "printf '[Service]\\nWatchdogSec=3\\nTimeoutAbortSec=1\\n' "
               f">{folder}/soon.conf")
    machine.do("systemctl", "daemon-reload")
    machine.do("systemctl", "restart", "muster-checkins")

    def hang() -> None:
        before = machine.show("muster-checkins", "NRestarts")
        machine.do("systemctl", "kill", "--signal=STOP", "muster-checkins")
        eventually("the watchdog has bitten",
                   lambda: machine.show("muster-checkins", "NRestarts") != before, 30)
    under_load(machine, workers, hang)
    assert "Watchdog timeout" in machine.do("journalctl", "--no-pager", "-u", "muster-checkins")


def test_a_message_that_never_ends_costs_a_restart_and_nothing_else(
        machine: Machine, workers: list[Worker]) -> None:
    if machine.show("muster-gateway", "MemoryCurrent") == "[not set]":
        pytest.skip("the container has no memory controller, so that MemoryMax= limits nothing")
    machine.do("systemctl", "set-property", "--runtime", "muster-gateway", "MemoryMax=200M")

    def never_end() -> None:
        before = machine.show("muster-gateway", "NRestarts")
        with Abuser(ENDLESS, Target(machine.socket("gateway"))):
            eventually("its memory was at its end",
                       lambda: machine.show("muster-gateway", "NRestarts") != before, 60)
    under_load(machine, workers, never_end)
    assert "oom-kill" in machine.do("journalctl", "--no-pager", "-u", "muster-gateway")


@pytest.mark.parametrize("unit", UNITS)
def test_a_restart_loses_nothing(machine: Machine, workers: list[Worker], unit: str) -> None:
    under_load(machine, workers, lambda: void(machine.do("systemctl", "restart", unit)))
    assert machine.show(unit, "Result") == "success"


def test_everything_comes_back_after_a_reboot(machine: Machine, workers: list[Worker]) -> None:
    under_load(machine, workers, machine.reboot)


def test_an_upgrade_loses_nothing(machine: Machine, workers: list[Worker]) -> None:
    newer = FOLDER / "newer"
    make_newer(newer)
    under_load(machine, workers, lambda: void(machine.install(newer)))
    assert "+newer" in machine.do("dpkg-query", "--show", "muster-server")


def test_a_backup_is_made_under_load_and_can_be_restored(
        machine: Machine, workers: list[Worker]) -> None:
    assert machine.do("systemctl", "is-active", "muster-backup.timer") == "active\n"
    under_load(machine, workers,
               lambda: void(machine.do("systemctl", "start", "muster-backup.service")))
    assert machine.show("muster-backup.service", "Result") == "success"
    machine.do("muster", "check")
    refused = machine.attempt(
        "setpriv", "--reuid=65534", "--clear-groups", "env", "HOME=/", "muster", "check")
    assert refused.returncode == 6 and "Permission denied: run it as root" in refused.stderr
    # The load rests: what is backed up now is what its callers know.
    machine.do("systemctl", "start", "muster-backup.service")
    newest = machine.do("ls", "/var/backups/muster").split()[-1]
    services = [unit for unit in UNITS if unit != "muster-gateway"]
    machine.do("systemctl", "stop", *services)
    machine.do("muster", "restore", "--yes", f"/var/backups/muster/{newest}")
    machine.do("systemctl", "start", *services)
    machine.wait_until_serving()
    machine.do("muster", "check")
    machine.do("muster", "health", "--format", "nagios")


def test_services_can_be_reached_by_TCP_with_keys(
        machine: Machine, workers: list[Worker]) -> None:
    """As OPERATIONS.md says: keys as credentials, a list of peers, units with the network."""
    for worker in workers:
        worker.end()
    keys = {}
    for unit in (*UNITS, OLD_GATEWAY):
        path = f"/etc/credstore/{unit}.key"
        machine.do("rm", "-f", path)
        keys[unit] = machine.do("muster", "key", "new", path).strip()
    for unit in ("muster-gateway", "muster-checkins"):
        machine.do("muster", "key", "allow", keys[unit], "--peer", unit,
                   "--file", "/etc/muster/allowed-peers")
    # A gateway with a key of its own believes nobody by TCP, not on loopback either.
    machine.do("rm", "/etc/systemd/system/muster-gateway.service.d/listen.conf")
    for unit in SERVICES.values():
        folder = COPY / "etc/systemd/system" / f"{unit}.service.d"
        folder.mkdir(exist_ok=True)
        (folder / "network.conf").write_text(operations_text("ini"))
    settings = COPY / "etc/muster/muster.conf"
    settings.write_text(by_tcp(settings.read_text(), keys))
    machine.do("systemctl", "daemon-reload")
    machine.do("systemctl", "restart", "muster.target")
    machine.wait_until_serving()
    machine.do("systemd-analyze", "security", "--no-pager", "--threshold=15",
               *(f"{unit}.service" for unit in SERVICES.values()))
    machine.do("muster", "location", "create", "By TCP", "--external-id", "by-tcp")
    machine.do("muster", "profile", "create", "Tess Tcp")
    machine.do("muster", "in", "by-tcp")
    here = json.loads(machine.do("muster", "here", "by-tcp", "-o", "json"))
    assert (here["count"], here["people"][0]["first_name"]) == (1, "Tess")
    board = json.loads(machine.do("muster", "board", "--all", "-o", "json"))
    counts = {row["location"]["external_id"]: row["count"] for row in board["rows"]}
    assert counts["by-tcp"] == 1
    for name in SERVICES:
        machine.do("muster", "stats", name)
        machine.do("muster", "drain", name)
        machine.wait_until_serving()
    machine.do("systemctl", "start", "muster-backup.service")
    assert machine.show("muster-backup.service", "Result") == "success"
    newest = sorted((COPY / "var/backups/muster").glob("*/manifest.json"))[-1]
    assert {store["service"] for store in json.loads(newest.read_text())["stores"]} == set(SERVICES)
    machine.do("muster", "check")
    machine.do("muster", "health", "--format", "nagios")
    # Who knows the gateway's old key alone is served, and a second gateway beside it, too.
    public = machine.do("muster", "key", "new", "/var/tmp/tess.key").strip()
    machine.do("muster", "key", "allow", public, "--user", "tess", "--roles", "user")
    machine.do("muster", "context", "add", "old", "--endpoint", machine.rpc("gateway"),
               "--server-key", keys[OLD_GATEWAY], "--secret-key", "/var/tmp/tess.key")
    eventually("the list is read again", lambda: '"user_id": "tess"' in machine.attempt(
        "muster", "me", "-o", "json", "--context", "old", "--timeout", "1s").stdout)
    machine.do("systemctl", "enable", "--now", "muster-gateway@2")
    assert "by-tcp" in machine.do(
        "muster", "here", "by-tcp", "-o", "json", "--endpoint", "ipc:///run/muster/gateway-2.sock")


def test_a_package_that_is_removed_leaves_the_data_and_purged_the_settings_too(
        machine: Machine, workers: list[Worker]) -> None:
    for worker in workers:
        worker.end()
    machine.do("apt-get", "remove", "-y", "muster-server", "muster-client")
    machine.do("test", "-e", "/var/lib/muster/check-ins/check-ins.db")
    machine.do("test", "-e", "/etc/muster/muster.conf")
    for unit in ("muster-gateway", "muster-gateway@2"):
        assert machine.attempt("systemctl", "is-active", unit).stdout != "active\n"
    machine.do("apt-get", "purge", "-y", "muster-server", "muster-client")
    machine.do("test", "!", "-e", "/etc/muster/muster.conf")
    machine.do("test", "-e", "/var/lib/muster/check-ins/check-ins.db")


def operations_text(language: str) -> str:
    """What OPERATIONS.md has people write."""
    found = re.search(rf"```{language}\n(.*?)```", (ROOT / "OPERATIONS.md").read_text(), re.S)
    assert found, f"OPERATIONS.md has no block of {language}"
    return found[1]


def by_tcp(settings: str, keys: dict[str, str]) -> str:
    """The settings, with services that come by TCP too, and a gateway with two keys."""
    parsed = configparser.RawConfigParser()
    parsed.read_string(settings)
    for number, (name, unit) in enumerate(SERVICES.items()):
        rpc, feed = (f"tcp://127.0.0.1:{PORT + 1 + 2 * number + n}" for n in range(2))
        parsed[unit]["rpc"] += f",{rpc}"
        parsed[unit]["feed"] = feed
        parsed[unit]["allowed-keys"] = "/etc/muster/allowed-peers"
        for caller in ("muster-gateway", "muster-checkins"):
            if name in parsed[caller]:
                parsed[caller][name] = f"{rpc},{feed},{keys[unit]}"
    for unit in UNITS:
        parsed[unit]["secret-key"] = f"{unit}.key"
    parsed["muster-gateway"].update({
        "allowed-keys": "/etc/muster/allowed-keys", "old-secret-key": f"{OLD_GATEWAY}.key",
        "old-rpc": f"tcp://127.0.0.1:{PORT}"})
    written = io.StringIO()
    parsed.write(written)
    return written.getvalue()


def make_newer(folder: Path) -> None:
    """The same packages under the next version's number."""
    subprocess.run(["rm", "-rf", folder], check=True)
    folder.mkdir(parents=True)
    for deb in PACKAGES.glob("*.deb"):
        unpacked = folder / deb.stem
        subprocess.run(["dpkg-deb", "--raw-extract", deb, unpacked], check=True)
        control = unpacked / "DEBIAN" / "control"
        control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1+newer", control.read_text()))
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", unpacked, folder], check=True,
                       stdout=subprocess.DEVNULL)


def void(_: object) -> None:
    """For what is done, not asked."""
