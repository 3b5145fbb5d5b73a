"""What the audit hook of the canary's plain run says of events, and of those that it cannot read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.request import PROBE

HOOKED = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from _repair_probe.fork.hazards import Hazards
class Odd:
    def __fspath__(self): raise LookupError
found = []
hazards = Hazards(sys.argv[2], os.path.join(sys.argv[2], "lib.py"), found.append)
sys.audit("socket.bind", None)
hazards.start()
os.environ["TMPDIR"] = "/nowhere"
eval(sys.argv[3])
sys.stdout.write(json.dumps(found))
"""


@pytest.mark.parametrize(
    ("act", "found"),
    [
        ("sys.audit('open', Odd(), 'w', 1)", "cannot be followed: needs a cold run"),
        ("sys.audit('open', 'too few')", "cannot be followed: needs a cold run"),
        ("sys.audit('socket.bind', None)", "cannot be followed: needs a cold run"),
        ("sys.audit('os.rename', 'only one')", "cannot be followed: needs a cold run"),
        ("sys.audit('open', os.path.join(sys.argv[2], 'new'), 'w', 1)", "change files of the project"),
        ("sys.audit('open', '/dev/null', 'w', 1)", ""),
        ("sys.audit('of.somebody', None)", ""),
    ],
)
def test_what_cannot_be_read_is_a_hazard(tmp_path: Path, act: str, found: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", HOOKED, str(PROBE), str(tmp_path), act], capture_output=True, text=True, check=True
    )
    hazards = json.loads(said.stdout)
    assert [found in each for each in hazards] == [True] * bool(found), hazards
