"""README "Who is calling", with keys: who is let in, as whom, and until when."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest
import zmq
from client import Caller, Connection, NoAnswer
from keyed import KeyedSystem
from messages import pb
from system import PROGRAMS, Program, eventually
from watching import Watcher
from wire_bytes import chunk
from world import World, unique


@pytest.fixture(scope="module")
def keyed() -> Iterator[KeyedSystem]:
    system = KeyedSystem()
    try:
        system.start()
        yield system
    finally:
        system.close()


def ends(caller: Caller, reason: str = "KEY_REVOKED") -> None:
    """That a caller's calls end to be answered with anything else."""
    eventually(f"{reason} for a call", lambda: caller.call("GetCounts").reason == reason)


def is_silent(caller: Caller, seconds: float = 0.7) -> None:
    """That nothing is answered: whoever calls was not let in."""
    call = caller.start("GetCounts")
    with pytest.raises(NoAnswer):
        caller.connection.finish(call, seconds)


def admitted(system: KeyedSystem, name: str, roles: str, more: str = "") -> Caller:
    """Somebody with a key that is allowed, and connected."""
    system.allow(system.line(name, roles, more))

    def connects() -> Caller | None:
        # Where a key is refused libzmq does not try again by itself.
        caller = system.by_key(name)
        try:
            caller.connection.finish(caller.start("GetCounts"), 1)
        except NoAnswer:
            return None
        return caller

    return eventually(f"{name} is let in", connects)


def test_A1_a_key_is_its_user_with_its_roles(keyed: KeyedSystem) -> None:
    ada = admitted(keyed, "ada", "user")
    assert ada.done("GetMe").user_id == "ada"
    ada.refused("NOT_ALLOWED", "CreateLocation", location={"name": "x"})
    profile = ada.done("CreateProfile", profile={"first_name": "Ada"}).profile
    assert profile.user_id == "ada" and ada.done("GetMe").profile.id == profile.id
    place = World(keyed.connection()).place()
    ada.succeeded("CheckIn", location_id=place)
    ada.succeeded("DeleteProfile")


def test_who_has_a_key_says_nothing_else(keyed: KeyedSystem) -> None:
    ada = admitted(keyed, "ada", "admin")
    for user in ("bob", "ada"):
        other = Caller(ada.connection, user)
        assert other.violations("GetMe") == ["header.acting_user"]
    assert ada.acting("display").violations("GetCounts") == ["header.acting_roles"]


def profile_of(size: int) -> bytes:
    """A body of CreateProfile that has so many bytes."""
    known = chunk(1, chunk(3, b"Ada"))
    body = known + chunk(1000, b"x" * (size - len(known) - len(chunk(1000, b"")) - 2))
    assert len(body) == size
    return body


def test_limits_a_body_of_one_mib_comes_by_keys_and_is_passed_on_by_keys(
    keyed: KeyedSystem
) -> None:
    # What CURVE puts around a frame is not the caller's.
    mib, told = 1024 * 1024, keyed.gateway.log.read_text()
    ada = admitted(keyed, "ada", "admin")
    for caller in (ada, keyed.caller("gateway", unique("user-"))):
        assert caller.done("CreateProfile", body=profile_of(mib)).profile.first_name == "Ada"
        with pytest.raises(NoAnswer):
            call = caller.start("UpdateProfile", body=profile_of(mib + 1))
            caller.connection.finish(call, 0.5)
    assert "connection lost" not in keyed.gateway.log.read_text()[len(told):]
    keyed.by_key("ada").succeeded("DeleteProfile")


def test_a_key_is_an_idempotent_writer(keyed: KeyedSystem) -> None:
    ada = admitted(keyed, "ada", "admin")
    key = os.urandom(16)
    write = {"location": {"name": unique("place")}, "header": {"idempotency_key": key}}
    first = ada.succeeded("CreateLocation", **write)
    again = ada.succeeded("CreateLocation", **write)
    assert again.replayed and again.body == first.body


def test_an_unknown_key_and_none_are_let_in_nowhere(keyed: KeyedSystem) -> None:
    ada = admitted(keyed, "ada", "user")
    is_silent(keyed.by_key("eve"))
    for name in ("gateway", "profiles", "locations", "check-ins"):
        is_silent(keyed.by_key("eve", to=name), 0.3)
        with Connection(keyed.tcp(name)) as plain:
            is_silent(Caller(plain), 0.3)
    ada.succeeded("GetMe")


