"""Keys as people handle them: `muster key`, `muster context`, and what is said of a wrong key."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from keyed import SERVICES, KeyedSystem, new_pair
from system import PROGRAMS, eventually
from world import unique


class Person:
    """Somebody with a home of one's own, who types commands."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir()

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER")}
        return {**kept, "HOME": str(self.home), "XDG_CONFIG_HOME": "", **more}

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PROGRAMS / "muster", *words], env=self.environment(**variables), text=True,
            capture_output=True, timeout=30, stdin=subprocess.DEVNULL, cwd=self.home,
        )  # fmt: skip

    def does(self, *words: str, **variables: str) -> str:
        """What a command writes that succeeds."""
        done = self.run(*words, **variables)
        assert done.returncode == 0, done
        return done.stdout.strip()

    def fails(self, code: int, *words: str, **variables: str) -> str:
        """What a command says that ends with this."""
        done = self.run(*words, **variables)
        assert done.returncode == code, done
        return done.stderr.strip()


@pytest.fixture(scope="module")
def keyed() -> Iterator[KeyedSystem]:
    system = KeyedSystem()
    try:
        system.start()
        yield system
    finally:
        system.close()


@pytest.fixture
def ada(keyed: KeyedSystem) -> Person:
    keyed.allow()
    return Person(keyed.folder / unique("home"))


def allow(keyed: KeyedSystem, person: Person, key: str, *options: str) -> None:
    person.does("key", "allow", key, "--file", str(keyed.clients), *options)


def add(
    keyed: KeyedSystem, person: Person, *server_keys: str, name: str = "work", to: str = "gateway"
) -> None:
    keys = [word for key in server_keys for word in ("--server-key", key)]
    person.does(
        "context", "add", name, "--endpoint", keyed.tcp(to), *keys, "--secret-key", "own.key"
    )


def test_from_no_key_to_the_first_call(keyed: KeyedSystem, ada: Person) -> None:
    public = ada.does("key", "new", "own.key")
    assert (ada.home / "own.key").stat().st_mode & 0o777 == 0o600
    assert ada.does("key", "show", "own.key") == public
    assert "move it away" in ada.fails(6, "key", "new", "own.key")
    allow(keyed, ada, public, "--user", "ada", "--roles", "user,staff", "--comment", "her laptop")
    assert f"{public} ada user,staff # her laptop" in keyed.clients.read_text()
    add(keyed, ada, keyed.server.public)
    assert '"user_id": "ada"' in ada.does("me", "-o", "json", "--context", "work")
    assert '"user_id": "ada"' in ada.does("me", "-o", "json", MUSTER_CONTEXT="work")
    ada.does("context", "use", "work")
    assert '"user_id": "ada"' in ada.does("me", "-o", "json", MUSTER_USER="bob")
    ada.does("profile", "create", "Ada")
    ada.does("profile", "delete", "--yes")
    assert "--as says nothing beside a key" in ada.fails(64, "me", "--as", "bob")
    ada.does("key", "revoke", "ada", "--file", str(keyed.clients))
    refused = "not, or no longer, allowed there: ask whoever runs this Muster to allow your key"
    eventually("it is taken away", lambda: refused in ada.run("me", "--timeout", "1s").stderr)
    assert "no key of 'ada'" in ada.fails(5, "key", "revoke", "ada", "--file", str(keyed.clients))


def test_an_admin_is_told_of_the_processes_behind_the_gateway(
    keyed: KeyedSystem, ada: Person
) -> None:
    """Over keys all the way: the gateway asks them with its own."""
    allow(keyed, ada, ada.does("key", "new", "own.key"), "--user", "ada", "--roles", "admin")
    add(keyed, ada, keyed.server.public)
    by_key = {"MUSTER_CONTEXT": "work"}
    assert ada.does("health", "--format", "nagios", **by_key).startswith("MUSTER OK")
    for name in SERVICES:
        assert ada.does("info", name, "--fields", "service", "-o", "csv", **by_key).endswith(name)
        assert "muster_bytes_not_taken" in ada.does("stats", name, "--gauges", **by_key)


