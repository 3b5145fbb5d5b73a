"""Docker and Podman: one container a run, over the machine's own programs and libraries or an image that is named."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import secrets
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.facts import Limits
from sandbox.container_launch import CONTROL, INSIDE, REPORT, Task
from sandbox.probe_catalog import all_but
from sandbox.process import Command, channel, run
from sandbox.seccomp import call_filter
from sandbox.visible import (
    SHM_BYTES,
    TMP_BYTES,
    copied,
    is_within,
    outermost,
    system_files,
    system_folders,
    system_links,
)

LAUNCHER = Path(__file__).with_name("container_launch.py")
LABEL = "repair-engine"
_ORIGINAL, _CHANNEL = "/.original", "/.channel"
_OUR_PROCESSES = 8
_SECONDS = 60.0
_CLIENTS_OWN = ("HOME", "PATH", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
_CLIENTS_WORDS = ("DOCKER_", "CONTAINER", "DBUS_")
_NOTHING_THERE = ("usr", "proc", "sys", "dev", "tmp", "etc")


@dataclass(frozen=True, slots=True)
class Container:
    """Conforms to ``Jail``. ``image`` is an empty root, over which the machine's own folders are shown read-only under
    their own paths, so that the target's interpreter is where it was."""

    kind: str
    program: str
    image: str
    words: tuple[str, ...] = ()
    """What this engine needs on this machine to start at all."""
    bounded: bool = True
    """Whether memory and processes of a container can be bounded here."""
    call_filter: bytes = b""
    client: tuple[tuple[str, str], ...] = ()
    """The part of our environment that the client needs."""

    @property
    def detail(self) -> str:
        """How it is made here."""
        return " ".join((f"{self.program} with the machine's own programs, read-only", *self.words))

    @property
    def own_processes(self) -> bool:
        """No: the kernel would count those of the user outside too. The engine bounds them."""
        return False

    @property
    def opens(self) -> tuple[str, ...]:
        """What it cannot hold here."""
        always = ("faults of the kernel, which is shared", "disk space, for projects over 64 MB")
        return always if self.bounded else (*always, "memory over many processes", "the number of processes")

    @property
    def stops(self) -> tuple[str, ...]:
        """Every probe, but for those that need what is missing here."""
        missing = () if self.call_filter else ("trace",)
        return all_but(*missing, *(() if self.bounded else ("memory-of-many", "processes")))

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command in a container of its own, which is removed when it ends."""
        report, control = descriptors
        name = f"{LABEL}-{secrets.token_hex(8)}"
        folder = f"{writable}/.{name}"
        stop = (self.program, "rm", "--force", name)
        inside = {
            "ends": [(REPORT, report, os.O_WRONLY), (CONTROL, control, os.O_RDONLY)],
            "report": report,
            "channel": _CHANNEL,
            "cwd": "/" if limits.disk_bytes else command.cwd,
            "calls": self.call_filter.hex(),
            "names": [key for key, _ in command.env],
        }
        client = (
            *(self.program, "run", "--rm", "--name", name, "--label", LABEL, "--interactive=false"),
            *_walls(),
            *self._bounds(limits),
            *self.words,
            *_environment(command.env),
            *_folders(writable, readable, folder, limits),
            *("--workdir", "/", "--entrypoint", _interpreter(), self.image),
            *("-I", "-S", "-B", "-c", INSIDE, json.dumps(inside)),
            *(copied(_ORIGINAL, writable, command.cwd) if limits.disk_bytes else ()),
            *command.argv,
        )
        task = json.dumps(Task(report, control, folder, list(self.client), list(stop))._asdict())
        launcher = (sys.executable, "-I", "-S", "-B", str(LAUNCHER), task)
        return replace(command, argv=(*launcher, *client), after=stop)

    def _bounds(self, limits: Limits) -> tuple[str, ...]:
        if not self.bounded:
            return ()
        memory = str(limits.tree_bytes)
        processes = str(limits.processes + _OUR_PROCESSES)
        return ("--pids-limit", processes, "--memory", memory, "--memory-swap", memory)


def find_docker() -> Container | str:
    """The jail where Docker answers and starts a container, else why not."""
    # An engine without root of its own has given our user another number inside.
    return _found("docker", ((f"--user={os.geteuid()}:{os.getegid()}",), ()) if os.geteuid() else ((),))


def find_podman() -> Container | str:
    """The jail where Podman starts a container, else why not."""
    # Where root may not raise limits, Podman's default ones end each start; and not every version of its usual
    # runtime can do with the control groups of an older system.
    own = "--read-only-tmpfs=false"
    return _found("podman", ((own,), (own, "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096", "--runtime=runc")))


def _found(name: str, choices: Sequence[tuple[str, ...]]) -> Container | str:
    program = shutil.which(name)
    if program is None:
        return "it is not installed"
    client = tuple(sorted((k, v) for k, v in os.environ.items() if k in _CLIENTS_OWN or k.startswith(_CLIENTS_WORDS)))
    image = _empty_root(program)
    if not image.startswith("localhost/"):
        return image
    problem = ""
    for bounded in (True, False):
        for words in choices:
            jail = Container(name, program, image, words, bounded, call_filter(), client)
            problem = _doubt(jail)
            if not problem:
                return jail
    return f"it starts no container: {problem}"


def _empty_root(program: str) -> str:
    """The name of an image with nothing in it but places to show folders at; what is wrong where it cannot be made."""
    content = _root_archive()
    name = f"localhost/{LABEL}-root:{hashlib.sha256(content).hexdigest()[:16]}"
    try:
        if _ask(program, "image", "inspect", name).returncode == 0:
            return name
        made = _ask(program, "import", "-", name, given=content)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return f"it does not answer: {problem}"
    return name if made.returncode == 0 else f"it does not answer: {_last_line(made.stderr)}"


def _root_archive() -> bytes:
    """The same bytes each time on the same machine."""
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w") as archive:
        for name in _NOTHING_THERE:
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for link, to in system_links():
            entry = tarfile.TarInfo(link.lstrip("/"))
            entry.type, entry.linkname = tarfile.SYMTYPE, to
            archive.addfile(entry)
    return into.getvalue()


def _doubt(jail: Container) -> str:
    """Empty when a container starts and can write in its place, else what it said."""
    with tempfile.TemporaryDirectory(prefix="repair-") as folder, channel() as ends:
        command = Command(("/bin/sh", "-c", "echo works >made && cat made"), folder, (("LANG", "C.UTF-8"),))
        limits = replace(Limits(wall_seconds=_SECONDS), disk_bytes=0)
        descriptors = (ends.report_write, ends.control_read)
        done = run(
            jail.wrap(command, writable=folder, readable=(), descriptors=descriptors, limits=limits), limits, ends
        )
    return "" if done.output.strip() == b"works" else _last_line(done.output) or f"exit status {done.returncode}"


def _walls() -> tuple[str, ...]:
    rest = ("--security-opt", "no-new-privileges", "--security-opt", "label=disable", "--hostname", "sandbox")
    return ("--network", "none", "--read-only", "--cap-drop", "ALL", "--ipc", "private", *rest)


def _interpreter() -> str:
    """Our own interpreter without its environment: it opens the channel inside."""
    return os.path.realpath(sys.executable)


def _environment(env: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Values go through the client's own environment, so that no list of processes shows them; but for those names
    that mean something to the client itself."""
    for name, value in env:
        own = name in _CLIENTS_OWN or name.startswith(_CLIENTS_WORDS)
        yield from ("--env", f"{name}={value}" if own else name)


