"""Plain pytest, without any of ours: what it says about a tree, for many trees in a row."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SECONDS = 300

# One process imports pytest, and each tree gets a fork of it. A fork ends as a program of its own would:
# through the interpreter's exit, so that what was registered for it runs.
_SERVER = """
import json, os, sys, pytest
asked = json.loads(sys.stdin.read())
ended = []
for root, arguments in asked:
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(root)
        sys.argv = [pytest.__file__, *arguments]
        sys.path.insert(0, os.path.join(root, "src"))
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        sys.exit(pytest.main(["-q", "-c", os.devnull, "--rootdir", root, "-p", "no:cacheprovider", *arguments]))
    ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps(ended))
"""


def exit_statuses(asked: Sequence[tuple[Path, Sequence[str]]], python: str = sys.executable) -> list[int]:
    """The exit status of pytest in each of the trees, with these arguments; negative for one ended by a signal."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST_"))}
    environment = {**clean, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [python, "-P", "-c", _SERVER],
        input=json.dumps([(str(root), list(arguments)) for root, arguments in asked]),
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    found: list[int] = json.loads(done.stdout.splitlines()[-1])
    return found