def test_a_client_s_key_opens_no_service(keyed: KeyedSystem) -> None:
    """Nor is another process of Muster a client of the gateway."""
    ada = admitted(keyed, "ada", "admin")
    keyed.allow(keyed.line("ada", "admin"), keyed.line("check-ins", "peer"))
    peers = [keyed.line(name, "peer") for name in ("gateway", "check-ins")]
    admit(keyed, *peers, keyed.line("ada", "admin"))
    for name in ("profiles", "locations", "check-ins"):
        is_silent(keyed.by_key("ada", to=name), 0.3)
        peer = keyed.by_key("gateway", to=name)
        assert Caller(peer.connection, "x").done("GetInfo").service == name
    is_silent(keyed.by_key("check-ins"), 0.3)
    ada.succeeded("GetMe")


def admit(system: KeyedSystem, *peers: str) -> None:
    """Lets these in where services listen."""
    system.write(system.peers, *peers)
    system.reread(system.profiles, system.locations, system.check_ins)


def listener(system: KeyedSystem, name: str) -> zmq.Socket[bytes]:
    """Somebody who follows the feed of profiles, which speaks once a second."""
    socket = zmq.Context.instance().socket(zmq.SUB)
    keys = system.keys(name, "profiles")
    socket.curve_publickey = keys.public.encode()
    socket.curve_secretkey = keys.secret.encode()
    socket.curve_serverkey = keys.server.encode()
    socket.subscribe(b"changes")
    socket.connect(system.feed("profiles"))
    return socket


def test_a_feed_is_for_peers(keyed: KeyedSystem) -> None:
    with listener(keyed, "gateway") as known, listener(keyed, "eve") as unknown:
        assert known.poll(3_000) and not unknown.poll(1_500)


def test_a_peer_that_is_taken_away_hears_no_more(keyed: KeyedSystem) -> None:
    """And those who stay hear on."""
    peers = [keyed.line(name, "peer") for name in ("gateway", "check-ins")]
    admit(keyed, *peers, keyed.line("guest", "peer"))
    with listener(keyed, "guest") as guest, listener(keyed, "gateway") as stays:
        assert guest.poll(3_000) and stays.poll(3_000)
        keyed.write(keyed.peers, *peers)

        def is_silent_now() -> bool:
            while guest.poll(0):
                guest.recv_multipart()
            return not guest.poll(2_500)

        eventually("it hears nothing", is_silent_now)
        while stays.poll(0):
            stays.recv_multipart()
        assert stays.poll(5_000)
    keyed.wait_until_serving()


def test_a_key_taken_away_ends_at_its_next_call(keyed: KeyedSystem) -> None:
    ada = admitted(keyed, "ada", "user")
    keyed.allow(keyed.line("ada", "user"), keyed.line("bob", "user"))
    bob = eventually("bob is let in", lambda: let_in(keyed, "bob"))
    in_flight = [ada.start("GetCounts") for _ in range(20)]
    keyed.write(keyed.clients, keyed.line("bob", "user"))
    for call in in_flight:
        assert ada.connection.finish(call).reason in ("", "KEY_REVOKED")
    ends(ada)
    for method in ("GetMe", "GetCounts", "CheckHealth", "ListPeopleEverywhere"):
        ada.refused("KEY_REVOKED", method)
    is_silent(keyed.by_key("ada"))
    bob.succeeded("GetMe")
    keyed.allow(keyed.line("ada", "user"))
    ends(bob)
    eventually("the same connection again", lambda: ada.call("GetMe").code == pb.CODE_OK)


def let_in(system: KeyedSystem, name: str) -> Caller | None:
    """Somebody who has been let in; None: not yet."""
    caller = system.by_key(name)
    try:
        caller.connection.finish(caller.start("GetCounts"), 1)
    except NoAnswer:
        return None
    return caller


def test_a_watch_ends_with_its_key(keyed: KeyedSystem) -> None:
    world = World(keyed.connection())
    place = world.place()
    ada = admitted(keyed, "ada", "user")
    keyed.allow(keyed.line("ada", "user"), keyed.line("bob", "user"))
    bob = eventually("bob is let in", lambda: let_in(keyed, "bob"))
    watches = [Watcher(caller, location_id=place).begin() for caller in (ada, bob)]
    person = world.person()
    person.check_in(place)
    for watch in watches:
        watch.until(lambda watch=watch: len(watch.people) == 1)
    keyed.allow(keyed.line("bob", "user"))
    assert watches[0].end() == "KEY_REVOKED"
    world.person().check_in(place)
    watches[1].until(lambda: len(watches[1].people) == 2)
    keyed.allow(keyed.line("bob", "display"))
    assert watches[1].end() == "KEY_REVOKED", "its roles are others"
    bob.refused("NOT_ALLOWED", "Watch", location_id=place)