def test_contexts(keyed: KeyedSystem, ada: Person) -> None:
    assert ada.does("context", "list", "-o", "json") == "[]"
    ada.does("context", "add", "here", "--endpoint", keyed.rpc("gateway"), "--as", "ada")
    ada.does("context", "add", "there", "--endpoint", "tcp://127.0.0.1:1")
    assert "no context is in use" in ada.fails(5, "context", "show")
    ada.does("context", "use", "here")
    assert '"user_id": "ada"' in ada.does("me", "-o", "json")
    assert '"user_id": "bob"' in ada.does("me", "-o", "json", "--as", "bob")
    assert "here" in ada.does("context", "show") and "there" not in ada.does("context", "show")
    assert ada.does("context", "list", "--fields", "name", "-o", "csv").split() == [
        "name", "here", "there",
    ]  # fmt: skip
    assert "there is no context 'gone'" in ada.fails(5, "me", "--context", "gone")
    assert "there is no context 'gone'" in ada.fails(5, "me", MUSTER_CONTEXT="gone")
    assert "is no name" in ada.fails(64, "context", "add", "../x", "--endpoint", "ipc:///x")
    assert "has an endpoint" in ada.fails(64, "context", "add", "x")
    assert "say both" in ada.fails(
        64, "context", "add", "x", "--endpoint", "ipc:///x", "--server-key", keyed.server.public
    )
    ada.does("context", "remove", "here")
    assert "no context is in use" in ada.fails(5, "context", "show")
    assert "there is no context" in ada.fails(5, "context", "remove", "here")


def test_a_list_that_people_edit_is_left_as_it_is(keyed: KeyedSystem, ada: Person) -> None:
    lists = ada.home / "list"
    first, second = (new_pair(ada.home, name).public for name in ("first", "second"))
    lists.write_text(f"# people\n\n{first}   ada\tuser  # hers\n")
    lists.chmod(0o640)
    options = ["--file", str(lists), "--user", "bob", "--roles"]
    ada.does("key", "allow", second, *options, "user", "--until", "2027-12-31")
    kept = f"# people\n\n{first}   ada\tuser  # hers\n"
    assert lists.read_text() == f"{kept}{second} bob user 2027-12-31\n"
    ada.does("key", "allow", second, *options, "admin")
    assert lists.read_text() == f"{kept}{second} bob admin\n"
    assert lists.stat().st_mode & 0o777 == 0o640
    days = (["--until", "soon"], ["--until", "2020-01-01"])
    for wrong in (*days, ["--roles", "owner"], ["--peer", "x"]):
        words = [*options[:-1], *([] if "--roles" in wrong else ["--roles", "user"]), *wrong]
        ada.fails(64, "key", "allow", second, *words)
    ada.fails(64, "key", "allow", "short", *options, "user")
    ada.does("key", "revoke", second, "--file", str(lists))
    assert lists.read_text() == kept
    lists.write_text(f"{kept}nonsense\n")
    assert f"{lists}:4: " in ada.fails(64, "key", "allow", second, *options, "user")
    assert lists.read_text() == f"{kept}nonsense\n"


def test_what_a_key_was_is_told_when_it_becomes_another(keyed: KeyedSystem, ada: Person) -> None:
    lists = str(ada.home / "list")
    key = new_pair(ada.home, "first").public
    allow = ("key", "allow", key, "--file", lists)
    first = (*allow, "--user", "bob", "--roles", "user", "--until", "2037-12-31")
    assert "replaced" not in ada.run(*first).stderr
    assert "It was that already." in ada.run(*first).stderr
    said = ada.run(*allow, "--peer", "gateway").stderr
    assert f"Its line until now is replaced: {key} bob user 2037-12-31" in said
    assert f"{key} is gateway, another program of Muster" in said


@pytest.mark.parametrize(
    ("name", "meant"),
    [("gatway", "gateway"), ("Gatewya", "gateway"), ("checkins", "check-ins"), ("gateway-2", ""),
     ("gateway", ""), ("check-ins", ""), ("berlin", "")],
)  # fmt: skip
def test_a_peer_s_name_that_is_misspelt_is_noticed(
    keyed: KeyedSystem, ada: Person, name: str, meant: str
) -> None:
    """Names are free, so it is taken."""
    lists = ada.home / "list"
    key = new_pair(ada.home, "peer").public
    said = ada.run("key", "allow", key, "--peer", name, "--file", str(lists)).stderr
    assert f"{key} {name} peer\n" in lists.read_text()
    assert (f"say it again with --peer {meant}" in said) if meant else ("again" not in said)


def timed(person: Person, *words: str) -> tuple[str, int, float]:
    began = time.monotonic()
    done = person.run(*words)
    return done.stderr, done.returncode, time.monotonic() - began


