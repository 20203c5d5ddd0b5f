"""The load driver: what it writes is read by other people's tools, and what it says is true."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from client import Caller
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
from system import PROGRAMS, System, eventually

PERCENTILES = (50, 90, 99, 99.9, 99.99)
POPULATION = ("--profiles", "50", "--locations", "5")


class Load:
    """One run of muster-load."""

    def __init__(self, *arguments: str) -> None:
        command = [str(PROGRAMS / "muster-load"), *arguments]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def end(self) -> tuple[int, str, str]:
        """Its exit code and what it said."""
        output, errors = self.process.communicate(timeout=120)
        return self.process.returncode, output.decode(), errors.decode()


def run(*arguments: str) -> tuple[int, str, str]:
    return Load(*arguments).end()


# On a machine that others keep busy, a schedule may not be kept; that is then all that is wrong.
FINE = {0, 4}


def report(code: int, *arguments: str) -> Any:
    """The report of a run that has to end so."""
    ended, output, errors = run(*arguments, "-o", "json")
    expected = FINE if code == 0 else {code}
    assert ended in expected, f"ended with {ended}\n{output[-2000:]}\n{errors}"
    return json.loads(output)


def all_of(found: Any) -> Any:
    """The figures of all operations together."""
    return found["operations"][-1]


@pytest.fixture(scope="module")
def endpoint(system: System) -> Iterator[str]:
    """A gateway with people and places for the load, which are taken away again."""
    there = ("--endpoint", system.rpc("gateway"), *POPULATION)
    report(0, *there, "--prepare", "--requests", "1", "--outstanding", "1", "--mix", "status")
    yield system.rpc("gateway")
    report(0, *there, "--cleanup", "--requests", "1", "--outstanding", "1", "--mix", "status")


@pytest.fixture
def here(endpoint: str) -> tuple[str, ...]:
    return ("--endpoint", endpoint, *POPULATION)


def test_hdrhistogram_reads_the_log_and_gives_the_same_percentiles(
    here: tuple[str, ...], tmp_path: Path
) -> None:
    log = tmp_path / "run.hlog"
    load = ("--rate", "400", "--duration", "3s", "--mix", "check-in=1,status=3,who=1")
    found = report(0, *here, *load, "--histograms", str(log))
    sums: dict[str, HdrHistogram] = {}
    lines = 0
    reader = HistogramLogReader(str(log), HdrHistogram(1, 3_600_000_000, 3))
    while (histogram := reader.get_next_interval_histogram()) is not None:
        tag = histogram.get_tag()
        sums.setdefault(tag, HdrHistogram(1, 3_600_000_000, 3)).add(histogram)
        lines += 1
    assert lines >= 3 * 6
    assert set(sums) == {
        f"{operation}.{kind}"
        for operation in ("check-in", "status", "who")
        for kind in ("response", "service")
    }
    for row in found["operations"][:-1]:
        for kind in ("response", "service"):
            theirs, ours = sums[f"{row['operation']}.{kind}"], row[kind]
            once = HdrHistogram.decode(ours["hdr"])
            assert theirs.get_total_count() == once.get_total_count() == ours["count"] > 0
            for percentile in PERCENTILES:
                value = ours[f"p{percentile}_us"]
                assert theirs.get_value_at_percentile(percentile) == value
                assert once.get_value_at_percentile(percentile) == value
            assert once.get_mean_value() == pytest.approx(ours["mean_us"])
            assert once.get_max_value() == ours["max_us"]
    merged = HdrHistogram(1, 3_600_000_000, 3)
    for tag, histogram in sums.items():
        if tag.endswith(".response"):
            merged.add(histogram)
    assert merged.get_value_at_percentile(99) == all_of(found)["response"]["p99_us"]


def test_a_schedule_is_kept(here: tuple[str, ...]) -> None:
    found = report(0, *here, "--rate", "200", "--duration", "2s", "--mix", "status")
    load = found["load"]
    assert load["offered"] == load["sent"] == load["succeeded"] == 400
    assert load["dropped"] == load["failed"] == load["timed_out"] == 0
    assert load["rate_per_s"] == pytest.approx(200, rel=0.02)
    assert found["driver"]["lag"]["count"] == 400


def test_every_operation_works(here: tuple[str, ...]) -> None:
    names = ["check-in", "check-out", "status", "who", "counts", "board", "batch", "watch"]
    mix = ",".join(names)
    found = report(
        0, *here, "--outstanding", "8", "--requests", "800", "--mix", mix, "--batch-items", "3",
        "--clients", "3", "--connections", "2", "--keys", "zipf:0.99", "--ttl", "60s",
    )  # fmt: skip
    assert [row["operation"] for row in found["operations"]] == [*names, "all"]
    assert all(row["response"]["count"] > 50 and not row["failures"] for row in found["operations"])
    assert found["load"]["sent"] == 800


def test_writes_without_keys_are_done_too(here: tuple[str, ...]) -> None:
    found = report(
        0, *here, "--outstanding", "2", "--requests", "50", "--mix", "check-in", "--no-keys"
    )
    assert found["configuration"]["idempotency keys"] == "none"


def test_a_rule_that_does_not_hold_ends_with_3(here: tuple[str, ...]) -> None:
    load = ("--outstanding", "2", "--requests", "100", "--mix", "status")
    report(0, *here, *load, "--slo", "status.p99<5s", "--slo", "errors<=0")
    found = report(3, *here, *load, "--slo", "status.p50<1us", "--slo", "errors<=0")
    assert [rule["holds"] for rule in found["rules"]] == [False, True]


def test_what_makes_no_sense_ends_with_64_and_what_is_not_there_with_1(tmp_path: Path) -> None:
    for line in ("", "--rate 1 --mix nothing", "--nonsense", "--scenario nonsense --rate 1"):
        code, output, errors = run(*line.split())
        assert (code, output) == (64, ""), line
        assert errors.startswith("muster-load: "), line
    code, _, errors = run("--endpoint", f"ipc://{tmp_path}/nobody", "--rate", "1")
    assert code == 1
    assert "is the gateway running?" in errors


def test_people_who_are_not_there_are_asked_for(system: System) -> None:
    code, _, errors = run("--endpoint", system.rpc("gateway"), "--rate", "1", "--locations", "999")
    assert code == 1
    assert "--prepare" in errors


def test_an_interrupted_run_leaves_its_report_and_ends_with_2(here: tuple[str, ...]) -> None:
    load = Load(*here, "--rate", "100", "--duration", "60s", "--mix", "status", "-o", "json")
    threading.Event().wait(2)  # so long it is to have run
    load.process.send_signal(signal.SIGINT)
    code, output, _ = load.end()
    assert code == 2
    found = json.loads(output)
    assert found["verdict"]["name"] == "interrupted"
    assert 20 < found["load"]["succeeded"] < 1_000
    assert found["load"]["rate_per_s"] == pytest.approx(100, rel=0.1)


def test_a_driver_that_cannot_keep_its_schedule_has_no_verdict(here: tuple[str, ...]) -> None:
    load = Load(
        *here, "--rate", "200", "--duration", "3s", "--mix", "status", "--slo", "p50<1us",
        "-o", "json",
    )  # fmt: skip
    threading.Event().wait(1.5)
    load.process.send_signal(signal.SIGSTOP)
    threading.Event().wait(0.5)
    load.process.send_signal(signal.SIGCONT)
    code, output, _ = load.end()
    assert code == 4
    assert "no verdict" in json.loads(output)["verdict"]["text"]


def test_reports_are_written_in_every_format(here: tuple[str, ...], tmp_path: Path) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("txt", "json", "csv", "html")}
    options = [part for file in files.values() for part in ("--report", str(file))]
    code, output, _ = run(*here, "--outstanding", "2", "--duration", "1s", *options)
    assert code == 0
    assert files["txt"].read_text() == output
    assert output.startswith("Verdict: ok")
    assert json.loads(files["json"].read_text())["verdict"]["exit_code"] == 0
    assert files["csv"].read_text().startswith("operation,time,")
    page = files["html"].read_text()
    assert page.count("<svg ") == 3
    assert "http" not in page


def test_scenarios_are_listed_and_can_be_run(here: tuple[str, ...], tmp_path: Path) -> None:
    code, output, _ = run("scenarios")
    assert code == 0
    assert "evening" in output
    file = tmp_path / "own.load"
    file.write_text("# Mine\nmix who=1\nrate 50\nduration 1s\nslo who.p99<5s\n")
    found = report(0, *here, "--scenario", str(file))
    assert found["load"]["offered"] == 50
    assert found["operations"][0]["operation"] == "who"
    assert found["rules"][0]["holds"]


def test_a_server_that_stands_still_shows_seconds(new_system: Any) -> None:
    system = new_system()
    system.start()
    load = Load(
        "--endpoint", system.rpc("gateway"), *POPULATION, "--prepare", "--rate", "100",
        "--duration", "12s", "--timeout", "30s", "--mix", "status", "-o", "json",
    )  # fmt: skip
    threading.Event().wait(3)
    os.kill(system.gateway.pid, signal.SIGSTOP)
    threading.Event().wait(6)
    os.kill(system.gateway.pid, signal.SIGCONT)
    code, output, errors = load.end()
    assert code in FINE, errors
    found = json.loads(output)
    response = all_of(found)["response"]
    assert response["count"] == 1_200
    assert response["p99_us"] > 4_000_000
    assert response["p50_us"] > 10_000  # nearly half of it came while it stood still
    assert any(second["in_flight"] > 400 for second in found["seconds"])


def test_verification_holds_though_services_are_killed(tmp_path: Path) -> None:
    found = report(
        0, "--up", "--data", str(tmp_path), *POPULATION, "--prepare", "--verify", "--rate", "100",
        "--duration", "6s", "--timeout", "20s", "--mix", "check-in=5,check-out=1,status=3,who=1",
        "--kill", "check-ins@2s", "--kill", "gateway@4s",
    )  # fmt: skip
    checks = {check["check"]: check for check in found["verification"]}
    assert len(checks) == 5
    assert all(check["holds"] and check["looked_at"] for check in checks.values())
    remarks = " ".join(second["remark"] for second in found["seconds"])
    assert "check-ins killed" in remarks
    assert "gateway killed" in remarks


def test_verification_finds_what_somebody_else_did(here: tuple[str, ...], system: System) -> None:
    """Somebody moves the load's people behind its back, as a system that loses writes would."""
    load = Load(
        *here, "--rate", "50", "--duration", "3s", "--mix", "check-in", "--verify", "-o", "json"
    )
    caller: Caller = system.caller(user="meddler")
    people = [
        profile.id
        for page in caller.pages("ListProfiles", page_size=1000)
        for profile in page.profiles
        if profile.user_id.startswith("load-")
    ]
    assert people

    def meddle() -> bool:
        for person in people:
            caller.succeeded("CheckOut", profile_id=person)
        return load.process.poll() is not None

    eventually("the load has ended", meddle, 60)
    code, output, _ = load.end()
    assert code == 5
    lost = json.loads(output)["verification"][0]
    assert not lost["holds"]
    assert "was last acknowledged" in lost["first_fault"]


def test_watchers_see_what_the_load_does(here: tuple[str, ...]) -> None:
    found = report(
        0, *here, "--rate", "100", "--duration", "2s", "--mix", "check-in", "--watchers", "10",
        "--verify",
    )  # fmt: skip
    seen = found["operations"][-1]
    assert seen["operation"] == "seen by watchers"
    assert seen["response"]["count"] > 50
    assert "watchers show what lists show" in [check["check"] for check in found["verification"]]
