"""What is alive in this process that a fork would share or lose: threads, sockets, event loops, devices, open files."""

from __future__ import annotations

import os
import stat
import threading

from _repair_probe.ground.paths import is_within

_DEVICES = ("/dev/nvidia", "/dev/kfd", "/dev/dri")
_SHARED = ("socket:", "anon_inode:[eventpoll]", "anon_inode:[io_uring]", "anon_inode:inotify")


def open_descriptors() -> frozenset[int]:
    """The numbers of this process's open descriptors; those there before the tests were imported are not theirs."""
    try:
        return frozenset(int(name) for name in os.listdir("/proc/self/fd"))
    except OSError:
        return frozenset()


def fork_obstacle(before: frozenset[int], root: str) -> str:
    """Why a fork of this process would be no fair copy, or ``""``. ``before`` are descriptors that do not count."""
    others = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
    if others:
        return "threads are alive after collection: %s" % ", ".join(others[:5])
    try:
        tasks = len(os.listdir("/proc/self/task"))
    except OSError:
        tasks = 1
    if tasks > 1:
        return "%d native threads are alive after collection" % (tasks - 1)
    return next(filter(None, (_shared_file(fd, root) for fd in sorted(open_descriptors() - before))), "")


def _shared_file(descriptor: int, root: str) -> str:
    try:
        link = os.readlink("/proc/self/fd/%d" % descriptor)
        if link.startswith(_SHARED):
            return "a socket or an event loop is open after collection"
        if link.startswith(_DEVICES):
            return "a device is open after collection: %s" % link
        if is_within(link, root) and stat.S_ISREG(os.stat(link).st_mode) and _is_writable(descriptor):
            return "a file is open for writing after collection: %s" % os.path.basename(link)
    except OSError:
        pass
    return ""


def _is_writable(descriptor: int) -> bool:
    with open("/proc/self/fdinfo/%d" % descriptor) as stream:
        flags = next(line for line in stream if line.startswith("flags:"))
    return bool(int(flags.split()[1], 8) & (os.O_WRONLY | os.O_RDWR))