def test_a_wrong_key_is_told_by_the_deadline(keyed: KeyedSystem, ada: Person) -> None:
    public = ada.does("key", "new", "own.key")
    add(keyed, ada, keyed.server.public)
    add(keyed, ada, keyed.pair("eve").public, name="wrong")
    ada.does("context", "add", "none", "--endpoint", keyed.tcp("gateway"))
    commands = (["me"], ["in", "SJC"], ["watch", "--counts"], ["board", "--watch"])
    for command in commands:
        for context, code, sentence in (
            ("work", 4, "this client's key is not, or no longer, allowed there"),
            ("wrong", 69, "the server's key that is known here is most likely the wrong one"),
            ("none", 69, "it most likely wants a key"),
        ):
            said, ended, seconds = timed(ada, *command, "--context", context, "--timeout", "1s")
            assert sentence in said and ended == code, (command, said, ended)
            assert seconds < 6, said
    allow(keyed, ada, public, "--user", "ada", "--roles", "user")
    eventually("it is let in", lambda: ada.run("me", "--context", "work").returncode == 0)


def test_a_key_that_is_allowed_while_a_command_waits_is_let_in(
    keyed: KeyedSystem, ada: Person
) -> None:
    public = ada.does("key", "new", "own.key")
    add(keyed, ada, keyed.server.public)
    waiting = subprocess.Popen(
        [PROGRAMS / "muster", "me", "--context", "work", "--timeout", "20s", "-o", "json"],
        env=ada.environment(), stdout=subprocess.PIPE, cwd=ada.home,
    )  # fmt: skip
    allow(keyed, ada, public, "--user", "ada", "--roles", "user")
    assert b'"user_id": "ada"' in waiting.communicate(timeout=25)[0]


def test_a_server_s_key_changes_and_nobody_is_cut_off(keyed: KeyedSystem, ada: Person) -> None:
    public = ada.does("key", "new", "own.key")
    allow(keyed, ada, public, "--user", "ada", "--roles", "user")
    gateway = keyed.keyed_gateway("changing")
    old, new = keyed.pair("changing"), new_pair(keyed.folder, "changed")
    KeyedSystem.write(
        keyed.peers, *(f"{key} x peer" for key in (
            keyed.server.public, keyed.pair("check-ins").public, old.public, new.public)),
    )  # fmt: skip
    gateway.start()
    keyed.programs.append(gateway)
    add(keyed, ada, old.public, new.public, to="changing")
    ada.does("me", "--context", "work")
    os.replace(new.file, old.file)
    assert gateway.stop() == 0
    gateway.start()
    for _ in range(3):
        ada.does("me", "--context", "work")
    add(keyed, ada, old.public, to="changing")
    said = ada.fails(69, "me", "--context", "work", "--timeout", "1s")
    assert "most likely the wrong one" in said


def test_who_can_hold_one_server_key_only_comes_by_the_old_one_meanwhile(
    keyed: KeyedSystem, ada: Person
) -> None:
    """By one gateway that has both keys, each at an address of its own."""
    public = ada.does("key", "new", "own.key")
    allow(keyed, ada, public, "--user", "ada", "--roles", "user")
    old, new = keyed.pair("old"), keyed.pair("new")
    KeyedSystem.write(keyed.peers, *(keyed.line(name, "peer") for name in (
        "gateway", "check-ins", "new")))
    gateway = keyed.keyed_gateway(
        "new", "--old-rpc", keyed.tcp("old"), "--old-secret-key", str(old.file))
    gateway.start()
    keyed.programs.append(gateway)
    for name, server in (("old", old), ("new", new)):
        add(keyed, ada, server.public, name=name, to=name)
        assert '"user_id": "ada"' in ada.does("me", "-o", "json", "--context", name)
    for key, address in ((old, "new"), (new, "old")):
        add(keyed, ada, key.public, name="crossed", to=address)
        said = ada.fails(69, "me", "--context", "crossed", "--timeout", "1s")
        assert "most likely the wrong one" in said
    ada.does("key", "revoke", "ada", "--file", str(keyed.clients))
    for name in ("old", "new"):
        eventually("its key is taken away", lambda name=name: ada.run(
            "me", "--context", name, "--timeout", "1s").returncode == 4)


