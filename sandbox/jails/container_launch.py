"""Started as a script of its own: runs a container's client, and carries a channel into the container and out of it.

An engine hands no descriptors to a container, so the channel's two ends are named pipes there. ``INSIDE`` opens them
under the numbers that the command expects. ``argv`` is the ``Task`` as JSON, then the client's command line. When the
engine that started us is gone, the control pipe ends; then the container is removed.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
from typing import NamedTuple

REPORT, CONTROL = "report", "control"
_CHUNK = 1 << 16

INSIDE = """
import ctypes, fcntl, json, os, select, sys, threading
task, command = json.loads(sys.argv[1]), sys.argv[2:]
ends = {}
for name, number, flags in task["ends"]:
    # Without waiting: where nobody is at the other end of the report any more, this fails.
    opened = os.open(task["channel"] + "/" + name, flags | os.O_NONBLOCK)
    os.set_blocking(opened, True)
    ends[number] = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, 256)
    os.close(opened)
try:  # a container's own /dev is in memory, and no option bounds or closes it: what is free there is taken
    spare = os.open("/dev/.spare", os.O_RDWR | os.O_CREAT | os.O_EXCL)
    os.unlink("/dev/.spare")
    free = os.statvfs("/dev")
    os.posix_fallocate(spare, 0, free.f_bavail * free.f_bsize)
except OSError:
    pass
child = os.fork()
if child == 0:
    for number, end in ends.items():
        os.dup2(end, number)
    os.chdir(task["cwd"])
    calls = bytes.fromhex(task["calls"])
    if calls:
        class Program(ctypes.Structure):
            _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))
        program = Program(len(calls) // 8, calls)
        if ctypes.CDLL(None).prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
            sys.exit("the filter of system calls is not taken")
    os.execvpe(command[0], command, {name: os.environ[name] for name in task["names"]})
def watch(end):
    poll = select.poll()
    poll.register(end, 0)
    poll.poll()
    os._exit(137)
for number, end in ends.items():
    if number == task["report"]:
        threading.Thread(target=watch, args=(end,), daemon=True).start()
    else:
        os.close(end)
while True:
    pid, status = os.wait()
    if pid == child:
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        os._exit(code)
"""
"""The first process in the container: opens the channel, starts the command, reaps, and ends with it or with us."""


class Task(NamedTuple):
    """``report`` and ``control`` are our descriptors of the channel, and ``folder`` is where its named pipes are made.
    ``env`` is the client's environment on top of ours. ``stop`` is the command that removes the container."""

    report: int
    control: int
    folder: str
    env: list[tuple[str, str]]
    stop: list[str]


def main(argv: list[str]) -> None:
    """Run the client and end as it does."""
    task = Task(**json.loads(argv[1]))
    os.mkdir(task.folder, 0o700)
    for name in (REPORT, CONTROL):
        os.mkfifo(f"{task.folder}/{name}", 0o600)
    said = os.open(f"{task.folder}/{REPORT}", os.O_RDONLY | os.O_NONBLOCK)
    # For reading too: opened for writing alone it would have to wait for the other side.
    control = os.open(f"{task.folder}/{CONTROL}", os.O_RDWR)
    env = {**os.environ, **dict(task.env)}
    client = subprocess.Popen(argv[2:], env=env, stdin=subprocess.DEVNULL)
    threading.Thread(target=_tell, args=(task, control, client, env), daemon=True).start()
    _listen(task, said, client)
    code = client.wait()
    _remove(task.folder)
    os._exit(code if code >= 0 else 128 - code)


def _tell(task: Task, control: int, client: subprocess.Popen[bytes], env: dict[str, str]) -> None:
    """Carry control bytes in. Their end means that whoever wanted the answer is gone.

    The client is ended first: it starts what it has made, and might do so after the removal.
    """
    while piece := os.read(task.control, _CHUNK):
        os.write(control, piece)
    client.kill()
    subprocess.run(task.stop, env=env, capture_output=True, check=False)
    _remove(task.folder)
    os._exit(137)


def _remove(folder: str) -> None:
    for name in (REPORT, CONTROL):
        os.unlink(f"{folder}/{name}")
    os.rmdir(folder)


def _listen(task: Task, said: int, client: subprocess.Popen[bytes]) -> None:
    """Carry the report out until the client has ended and nothing is left to read."""
    ended = os.pidfd_open(client.pid)
    poll = select.poll()
    poll.register(said, select.POLLIN)
    poll.register(ended, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if said in ready and not _carry(said, task.report):
            poll.unregister(said)
        elif ended in ready and said not in ready:
            return


def _carry(source: int, to: int) -> bool:
    """Hand one piece on; whether there may be more."""
    try:
        piece = os.read(source, _CHUNK)
    except BlockingIOError:
        return True
    rest = piece
    while rest:
        rest = rest[os.write(to, rest) :]
    return bool(piece)


if __name__ == "__main__":
    main(sys.argv)