def test_a_key_is_over_after_its_last_day(keyed: KeyedSystem) -> None:
    today = time.strftime("%Y-%m-%d", time.gmtime())
    ada = admitted(keyed, "ada", "user", f"{today} # until tonight")
    ada.succeeded("GetMe")
    keyed.allow(keyed.line("ada", "user", "2024-02-29"))
    ends(ada)
    is_silent(keyed.by_key("ada"))


def test_a_list_that_is_wrong_is_not_taken(keyed: KeyedSystem) -> None:
    ada = admitted(keyed, "ada", "user")
    keyed.allow(keyed.line("bob", "user"), "", f"{keyed.pair('eve').public} eve owner")
    eventually("the log says why", lambda: f"{keyed.clients}:4: has a role" in keyed.gateway.tail())
    ada.succeeded("GetMe")
    is_silent(keyed.by_key("bob"))
    keyed.clients.unlink()
    eventually("the log says why", lambda: "No such file" in keyed.gateway.tail())
    ada.succeeded("GetMe")
    keyed.allow(keyed.line("bob", "user"))
    ends(ada)


def test_a_list_is_read_again_on_SIGHUP(keyed: KeyedSystem) -> None:
    admitted(keyed, "ada", "user")

    def times_read() -> int:
        return keyed.gateway.log.read_text().count("allowed keys read")

    before = eventually("it is read", times_read)
    os.kill(keyed.gateway.pid, signal.SIGHUP)
    eventually("it is read again, though it has not changed", lambda: times_read() > before)
    admitted(keyed, "ada", "user").succeeded("GetMe")


def test_who_comes_by_ipc_is_believed_as_before(keyed: KeyedSystem) -> None:
    keyed.allow()
    assert keyed.caller(user="ada", roles=("user",)).done("GetMe").user_id == "ada"


def test_a_service_that_does_not_know_the_gateway_is_told_of(keyed: KeyedSystem) -> None:
    """And both go on when it does."""
    keyed.write(keyed.peers, keyed.line("check-ins", "peer"))
    caller = keyed.caller(user="x")
    eventually(
        "its calls are refused, and that is not its caller's fault",
        lambda: caller.call("ListProfiles").reason == "SERVICE_UNREACHABLE",
    )
    keyed.gateway.kill()
    keyed.gateway.start()
    eventually("the log says why", lambda: "this process's key is refused" in keyed.gateway.tail())
    keyed.write(keyed.peers, *(keyed.line(name, "peer") for name in ("gateway", "check-ins")))
    keyed.wait_until_serving()


def test_who_comes_by_ipc_while_it_starts_disturbs_nothing(keyed: KeyedSystem) -> None:
    """A process tries its keys out when it starts, and takes that for nobody's call."""
    for _ in range(5):
        keyed.gateway.kill()
        caller = keyed.caller(user="x")
        calls = [caller.start("CheckHealth") for _ in range(20)]
        keyed.gateway.start()
        for call in calls:
            assert caller.connection.finish(call).code == pb.CODE_OK
        keyed.wait_until_serving()


PLAIN = "would be open to anybody"
TCP = "tcp://127.0.0.1:1"
LIST = ["--allowed-keys", "/dev/null"]
NEW = ["--secret-key", "{own}", *LIST]
OLD = ["--old-secret-key", "{old}", *NEW]
OTHER = "tcp://127.0.0.1:2"
CONFIGURATIONS = [
    ("TCP without keys", ["--rpc", "tcp://127.0.0.1:1"], PLAIN),
    ("a trusting gateway beyond loopback", ["--rpc", "tcp://0.0.0.0:1", "--trust-clients"], PLAIN),
    ("a key, no list", ["--rpc", "tcp://127.0.0.1:1", "--secret-key", "{own}"], "open to nobody"),
    ("a secret key for all to read", ["--secret-key", "{open}"], "others can read"),
    ("a list that is wrong", ["--allowed-keys", "{bad}"], "{bad}:2: does not begin with a public"),
    ("a list that is not there", ["--allowed-keys", "{none}"], "No such file"),
    ("a backend without a key", ["--profiles", "tcp://127.0.0.1:1,tcp://127.0.0.1:2"], "be any"),
]  # fmt: skip

