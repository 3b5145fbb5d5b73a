"""Where forbidden acts are tried: a place to run in, and round it what a jail has to hide."""

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
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import Limits
from sandbox.jail_protocol import Jail
from sandbox.limits import limit_command
from sandbox.process import Command, channel, run

OWN = "own"
"""The act that is allowed: writing in one's own place."""

RAN_OUT = "its memory ran out"

_ACTS = Path(__file__).with_name("escape_attempts.py")
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
        tempfile.TemporaryDirectory(prefix="repair-") as folder,
        socket.socket(socket.AF_INET) as port,
        socket.socket(socket.AF_UNIX) as path,
        _abstract(token),
    ):
        place, outside = os.path.join(folder, "place"), os.path.join(folder, "outside")
        os.mkdir(place)
        os.mkdir(outside)
        Path(outside, "canary").write_text(token)
        port.bind(("127.0.0.1", 0))
        path.bind(os.path.join(outside, "s"))
        port.listen()
        path.listen()
        yield EscapeStage(place, outside, token, port.getsockname()[1])


def try_acts(
    jail: Jail | None,
    around: EscapeStage,
    acts: Sequence[str],
    limits: Limits,
    more: Mapping[str, object] | None = None,
) -> dict[str, bool] | str:
    """Which acts succeed in the jail, or why nothing came back. With ``None`` for it, and then without limits, it is
    their positive control."""
    control = jail is None
    env = [("LANG", "C.UTF-8"), *([("CANARY", around.token)] if control else [])]
    with channel() as ends, _engine(around.token) as engine:
        words = _words(around, engine, control) | {"acts": list(acts), "report": ends.report_write} | dict(more or {})
        python = jail.image.python if jail is not None and jail.image else sys.executable
        argv: tuple[str, ...] = (python, "-I", "-S", "-B", "-c", _ACTS.read_text("utf-8"), json.dumps(words))
        command = Command(argv, around.place, tuple(env))
        if jail is not None:
            command = replace(command, argv=limit_command(argv, limits, own_processes=jail.own_processes))
            shown = (ends.report_write, ends.control_read)
            readable = () if jail.image else _readable_folders()
            command = jail.wrap(command, writable=around.place, readable=readable, descriptors=shown, limits=limits)
        try:
            finished = run(command, limits, ends)
        except (OSError, TargetError) as problem:
            return str(problem)
        came = _parse_output(finished.output, acts)
        if isinstance(came, str):
            return RAN_OUT if finished.ran_out else came
        if "signal" in came:
            came["signal"] = came["signal"] and _has_arrived(engine)
        if "daemon" in came:
            came["daemon"] = came["daemon"] and _lives(ends.report_read, finished.report, control)
    return came


def _words(around: EscapeStage, engine: subprocess.Popen[bytes], control: bool) -> dict[str, object]:
    home = os.path.expanduser("~")
    inside = any(folder == home for folder in _readable_folders()) or home == "/" or not os.path.isdir(home)
    return {
        "place": around.place,
        "outside": around.outside,
        "token": around.token,
        "port": around.port,
        "home": home,
        "home_inode": 0 if inside else os.stat(home).st_ino,
        "engine": engine.pid,
        "control": control,
    }


def _readable_folders() -> tuple[str, ...]:
    return (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix), os.path.dirname(os.__file__))


@contextlib.contextmanager
def _engine(token: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the engine: of the same user, with a secret in its environment."""
    argv = ("/bin/sh", "-c", "exec sleep 60")
    env = {"PATH": os.defpath, "CANARY": token}
    with subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL, start_new_session=True) as engine:
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
    text = output.decode("utf-8", "replace").strip()
    last = text.rpartition("\n")[2]
    try:
        said = json.loads(last)
    except ValueError:
        said = None
    if isinstance(said, dict) and set(said) == set(acts):
        return {name: bool(came) for name, came in said.items()}
    return last[:200]


@contextlib.contextmanager
def _abstract(name: str) -> Iterator[None]:
    """Someone listens on an abstract socket, where the machine has such."""
    with socket.socket(socket.AF_UNIX) as server:
        with contextlib.suppress(OSError):
            server.bind("\0" + name)
            server.listen()
        yield