def test_a_service_s_key_changes_and_the_gateway_follows(keyed: KeyedSystem) -> None:
    eve, profiles = keyed.pair("eve"), keyed.pair("profiles")
    service = keyed._pair("profiles")
    try:
        keyed.pairs["profiles"] = type(profiles)(
            f"{eve.public},{profiles.public}", profiles.secret, profiles.file
        )
        assert keyed._pair("profiles") != service
        gateway = keyed.keyed_gateway("two-keys")
    finally:
        keyed.pairs["profiles"] = profiles
    KeyedSystem.write(
        keyed.peers, *(keyed.line(name, "peer") for name in ("gateway", "check-ins", "two-keys"))
    )
    gateway.start()
    keyed.programs.append(gateway)
    keyed.wait_until_serving("two-keys")


def test_the_load_driver_comes_with_a_key(keyed: KeyedSystem, ada: Person) -> None:
    public = ada.does("key", "new", "own.key")
    allow(keyed, ada, public, "--user", "ada", "--roles", "admin")
    add(keyed, ada, keyed.server.public)
    command = ["--context", "work", "--prepare", "--profiles", "5", "--locations", "2"]
    done = subprocess.run(
        [PROGRAMS / "muster-load", *command, "--requests", "50", "--outstanding", "4"],
        env=ada.environment(), text=True, capture_output=True, timeout=60, cwd=ada.home,
    )  # fmt: skip
    assert done.returncode in (0, 4), done


# Secrets.


def readable(pid: int) -> str:
    """All that is told of a process to whoever looks: its arguments, and its environment."""
    folder = Path(f"/proc/{pid}")
    ps = subprocess.run(["ps", "-ww", "-o", "args", "-p", str(pid)], capture_output=True, text=True)
    parts = [(folder / name).read_bytes() for name in ("cmdline", "environ")]
    return ps.stdout + b"".join(parts).decode(errors="replace")


def test_secret_keys_are_told_nowhere(keyed: KeyedSystem, ada: Person) -> None:
    public = ada.does("key", "new", "own.key")
    allow(keyed, ada, public, "--user", "ada", "--roles", "user")
    add(keyed, ada, keyed.server.public)
    secret = (ada.home / "own.key").read_text().strip()
    watching = subprocess.Popen(
        [PROGRAMS / "muster", "watch", "--counts", "--context", "work", "-o", "ndjson"],
        env=ada.environment(), stdout=subprocess.PIPE, cwd=ada.home,
    )  # fmt: skip
    try:
        assert watching.stdout is not None
        # It has used its key by then, and from then on Ctrl-C ends it also where whoever started
        # the tests has Ctrl-C ignored, which programs take over.
        assert watching.stdout.readline()
        told = readable(watching.pid)
    finally:
        watching.send_signal(signal.SIGINT)
        watching.communicate(timeout=10)
    secrets = [secret] + [pair.secret for pair in keyed.pairs.values()]
    for program in keyed.programs:
        if program.runs:
            told += readable(program.pid)
        told += program.log.read_text(errors="replace")
    told += (ada.home / ".config" / "muster" / "contexts" / "work").read_text()
    told += ada.does("context", "show", "work", "-o", "json")
    assert not [one for one in secrets if one in told]


@pytest.mark.parametrize("has_key", [False, True])
def test_who_has_a_secret_key_leaves_no_core(keyed: KeyedSystem, has_key: bool) -> None:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if pattern.startswith("|") or "/" in pattern:
        pytest.skip(f"cores go elsewhere here: {pattern}")
    folder = keyed.folder / unique("cores")
    folder.mkdir()
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    if limits[1] == 0:
        pytest.skip("no cores may be made here")
    key = ["--secret-key", str(keyed.pair("eve").file)] if has_key else []
    behind = [word for name in ("profiles", "locations", "check-ins")
              for word in (f"--{name}", "ipc:///nowhere/a,ipc:///nowhere/b")]  # fmt: skip
    process = subprocess.Popen(
        [PROGRAMS / "muster-gateway", "--rpc", f"ipc://{folder}/s", *behind, *key], cwd=folder,
        stderr=subprocess.DEVNULL, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limits[1], limits[1])),
    )  # fmt: skip
    eventually("it listens", (folder / "s").exists)
    process.send_signal(signal.SIGSEGV)
    process.wait(30)
    cores = list(folder.glob("core*"))
    # The one without a key shows that cores can be made here at all.
    assert bool(cores) == (not has_key)
