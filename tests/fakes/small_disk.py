"""A small disk of its own for a few commands: a file system in memory that only these processes see.

It needs a namespace of mounts; without one ``OBSTACLE`` says so. This file is also the program within it.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_APART = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--user", "--map-root-user", "--mount")
_MOUNT = 'mount -t tmpfs -o "size=$1,nr_inodes=2000" none "$2" && shift 2 && exec "$@"'


def _find_obstacle() -> str:
    if sys.platform != "linux":
        return "only Linux has namespaces of mounts"
    try:
        tried = subprocess.run(
            [*_APART, "sh", "-c", _MOUNT, "sh", "64k", "/mnt", "true"], capture_output=True, check=False
        )
    except OSError as problem:
        return f"unshare is not installed: {problem}"
    return "" if tried.returncode == 0 else f"no file system can be mounted: {tried.stderr.decode().strip()[-200:]}"


OBSTACLE = _find_obstacle()


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str


class SmallDisk:
    """So many bytes, and 2,000 files, at ``folder``, as long as the context lasts. From outside it looks empty."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        inner = [sys.executable, "-P", __file__]
        self._process = subprocess.Popen(
            [*_APART, "sh", "-c", _MOUNT, "sh", str(size), str(folder), *inner],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> SmallDisk:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, *argv: str, cwd: Path, env: Mapping[str, str]) -> Done:
        """The command, where the disk is seen."""
        said = self._ask({"argv": argv, "cwd": str(cwd), "env": dict(env)})
        return Done(int(said["status"]), str(said["out"]), str(said["err"]))

    def fill(self, leave: int) -> None:
        """Fill the disk but for so many bytes; what filled it before goes first."""
        self._ask({"fill": leave, "at": str(self.folder / "filling")})

    def free(self) -> None:
        """Take away what fills it."""
        self._ask({"free": str(self.folder / "filling")})

    def _ask(self, what: object) -> dict[str, object]:
        assert self._process.stdin is not None, "opened with a pipe"
        assert self._process.stdout is not None, "opened with a pipe"
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert isinstance(answer, dict)
        return answer


def _serve() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        answer: dict[str, object] = {}
        if "argv" in asked:
            done = subprocess.run(
                asked["argv"],
                cwd=asked["cwd"],
                env=asked["env"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            answer = {"status": done.returncode, "out": done.stdout, "err": done.stderr}
        elif "fill" in asked:
            _fill(asked["at"], asked["fill"])
        else:
            os.unlink(asked["free"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _fill(path: str, leave: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    os.truncate(path, max(0, os.path.getsize(path) - leave))


if __name__ == "__main__":
    _serve()
