"""Run as a script, inside a jail and outside: tries forbidden acts and prints which of them succeed.

Standard library only, nothing of ours. ``argv`` is one JSON object: the acts to try, in order, and what they need.
Everything is bounded, so that an act that succeeds does no harm.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable

_NEW_USER = 0x10000000
_LEAST_OWN_FOLDERS = ("/", "/tmp", "/dev/shm", "/var/tmp", "/dev", "/run")


class EscapeWords:
    """What the acts need to know; see ``preflight.py``."""

    acts: list[str]
    place: str
    outside: str
    token: str
    port: int
    home: str
    home_inode: int
    engine: int
    report: int
    control: bool
    count: int
    bytes: int

    def __init__(self, text: str) -> None:
        self.__dict__.update(json.loads(text))


def main(words: EscapeWords) -> None:
    """Try each act; one that raises has failed."""
    came = {}
    for name in words.acts:
        try:
            came[name] = bool(_ACTS[name](words))
        except (OSError, MemoryError):
            came[name] = False
    sys.stdout.write("\n" + json.dumps(came) + "\n")


def can_write(path: str) -> bool:
    with open(path, "w") as file:
        return file.write("x") == 1


def private_file(words: EscapeWords) -> bool:
    with open(words.outside + "/canary") as file:
        return file.read() == words.token


def change_mode(words: EscapeWords) -> bool:
    """It stays readable for its owner: other acts read it."""
    os.chmod(words.outside + "/canary", 0o640)
    return os.stat(words.outside + "/canary").st_mode & 0o777 == 0o640


def home(words: EscapeWords) -> bool:
    os.listdir(words.home)
    return os.stat(words.home).st_ino == words.home_inode


def can_connect(family: int, address: tuple[str, int] | str) -> bool:
    with socket.socket(family) as client:
        client.settimeout(2)
        client.connect(address)
    return True


def engine_environment(words: EscapeWords) -> bool:
    with open(f"/proc/{words.engine}/environ", "rb") as file:
        return words.token.encode() in file.read()


def engine_memory(words: EscapeWords) -> bool:
    """Opening is what the kernel guards. In process ids of our own the number may mean another process."""
    if _means_another(words):
        return False
    with open(f"/proc/{words.engine}/mem", "rb"):
        return True


def send_signal(words: EscapeWords) -> bool:
    """Whether it arrived is seen outside."""
    if _means_another(words):
        return False
    os.kill(words.engine, signal.SIGUSR1)
    return True


def _means_another(words: EscapeWords) -> bool:
    try:
        return not engine_environment(words)
    except OSError:
        return False


def kernel_settings(words: EscapeWords) -> bool:
    """For root the user alone decides, without any capability: what is set there gets out of every wall."""
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return True


def in_child(act: Callable[[], bool]) -> bool:
    pid = os.fork()
    if pid == 0:
        os._exit(0 if act() else 1)
    return os.waitpid(pid, 0)[1] == 0


def daemon(words: EscapeWords) -> bool:
    """Left behind in a session of its own; the open end of the report tells outside that it lives."""
    if os.fork() == 0:
        os.setsid()
        pid = os.fork()
        if pid == 0:
            time.sleep(20)
        else:
            os.write(words.report, b"%d\n" % pid)
        os._exit(0)
    os.wait()
    return True


def memory_of_many(words: EscapeWords) -> bool:
    def take() -> bytes:
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        return b"x" * words.bytes

    return len(_children(words.count, take)) == words.count


def _children(count: int, act: Callable[[], bytes]) -> bytes:
    """The children that said that they have done the act; all are ended before this returns."""
    reader, writer = os.pipe()
    pids = []
    try:
        for _ in range(count):
            pid = os.fork()
            if pid == 0:
                _one_child(act, writer)
            pids.append(pid)
    except OSError:
        return b""
    finally:
        os.close(writer)
        done = _read_said(reader, len(pids))
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return done


def _one_child(act: Callable[[], bytes], writer: int) -> None:
    """Do the act, keep what it took, say so and stay."""
    with contextlib.suppress(MemoryError, OSError):
        kept = act()
        os.write(writer, b"y")
        signal.pause()
        os._exit(len(kept) % 2)
    os._exit(1)


def _read_said(reader: int, count: int) -> bytes:
    """What was said within some seconds, or until a child has died."""
    os.set_blocking(reader, False)
    said, until = b"", time.monotonic() + 20
    while len(said) < count and time.monotonic() < until:
        try:
            piece = os.read(reader, count)
        except BlockingIOError:
            if os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                break
            time.sleep(0.01)
            continue
        if not piece:
            break
        said += piece
    os.close(reader)
    return said


def disk(words: EscapeWords) -> bool:
    """Whether any folder takes it all; the files are removed again."""
    folders = [words.place] if words.control else [words.place, *_LEAST_OWN_FOLDERS]
    taken = [_fill_folder(folder, words.bytes) for folder in folders]
    return any(taken)


def _fill_folder(folder: str, amount: int) -> bool:
    block, paths = b"x" * (1 << 20), []
    try:
        for number in range(amount >> 20):
            path = f"{folder}/fill-{os.getpid()}-{number}"
            paths.append(path)
            with open(path, "wb") as file:
                file.write(block)
        return True
    except OSError:
        return False
    finally:
        for path in paths:
            with contextlib.suppress(OSError):
                os.unlink(path)


def big_file(words: EscapeWords) -> bool:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open(words.place + "/big", "wb") as file:
        file.write(b"x" * words.bytes)
    return os.path.getsize(words.place + "/big") == words.bytes


_ACTS: dict[str, Callable[[EscapeWords], bool]] = {
    "own": lambda words: can_write(words.place + "/own"),
    "write-outside": lambda words: can_write(words.outside + "/written"),
    "private-file": private_file,
    "change-mode": change_mode,
    "home": home,
    "tcp": lambda words: can_connect(socket.AF_INET, ("127.0.0.1", words.port)),
    "socket-file": lambda words: can_connect(socket.AF_UNIX, words.outside + "/s"),
    "abstract-socket": lambda words: can_connect(socket.AF_UNIX, "\0" + words.token),
    "own-environment": lambda words: words.token in os.environ.values(),
    "engine-environment": engine_environment,
    "engine-memory": engine_memory,
    "kernel-settings": kernel_settings,
    "namespace": lambda words: in_child(lambda: ctypes.CDLL(None).unshare(_NEW_USER) == 0),
    "trace": lambda words: in_child(lambda: ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0),
    "signal": send_signal,
    "daemon": daemon,
    "processes": lambda words: len(_children(words.count, lambda: b"")) == words.count,
    "memory": lambda words: len([b"x" * (1 << 20) for _ in range(words.bytes >> 20)]) > 0,
    "memory-of-many": memory_of_many,
    "disk": disk,
    "file": big_file,
}

if __name__ == "__main__":
    main(EscapeWords(sys.argv[1]))
