"""Whether a jail holds, found out by trying: each forbidden act is first done outside, where it has to succeed."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from analysis.facts import Limits
from sandbox.process import Command, channel, run
from sandbox.walls import NO_JAIL, Jail

# Run by our own interpreter, inside and outside. Prints which of the acts succeed.
_ACTS = """
import json, os, socket, sys
place, outside, canary, port, sock, pid = sys.argv[1:]
def works(act):
    try:
        act()
    except OSError:
        return False
    return True
def connect(family, address):
    with socket.socket(family) as s:
        s.settimeout(2)
        s.connect(address)
print(json.dumps({
    "write in its place": works(lambda: open(place + "/own", "w").close()),
    "write outside": works(lambda: open(outside + "/written", "w").close()),
    "read a private file": works(lambda: open(canary).close()),
    "connect to a local port": works(lambda: connect(socket.AF_INET, ("127.0.0.1", int(port)))),
    "connect to a socket file": works(lambda: connect(socket.AF_UNIX, sock)),
    "reach the engine's process": works(lambda: os.kill(int(pid), 0)),
}))
"""
_ALLOWED = "write in its place"


def preflight(jail: Jail) -> str:
    """Empty when the jail holds, else what does not."""
    with _scene() as (place, words):
        outside = _try(NO_JAIL, place, words)
        inside = _try(jail, place, words)
    if outside is None or not all(outside.values()):
        return "its probes do not work here even outside of it"
    if inside is None:
        return "it does not start"
    opened = [act for act, works in inside.items() if works != (act == _ALLOWED)]
    return f"it gets this wrong: {', '.join(opened)}" if opened else ""


@contextlib.contextmanager
def _scene() -> Iterator[tuple[str, tuple[str, ...]]]:
    """A place to run in, and the words that tell the acts what to try."""
    with (
        tempfile.TemporaryDirectory(prefix="repair-") as folder,
        socket.socket(socket.AF_INET) as port,
        socket.socket(socket.AF_UNIX) as path,
    ):
        place, outside = os.path.join(folder, "place"), os.path.join(folder, "outside")
        os.mkdir(place)
        os.mkdir(outside)
        canary = os.path.join(outside, "canary")
        Path(canary).write_text(secrets.token_hex(8))
        port.bind(("127.0.0.1", 0))
        path.bind(os.path.join(outside, "s"))
        port.listen()
        path.listen()
        number = str(port.getsockname()[1])
        yield place, (place, outside, canary, number, os.path.join(outside, "s"), str(os.getpid()))


def _try(jail: Jail, place: str, words: tuple[str, ...]) -> dict[str, bool] | None:
    """Which acts succeed; ``None`` when nothing came back."""
    prefixes = (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix), os.path.dirname(os.__file__))
    argv = (sys.executable, "-I", "-S", "-B", "-c", _ACTS, *words)
    limits = Limits(wall_seconds=20.0)
    with channel() as ends:
        descriptors = (ends.report_write, ends.control_read)
        command = Command(argv, place, (("LANG", "C.UTF-8"),))
        jailed = jail.wrap(command, writable=place, readable=prefixes, descriptors=descriptors, limits=limits)
        finished = run(jailed, limits, ends)
    try:
        said = json.loads(finished.output)
    except ValueError:
        return None
    return said if isinstance(said, dict) and finished.returncode == 0 else None