def _folders(writable: str, readable: Sequence[str], channel_folder: str, limits: Limits) -> Iterator[str]:
    """What is shown, and sized file systems in memory for what may be written."""
    interpreter = (sys.base_prefix, os.path.dirname(os.__file__))
    shown = (*system_folders(), *system_files(), *outermost((*readable, *interpreter)))
    for path in (*shown, *_mounts_below(shown)):
        yield from _bind(path, path)
    yield from _bind(channel_folder, _CHANNEL)
    most = limits.disk_bytes or TMP_BYTES
    if limits.disk_bytes:
        yield from _bind(writable, _ORIGINAL)
        yield from ("--tmpfs", f"{writable}:rw,exec,nosuid,nodev,mode=1777,size={limits.disk_bytes}")
    else:
        yield from _bind(writable, writable, read_only=False)
    yield from ("--tmpfs", f"/tmp:rw,exec,nosuid,nodev,mode=1777,size={min(TMP_BYTES, most)}")
    yield from ("--shm-size", str(min(SHM_BYTES, most)))


def _mounts_below(shown: Sequence[str]) -> list[str]:
    """Other file systems within what is shown: a read-only bind of the whole would leave them writable."""
    lines = Path("/proc/self/mounts").read_bytes().splitlines()
    points = sorted({os.fsdecode(line.split(b" ")[1]).replace(r"\040", " ") for line in lines})
    return [p for p in points if p not in shown and any(is_within(p, path) for path in shown) and os.path.isdir(p)]


def _bind(source: str, to: str, *, read_only: bool = True) -> tuple[str, str]:
    """One folder or file without what is mounted below it."""
    into = io.StringIO()
    # The client reads this as a line of CSV, so that a path may hold anything.
    words = ["type=bind", f"source={source}", f"destination={to}", "bind-nonrecursive=true"]
    csv.writer(into, lineterminator="").writerow([*words, *(["readonly"] if read_only else [])])
    return "--mount", into.getvalue()


def _ask(program: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run((program, *words), input=given, capture_output=True, timeout=_SECONDS, check=False)


def _last_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else ""
