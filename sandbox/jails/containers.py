"""Docker and Podman: one container a run, over the machine's own programs and libraries or an image that is named."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import os
import secrets
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.facts import Limits
from sandbox.jail_protocol import Jail
from sandbox.jails.container_launch import CONTROL, INSIDE, REPORT, Task
from sandbox.jails.images import Ask, Image, identify_image, last_line, python_in
from sandbox.probe_catalog import all_but
from sandbox.process import Command, channel, run
from sandbox.programs import find_tool
from sandbox.scratch import passing_folder
from sandbox.seccomp import call_filter
from sandbox.visible_paths import copy_command, is_within, memory_sizes, outermost_paths, system_links, system_paths

LAUNCHER = Path(__file__).with_name("container_launch.py")
LABEL = "repair-engine"
_ORIGINAL, _CHANNEL = "/.original", "/.channel"
_OUR_PROCESSES = 8
_SECONDS = 60.0
_CLIENTS_OWN = ("HOME", "PATH", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
_CLIENTS_WORDS = ("DOCKER_", "CONTAINER", "DBUS_")
_ALONE = "bind-nonrecursive=true"
_WRITES = 'echo works >made && read -r word <made && echo "$word"'
_NOTHING_THERE = ("usr", "proc", "sys", "dev", "tmp", "etc")


@dataclass(frozen=True, slots=True)
class Container:
    """How containers are started. ``root`` is the image that is run: an empty one, or one of the user's. Over an empty
    one the machine's own folders are shown read-only under their own paths. So the target's interpreter is where it
    was."""

    kind: str
    program: str
    root: str
    words: tuple[str, ...] = ()
    """What this engine needs on this machine to start at all."""
    bounded: bool = True
    """Whether memory and processes of a container can be bounded here."""
    call_filter: bytes = b""
    client: tuple[tuple[str, str], ...] = ()
    """The part of our environment that the client needs."""
    image: Image | None = None
    """The user's image, where it is one."""
    alone: str = _ALONE
    """What says of a mount that nothing mounted below comes along; newer clients of Docker have another word for it."""

    @property
    def jail(self) -> Jail:
        """The jail that it is; the engine bounds its processes, since the kernel would count the user's others too."""
        what = f"the image {self.image.name}" if self.image else "the machine's own programs"
        detail = " ".join((f"{self.program} with {what}, read-only", *self.words))
        opens: tuple[str, ...] = ("faults of the kernel, which is shared", "disk space, for projects over 64 MB")
        missing = [] if self.call_filter else ["trace"]
        if not self.bounded:
            opens += ("memory over many processes", "the number of processes")
            missing += ["memory-of-many", "processes"]
        return Jail(self.kind, detail, opens, all_but(*missing), self.wrap, self.image)

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
        # The interpreter, our own without its environment where there is no image, opens the channel inside.
        python = self.image.python if self.image else os.path.realpath(sys.executable)
        client = (
            *(self.program, "run", "--rm", "--name", name, "--label", LABEL, "--interactive=false"),
            *_walls(),
            *self._bounds(limits),
            *self.words,
            *_environment(command.env),
            *self._programs(readable),
            *self._folders(writable, folder, limits),
            *("--workdir", "/", "--entrypoint", python, self.root),
            *("-I", "-S", "-B", "-c", INSIDE, json.dumps(inside)),
            *(copy_command(_ORIGINAL, writable, command.cwd) if limits.disk_bytes else ()),
            *command.argv,
        )
        task = json.dumps(Task(report, control, folder, list(self.client), list(stop))._asdict())
        launcher = (sys.executable, "-I", "-S", "-B", str(LAUNCHER), task)
        return replace(command, argv=(*launcher, *client), after=stop)

    def _programs(self, readable: Sequence[str]) -> Iterator[str]:
        """What is shown of this machine. A user's image has a system and an interpreter of its own."""
        interpreter = (sys.base_prefix, os.path.dirname(os.__file__))
        system = () if self.image else system_paths()
        within = outermost_paths(readable, known=()) if self.image else outermost_paths((*readable, *interpreter))
        shown = (*system, *within)
        for path in (*shown, *_mounts_below(shown)):
            yield from self._bind(path, path)

    def _folders(self, writable: str, channel_folder: str, limits: Limits) -> Iterator[str]:
        """The channel, and sized file systems in memory for what may be written."""
        yield from self._bind(channel_folder, _CHANNEL)
        tmp_bytes, shm_bytes = memory_sizes(limits.disk_bytes)
        if limits.disk_bytes:
            yield from self._bind(writable, _ORIGINAL)
            yield from ("--tmpfs", f"{writable}:rw,exec,nosuid,nodev,mode=1777,size={limits.disk_bytes}")
        else:
            yield from self._bind(writable, writable, read_only=False)
        yield from ("--tmpfs", f"/tmp:rw,exec,nosuid,nodev,mode=1777,size={tmp_bytes}")
        yield from ("--shm-size", str(shm_bytes))

    def _bind(self, source: str, to: str, *, read_only: bool = True) -> tuple[str, str]:
        """One folder or file without what is mounted below it."""
        into = io.StringIO()
        # The client reads this as a line of CSV, so that a path may hold anything.
        words = ["type=bind", f"source={source}", f"destination={to}", self.alone]
        csv.writer(into, lineterminator="").writerow([*words, *(["readonly"] if read_only else [])])
        return "--mount", into.getvalue()

    def _bounds(self, limits: Limits) -> tuple[str, ...]:
        if not self.bounded:
            return ()
        memory = str(limits.tree_bytes)
        processes = str(limits.processes + _OUR_PROCESSES)
        return ("--pids-limit", processes, "--memory", memory, "--memory-swap", memory)