# Whoever checks settings is told of these too, with the same words.
TOGETHER = [
    ("an old key, no new one", ["--old-rpc", TCP, "--old-secret-key", "{own}"],
     "old-secret-key and old-rpc are given without secret-key"),
    ("an old address, no key", ["--old-rpc", TCP, "--secret-key", "{own}", *LIST],
     "old-rpc is given without old-secret-key"),
    ("an old key, no address", OLD, "old-secret-key is given without old-rpc"),
    ("an old key by ipc", ["--old-rpc", "ipc:///nowhere/o", *OLD],
     "old-rpc ipc:///nowhere/o asks for no key"),
    ("an old key, no list", ["--old-rpc", TCP, *OLD[:4]], f"{TCP} would be open to nobody"),
    ("one file of two keys", ["--old-rpc", TCP, *NEW, "--old-secret-key", "{own}"], "the same key"),
    ("one key in two files", ["--old-rpc", TCP, *NEW, "--old-secret-key", "{copy}"],
     "secret-key and old-secret-key are the same key"),
    ("one address", ["--old-rpc", TCP, *OLD, "--rpc", f"{OTHER},{TCP}"],
     f"old-rpc {TCP} and rpc {TCP} are one address"),
    ("one port", ["--old-rpc", TCP, *OLD, "--rpc", "tcp://0.0.0.0:1"],
     f"old-rpc {TCP} and rpc tcp://0.0.0.0:1 are one address"),
    ("TCP without keys", ["--rpc", TCP], PLAIN),
]  # fmt: skip


def completed(keyed: KeyedSystem, options: list[str]) -> tuple[list[str], dict[str, str]]:
    """The arguments of a gateway that has these options, and what stands for the files' names."""
    paths = {name: keyed.folder / name for name in ("open", "bad", "none")}
    paths["open"].write_text(keyed.pair("ada").secret)
    paths["open"].chmod(0o644)
    paths["bad"].write_text("# a list\nnot a key\n")
    paths["own"], paths["old"] = keyed.pair("ada").file, keyed.pair("bob").file
    paths["copy"] = keyed.folder / "copy"
    paths["copy"].touch(mode=0o600)
    paths["copy"].write_text(keyed.pair("ada").secret)
    names = {name: str(path) for name, path in paths.items()}
    options = [option.format(**names) for option in options]
    for name in ("profiles", "locations", "check-ins"):
        if f"--{name}" not in options:
            options += [f"--{name}", "ipc:///nowhere/a,ipc:///nowhere/b"]
    if "--rpc" not in options:
        options += ["--rpc", f"ipc://{keyed.folder}/{unique()}"]
    return options, names


def fails_to_start(keyed: KeyedSystem, options: list[str]) -> str:
    program = Program("muster-gateway", options, keyed.folder, unique("wrong"))
    program.start()
    assert program.wait() == 78
    return program.tail()


@pytest.mark.parametrize(
    ("options", "problem"), [c[1:] for c in CONFIGURATIONS], ids=[c[0] for c in CONFIGURATIONS]
)
def test_what_would_not_be_safe_does_not_start(
    keyed: KeyedSystem, options: list[str], problem: str
) -> None:
    options, names = completed(keyed, options)
    assert problem.format(**names) in fails_to_start(keyed, options)


@pytest.mark.parametrize(
    ("options", "problem"), [c[1:] for c in TOGETHER], ids=[c[0] for c in TOGETHER]
)
def test_settings_that_make_no_sense_together_are_told_at_a_check_and_at_the_start(
    keyed: KeyedSystem, options: list[str], problem: str
) -> None:
    options, _ = completed(keyed, options)
    assert problem in fails_to_start(keyed, options)
    checked = subprocess.run(
        [PROGRAMS / "muster-gateway", *options, "--check-config"],
        capture_output=True, text=True, timeout=10,
    )  # fmt: skip
    assert checked.returncode == 78 and checked.stdout == ""
    assert problem in checked.stderr and checked.stderr in fails_to_start(keyed, options) + "\n"


def test_settings_can_be_checked_by_whoever_may_not_read_the_keys(keyed: KeyedSystem) -> None:
    """systemd has them where they are at the start alone."""
    keys = ["--secret-key", "muster-gateway.key", "--old-secret-key", "muster-gateway-old.key"]
    rpc = ["--rpc", OTHER, "--old-rpc", TCP, "--allowed-keys", "/etc/muster/allowed-keys"]
    options, _ = completed(keyed, [*rpc, *keys])
    command = [PROGRAMS / "muster-gateway", *options, "--check-config"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, timeout=10)
    assert "muster-gateway-old.key" in shown.stdout
