"""Whether a jail holds, found out by trying: each forbidden act is first done outside, where it has to succeed.

Acts are tried in a place to run in, and round it lies what a jail has to hide. The quick ones are tried before each
run; those that take resources are for tests, ``repair doctor --probes`` and benchmarks.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Limits, Outcome, TestRun
from sandbox.jail_protocol import Jail, confine
from sandbox.probe_catalog import ALL, HEAVY, QUICK, Probe, ProbeResult
from sandbox.process import Command, channel, run
from sandbox.sandbox import LocalSandbox
from sandbox.scratch import passing_folder
from sandbox.target import open_target

OWN = "own"
"""The act that is allowed: writing in one's own place."""

RAN_OUT = "its memory ran out"

_ACTS_FILE = Path(__file__).with_name("escape_attempts.py")
_LINGER = 5.0


@dataclass(frozen=True, slots=True)
class EscapeStage:
    """One scene. ``token`` is the secret that acts look for."""

    place: str
    outside: str
    token: str
    port: int


@contextlib.contextmanager
def open_stage() -> Iterator[EscapeStage]:
    """A fresh scene, gone afterwards."""
    token = f"repair-{secrets.token_hex(8)}"
    with (
        passing_folder() as folder,
        socket.socket(socket.AF_INET) as port,
        socket.socket(socket.AF_UNIX) as path,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        place, outside = os.path.join(folder, "place"), os.path.join(folder, "outside")
        os.mkdir(place)
        os.mkdir(outside)
        Path(outside, "canary").write_text(token)
        port.bind(("127.0.0.1", 0))
        path.bind(os.path.join(outside, "s"))
        port.listen()
        path.listen()
        with contextlib.suppress(OSError):  # not every machine has abstract sockets
            abstract.bind("\0" + token)
            abstract.listen()
        yield EscapeStage(place, outside, token, port.getsockname()[1])


def try_acts(
    jail: Jail | None, around: EscapeStage, acts: Sequence[str], limits: Limits, **amounts: int
) -> dict[str, bool] | str:
    """Which acts succeed in the jail, or why nothing came back. With ``None`` for it, and then without limits, it is
    their positive control."""
    control = jail is None
    env = [("LANG", "C.UTF-8"), *([("CANARY", around.token)] if control else [])]
    with channel() as ends, _engine(around.token) as engine:
        words = {**_words(around, engine, control), "acts": list(acts), "report": ends.report_write, **amounts}
        python = jail.image.python if jail is not None and jail.image else sys.executable
        argv = (python, "-I", "-S", "-B", "-c", _ACTS_FILE.read_text("utf-8"), json.dumps(words))
        command = Command(argv, around.place, tuple(env))
        if jail is not None:
            readable = () if jail.image else _readable_folders()
            command = confine(command, jail, limits, ends, writable=around.place, readable=readable)
        try:
            finished = run(command, limits, ends)
        except (OSError, TargetError) as problem:
            return str(problem)
        came = _parse_output(finished.output, acts)
        if isinstance(came, str):
            return RAN_OUT if finished.ran_out else came
        if came.get("signal"):
            came["signal"] = _has_arrived(engine)
        if came.get("daemon"):
            came["daemon"] = _lives(ends.report_read, finished.report, control)
    return came


def _words(around: EscapeStage, engine: subprocess.Popen[bytes], control: bool) -> dict[str, object]:
    home = os.path.expanduser("~")
    inside = any(folder == home for folder in _readable_folders()) or home == "/" or not os.path.isdir(home)
    return {
        **asdict(around),
        "home": home,
        "home_inode": 0 if inside else os.stat(home).st_ino,
        "engine": engine.pid,
        "control": control,
    }


def _readable_folders() -> tuple[str, ...]:
    return (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix), os.path.dirname(os.__file__))


