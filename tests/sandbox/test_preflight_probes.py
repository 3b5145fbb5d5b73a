"""Each kind of isolation is tried with every forbidden act, and each act has its positive control."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from fakes.walls import rebuilt

from analysis.errors import TargetError
from analysis.facts import Limits
from sandbox.cgroups import find_cgroups
from sandbox.host_capabilities import Means, is_exempt
from sandbox.jail import KINDS, check_jail
from sandbox.jail_protocol import NO_JAIL, no_jail
from sandbox.jails.bwrap import bwrap
from sandbox.preflight import preflight, quick_probes, run_probes
from sandbox.probe_catalog import ALL, HEAVY, PROBES, QUICK, all_but

NEVER_OPEN = {
    "write-outside", "private-file", "change-mode", "home", "tcp", "socket-file", "abstract-socket", "own-environment",
    "engine-environment", "engine-memory", "signal", "kernel-settings", "namespace", "daemon", "memory", "file",
    "plant",
}  # fmt: skip


@pytest.fixture(
    scope="module",
    params=[pytest.param(kind, id=kind.name) for kind in KINDS],
)
def jail(request):
    """Each kind, where it holds on this machine. A container takes its time to start."""
    found = check_jail(request.param)
    if isinstance(found, str):
        pytest.skip(f"{request.param.title}: {found}")
    return found


def unstopped(results, names):
    hardened = {probe.name for probe in PROBES if probe.hardened}
    return [r for r in results if r.name in names and not (r.stopped and (r.control or r.name in hardened))]


def test_the_catalog_has_every_act_once():
    assert len(set(ALL)) == len(PROBES) == len(QUICK) + len(HEAVY)
    assert all_but("tcp", "plant") == tuple(name for name in ALL if name not in ("tcp", "plant"))


def test_a_kind_with_walls_promises_at_least_these(jail):
    assert set(jail.stops) >= NEVER_OPEN - ({"change-mode", "daemon"} if jail.kind == "landlock-only" else set())
    assert set(jail.stops) <= set(ALL)
    assert jail.opens
    assert jail.detail


def test_the_quick_acts_are_stopped(jail):
    results = quick_probes(jail)
    assert not isinstance(results, str)
    assert unstopped(results, jail.stops) == []


def test_all_acts_are_stopped(jail):
    assert unstopped(run_probes(jail), jail.stops) == []


def test_with_fewer_means_the_rest_is_stopped(jail):
    weaker = rebuilt(jail, Means(b"", "this user may not write it", is_exempt()))
    if weaker is None:
        pytest.skip("the means are its own")
    assert preflight(weaker) == ""
    results = quick_probes(weaker)
    assert {r.name for r in results if r.control and not r.stopped} <= {"trace"}


def test_without_walls_the_same_acts_succeed():
    results = quick_probes(NO_JAIL)
    assert not isinstance(results, str)
    hardened = {probe.name for probe in QUICK if probe.hardened}
    assert {r.name for r in results if r.stopped} - hardened == {"own-environment"}
    assert all(r.control for r in results if r.name not in hardened)


def test_a_group_of_processes_holds_without_walls():
    cgroups = find_cgroups()
    if isinstance(cgroups, str):
        pytest.skip(cgroups)
    held = no_jail(cgroups=cgroups)
    names = {"daemon", "processes", "memory-of-many"}
    assert names <= set(held.stops)
    assert unstopped(run_probes(held, names), names) == []


def test_what_is_missing_is_not_promised():
    bare = bwrap("/usr/bin/bwrap", Means(b"", "this user may not write it", exempt=True))
    assert set(ALL) - set(bare.stops) == {"trace", "memory-of-many", "processes"}
    assert {"memory over many processes", "the number of processes, since the engine runs as root"} <= set(bare.opens)
    assert "this user may not write it" in bare.detail
    user = bwrap("/usr/bin/bwrap", Means(b"x", "this user may not write it"))
    assert set(ALL) - set(user.stops) == {"memory-of-many"}
    assert "memory over many processes" in user.opens


def test_a_kind_that_promises_too_much_is_refused():
    class Open:
        kind, detail, own_processes, opens, stops, image = "open", "", False, (), ALL, None

        def wrap(self, command, **_):
            return command

    doubt = preflight(Open())
    for act in ("write outside", "read a private file", "send the engine a signal", "leave a process behind"):
        assert act in doubt


def test_probes_that_cannot_start_are_an_error():
    with pytest.raises(TargetError, match="does not start"):
        run_probes(bwrap("/no/such/bwrap", Means()))


def test_a_jail_in_which_nothing_can_be_written_is_refused(jail):
    class Closed:
        kind, detail, own_processes, opens, stops, image = "closed", "", True, (), (), None

        def wrap(self, command, *, writable, readable, descriptors, limits: Limits):
            shown = (*readable, writable)
            return jail.wrap(
                command,
                writable="/var/tmp",
                readable=shown,
                descriptors=descriptors,
                limits=replace(limits, disk_bytes=0),
            )

    assert preflight(Closed()) == "nothing can be written in it"


HOLDS = """
import sys
from sandbox.preflight import _engine
with _engine("token") as engine:
    print(engine.pid, flush=True)
    sys.stdin.read()
"""


def test_what_stands_for_the_engine_ends_with_us_and_holds_nothing_of_ours() -> None:
    """Ended by a kill we end nothing ourselves; a run that was killed amid its probes left a process for a minute."""
    with subprocess.Popen([sys.executable, "-c", HOLDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as ours:
        assert ours.stdout is not None, "opened with a pipe"
        number = int(ours.stdout.readline())
        os.kill(number, 0)
        ours.kill()
        assert ours.stdout.read() == b""
    until = time.monotonic() + 10
    while os.path.exists(f"/proc/{number}") and time.monotonic() < until:
        time.sleep(0.02)
    assert not os.path.exists(f"/proc/{number}")