def find_docker(image: str = "", python: str = "") -> Jail | str:
    """The jail where Docker answers and starts a container, else why not. With ``image``, of that image of the user's,
    whose interpreter is ``python`` or the first one found in it."""
    # An engine without root of its own has given our user another number inside.
    words = ((f"--user={os.geteuid()}:{os.getegid()}",), ()) if os.geteuid() else ((),)
    return _find_container("docker", words, ("bind-recursive=disabled", _ALONE), image, python)


def find_podman(image: str = "", python: str = "") -> Jail | str:
    """The jail where Podman starts a container, else why not. ``image`` and ``python`` as for Docker."""
    # Where root may not raise limits, Podman's default ones end each start; and not every version of its usual
    # runtime can do with the control groups of an older system.
    own = "--read-only-tmpfs=false"
    words = ((own,), (own, "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096", "--runtime=runc"))
    return _find_container("podman", words, (_ALONE,), image, python)


def _find_container(
    kind: str, choices: Sequence[tuple[str, ...]], binds: Sequence[str], image: str, python: str
) -> Jail | str:
    program = find_tool(kind)
    if not program:
        return "it is not installed"

    def ask(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run((program, *words), input=given, capture_output=True, timeout=_SECONDS, check=False)

    client = tuple(sorted((k, v) for k, v in os.environ.items() if k in _CLIENTS_OWN or k.startswith(_CLIENTS_WORDS)))
    try:
        root, problem = identify_image(image, ask) if image else _empty_root(ask)
        if problem:
            return problem
        for bounded, words, alone in itertools.product((True, False), choices, binds):
            made = Container(kind, program, root, words, bounded, call_filter(), client, alone=alone)
            problem = ""
            if image:
                # An image may name a user of its own, who could not read the copy: it is root without any right.
                user = () if any(word.startswith("--user=") for word in words) else ("--user=0:0",)
                made = replace(made, words=(*words, *user))
                found, problem = python_in((*_walls(), *made.words), root, python, ask)
                made = replace(made, image=Image(image, root, found))
            if not (problem := problem or _doubt(made.jail)):
                return made.jail
    except (OSError, subprocess.TimeoutExpired) as unanswered:
        return f"it does not answer: {unanswered}"
    return problem


def _empty_root(ask: Ask) -> tuple[str, str]:
    """The name of an image with nothing in it but places to show folders at; or empty, and why it cannot be made."""
    content = _root_archive()
    name = f"localhost/{LABEL}-root:{hashlib.sha256(content).hexdigest()[:16]}"
    if ask("image", "inspect", name).returncode == 0:
        return name, ""
    made = ask("import", "-", name, given=content)
    return (name, "") if made.returncode == 0 else ("", f"it does not answer: {last_line(made.stderr)}")


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


def _doubt(jail: Jail) -> str:
    """Empty when a container starts and can write in its place, else what it said."""
    with passing_folder() as passing, channel() as ends:
        folder = str(passing / "w")
        os.mkdir(folder)
        command = Command(("/bin/sh", "-c", _WRITES), folder, (("LANG", "C.UTF-8"),))
        limits = replace(Limits(wall_seconds=_SECONDS), disk_bytes=0)
        descriptors = (ends.report_write, ends.control_read)
        done = run(
            jail.wrap(command, writable=folder, readable=(), descriptors=descriptors, limits=limits), limits, ends
        )
    said = last_line(done.output)  # a client may warn of something before
    return "" if said == "works" else f"it starts no container: {said or f'exit status {done.returncode}'}"


def _walls() -> tuple[str, ...]:
    rest = ("--security-opt", "no-new-privileges", "--security-opt", "label=disable", "--hostname", "sandbox")
    return ("--network", "none", "--read-only", "--cap-drop", "ALL", "--ipc", "private", "--pull", "never", *rest)


def _environment(env: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Values go through the client's own environment, so that no list of processes shows them. Excepted are the names
    that mean something to the client itself."""
    for name, value in env:
        own = name in _CLIENTS_OWN or name.startswith(_CLIENTS_WORDS)
        yield from ("--env", f"{name}={value}" if own else name)


def _mounts_below(shown: Sequence[str]) -> list[str]:
    """Other file systems within what is shown: a read-only bind of the whole would leave them writable."""
    lines = Path("/proc/self/mounts").read_bytes().splitlines()
    points = sorted({os.fsdecode(line.split(b" ")[1]).replace(r"\040", " ") for line in lines})
    return [p for p in points if p not in shown and any(is_within(p, path) for path in shown) and os.path.isdir(p)]