@contextlib.contextmanager
def _engine(token: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the engine: of the same user, with a secret in its environment.

    It waits for its input to end, which it does with us, however we end. It holds none of our outputs open.
    """
    argv, null = ("/bin/sh", "-c", "exec cat"), subprocess.DEVNULL
    env = {"PATH": os.defpath, "CANARY": token}
    with subprocess.Popen(
        argv, env=env, stdin=subprocess.PIPE, stdout=null, stderr=null, start_new_session=True
    ) as engine:
        try:
            yield engine
        finally:
            engine.kill()


def _has_arrived(engine: subprocess.Popen[bytes]) -> bool:
    """Whether it dies of the signal that was sent."""
    try:
        return engine.wait(_LINGER) == -signal.SIGUSR1
    except subprocess.TimeoutExpired:
        return False


def _lives(report: int, said: bytes, control: bool) -> bool:
    """Whether a process still holds the report open. Our own control is ended; any other ends by itself soon."""
    waiting = select.poll()
    waiting.register(report, 0)
    lives = not waiting.poll(0 if control else _LINGER * 1000)
    if control and lives and said.strip().isdigit():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(said), signal.SIGKILL)
    return lives


def _parse_output(output: bytes, acts: Sequence[str]) -> dict[str, bool] | str:
    last = output.decode("utf-8", "replace").strip().rpartition("\n")[2]
    with contextlib.suppress(ValueError):
        said = json.loads(last)
        if isinstance(said, dict) and set(said) == set(acts):
            return {name: bool(came) for name, came in said.items()}
    return last[:200]


_LIMITS = Limits(wall_seconds=20.0)
_ACTS = (OWN, *(probe.name for probe in QUICK))


def preflight(jail: Jail) -> str:
    """Empty when the jail holds, else what does not."""
    results = quick_probes(jail)
    if isinstance(results, str):
        return results
    idle = [probe.tries for probe, result in zip(QUICK, results, strict=True) if not (result.control or probe.hardened)]
    if idle:
        return f"its probes do not work here even outside of it: {', '.join(idle)}"
    wrong = [result.tries for result in results if not result.stopped and result.name in jail.stops]
    return f"it gets this wrong: {', '.join(wrong)}" if wrong else ""


def quick_probes(jail: Jail) -> tuple[ProbeResult, ...] | str:
    """The quick probes, all of them whatever the jail has to stop; or why they could not be tried."""
    with open_stage() as around:
        inside = try_acts(jail, around, _ACTS, _LIMITS)
        outside = try_acts(None, around, _ACTS, _LIMITS)
    if isinstance(inside, str):
        return f"it does not start: {inside}" if inside else "it does not start"
    if isinstance(outside, str) or not outside[OWN]:
        return "its probes do not work here even outside of it"
    if not inside[OWN]:
        return "nothing can be written in it"
    return tuple(ProbeResult(p.name, p.tries, outside[p.name], not inside[p.name]) for p in QUICK)


_MB = 1 << 20
_PROBE_LIMITS = Limits(wall_seconds=30.0, disk_bytes=16 * _MB)

_PLANTED = (".git/hooks/pre-commit", "conftest.py", "sitecustomize.py", "planted.pth")
_PLANTING = f"""
import os

def test_plant():
    for name in {_PLANTED!r}:
        assert not os.path.lexists(name), "planted by an earlier run"
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w") as file:
            file.write("raise SystemExit(3)")
        assert os.path.exists(name)
"""

# For each: limits, an amount within them, which has to work inside, and one beyond, which has to work outside only.
_BEYOND: Mapping[str, tuple[Limits, Mapping[str, int], Mapping[str, int]]] = {
    "processes": (replace(_PROBE_LIMITS, processes=24), {"count": 8}, {"count": 48}),
    "memory": (replace(_PROBE_LIMITS, memory_bytes=192 * _MB), {"bytes": 32 * _MB}, {"bytes": 256 * _MB}),
    "memory-of-many": (
        replace(_PROBE_LIMITS, tree_bytes=192 * _MB),
        {"count": 2, "bytes": 40 * _MB},
        {"count": 8, "bytes": 40 * _MB},
    ),
    "disk": (_PROBE_LIMITS, {"bytes": 2 * _MB}, {"bytes": 32 * _MB}),
    "file": (replace(_PROBE_LIMITS, file_bytes=_MB), {"bytes": _MB // 2}, {"bytes": 2 * _MB}),
}


def run_probes(jail: Jail, names: Collection[str] = ALL) -> tuple[ProbeResult, ...]:
    """These probes with their positive controls, in the order of the catalog. Raises ``TargetError`` where none can
    run."""
    quick = quick_probes(jail)
    if isinstance(quick, str):
        raise TargetError(f"The probes cannot be tried; {jail.kind}: {quick}", remedy="Choose another --isolation.")
    heavy = (_heavy(jail, probe) for probe in HEAVY if probe.name in names)
    return (*(result for result in quick if result.name in names), *heavy)


def _heavy(jail: Jail, probe: Probe) -> ProbeResult:
    if probe.name == "plant":
        return ProbeResult(probe.name, probe.tries, _stays_outside(), _plants_nothing(jail))
    limits, little, much = _BEYOND[probe.name]
    with open_stage() as around:
        outside = try_acts(None, around, [probe.name], replace(_PROBE_LIMITS, disk_bytes=0), **much)
        within = try_acts(jail, around, [probe.name], limits, **little)
        beyond = try_acts(jail, around, [probe.name], limits, **much)
    control = outside == within == {probe.name: True}
    return ProbeResult(probe.name, probe.tries, control, stopped=beyond in (RAN_OUT, {probe.name: False}))


def _stays_outside() -> bool:
    """The control: what is planted in a folder without a copy is there for the next one."""
    with passing_folder() as folder:
        for name in _PLANTED:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("raise SystemExit(3)")
        return all(os.path.exists(os.path.join(folder, name)) for name in _PLANTED)


def _plants_nothing(jail: Jail) -> bool:
    """Whether two runs that plant both find nothing, and the project is as before."""
    with passing_folder() as folder:
        root = os.path.join(folder, "project")
        os.mkdir(root)
        Path(root, "test_plant.py").write_text(_PLANTING)
        with LocalSandbox(open_target(root, python=sys.executable, environ={}, jail=jail), jail=jail) as sandbox:
            runs = [sandbox.run([]), sandbox.run([])]
        passed = all(isinstance(run, TestRun) and [r.outcome for r in run.results] == [Outcome.PASSED] for run in runs)
        return passed and os.listdir(root) == ["test_plant.py"]
