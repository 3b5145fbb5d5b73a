"""Ruff's fatal and undefined-name rules on one text, where a ``ruff`` of ours or of the user's is at hand.

The project's own environment is not looked into, and none of its settings is read: both belong to what is judged.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
from collections.abc import Sequence

from analysis.checkers import Remark, remarks_in
from analysis.facts import Files
from repair.store.git import work_tree
from sandbox.programs import find_program
from sandbox.scratch import passing_folder

RULES = "E9,F63,F7,F82"
"""Texts that are no program, comparisons and statements that cannot be meant, and names that nothing defines."""

MOST_BYTES = 2 << 20
SECONDS = 10.0
_OLDEST, _NEWEST = 7, 14
"""Minor versions of Python 3 that every Ruff in question knows."""


def find_ruff(root: str, path: str) -> str:
    """The executable beside our interpreter, else on the user's path, ``""`` for none; never one of the project."""
    return find_program("ruff", path, outside=work_tree(root), first=(sysconfig.get_path("scripts"),))


class Ruff:
    """One executable, asked about texts for one version of Python."""

    def __init__(self, executable: str, version: Sequence[int], seconds: float = SECONDS) -> None:
        self._executable = executable
        self._version = f"py3{min(max(version[1], _OLDEST), _NEWEST)}"
        self._seconds = seconds

    def __call__(self, texts: Files) -> tuple[tuple[Remark, ...], ...] | str:
        """What Ruff says of each text, or why it says nothing."""
        if not self._executable:
            return "ruff is not installed here (beside the engine: pip install 'ruff>=0.9,<0.18')"
        found = []
        for path, text in texts:
            said = self._one(os.path.basename(path), text)
            if isinstance(said, str):
                return said
            found.append(said)
        return tuple(found)

    def _one(self, name: str, text: bytes) -> tuple[Remark, ...] | str:
        if len(text) > MOST_BYTES:
            return f"{len(text)} bytes are more than the {MOST_BYTES} that are looked at"
        options = ("--isolated", "--no-cache", "--ignore-noqa", "--exit-zero", "--quiet", "--output-format", "concise")
        asked = ("--select", RULES, "--target-version", self._version, "--stdin-filename", name, "-")
        try:
            with passing_folder() as folder:
                done = subprocess.run(
                    (self._executable, "check", *options, *asked),
                    input=text,
                    capture_output=True,
                    timeout=self._seconds,
                    check=False,
                    cwd=folder,
                    env={"PATH": os.defpath, "LANG": "C.UTF-8", "NO_COLOR": "1"},
                )
        except subprocess.TimeoutExpired:
            return f"ruff was not done within {self._seconds:g} seconds"
        except OSError as problem:
            return f"ruff does not run: {problem.strerror}"
        if done.returncode:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            return f"ruff gave up (status {done.returncode}) {' '.join(last)[:200]}".strip()
        return remarks_in(done.stdout.decode("utf-8", "replace"), name)
