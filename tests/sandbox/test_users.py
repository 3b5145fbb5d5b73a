"""What bounds the number of processes, for root and for a user without rights, where no group can be made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.walls import rebuilt

from sandbox.host_capabilities import find_means
from sandbox.jail import KINDS, check_jail
from sandbox.preflight import run_probes

NOBODY = 65534
ENGINE = Path(__file__).parents[2]


NAMESPACES = ("bwrap", "landlock")
"""The kinds that count the processes of a run apart from the user's others."""


@pytest.fixture(params=NAMESPACES)
def jail(request):
    found = check_jail(next(kind for kind in KINDS if kind.name == request.param))
    if isinstance(found, str):
        pytest.skip(f"{request.param}: {found}")
    return found


def test_without_a_group_the_number_is_bounded_or_said_to_be_open(jail):
    means = replace(find_means(), cgroups="this user may not write it")
    ungrouped = rebuilt(jail, means)
    (tried,) = run_probes(ungrouped, {"processes"})
    said = any("the number of processes" in words for words in ungrouped.opens)
    assert tried.control
    assert tried.stopped == ("processes" in ungrouped.stops) == (not said) == (not means.exempt)


@pytest.fixture
def as_nobody():
    """Runs code with our packages as a user without rights, in an interpreter that he may use."""
    if os.geteuid() != 0:
        pytest.skip("only root becomes another user")
    python = next((p for p in ("/usr/bin/python3", "/usr/local/bin/python3", sys.executable) if serves(p)), "")
    if not python:
        pytest.skip("no Python 3.11 or newer that another user may run")
    with tempfile.TemporaryDirectory(prefix="repair-") as folder:
        os.chmod(folder, 0o755)
        for package in ("analysis", "sandbox"):
            shutil.copytree(ENGINE / package, f"{folder}/{package}")
        os.mkdir(f"{folder}/t")
        os.chown(f"{folder}/t", NOBODY, NOBODY)
        if subprocess.run(["/bin/ls", folder], **nobody()).returncode != 0:
            pytest.skip(f"another user may not look into {tempfile.gettempdir()}")
        env = {"PATH": os.defpath, "TMPDIR": f"{folder}/t", "PYTHONPATH": folder, "HOME": f"{folder}/t"}

        def run(code, *before):
            done = subprocess.run([*before, python, "-B", "-c", code], env=env, **nobody())
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        yield run


def nobody():
    return {"user": NOBODY, "group": NOBODY, "extra_groups": (), "capture_output": True, "check": False, "cwd": "/"}


def serves(python):
    if not os.path.exists(python):
        return False
    code = "import sys, ctypes; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([python, "-B", "-c", code], **nobody()).returncode == 0
    except PermissionError:
        return False


TRY = """
import json
from sandbox.jail import KINDS, check_jail
from sandbox.preflight import run_probes
jail = check_jail(next(kind for kind in KINDS if kind.name == {kind!r}))
answer = jail
if not isinstance(jail, str):
    tried = run_probes(jail, {{"processes", "memory-of-many", "daemon", "write-outside"}})
    answer = [jail.opens, jail.stops, [(p.name, p.control, p.stopped) for p in tried]]
print(json.dumps(answer))
"""


@pytest.mark.parametrize("kind", NAMESPACES)
def test_a_user_without_rights_has_all_that_is_promised(as_nobody, kind):
    answer = as_nobody(TRY.format(kind=kind))
    if isinstance(answer, str):
        pytest.skip(f"{kind}: {answer}")
    opens, stops, tried = answer
    assert {"processes", "daemon", "write-outside"} <= set(stops)
    assert not any("the number of processes" in words for words in opens)
    assert [
        (name, control, stopped) for name, control, stopped in tried if name in stops and not (control and stopped)
    ] == []


@pytest.fixture
def namespace():
    """The words before a command that make its user the root of a namespace of his own."""
    words = ("/usr/bin/unshare", "--user", "--map-root-user")
    if not os.path.exists(words[0]) or subprocess.run([*words, "/bin/true"], **nobody()).returncode != 0:
        pytest.skip("no user namespace can be made")
    return words


WITHOUT_NAMESPACES = """
import json
from sandbox.jail import choose
from sandbox.jails.landlock_alone import find_landlock_alone
with open("/proc/sys/user/max_user_namespaces", "w") as file:
    file.write("0")
print(json.dumps([choose("auto").kind, isinstance(find_landlock_alone(), str)]))
"""


def test_where_namespaces_are_forbidden_auto_takes_landlock_alone(as_nobody, namespace):
    kind, missing = as_nobody(WITHOUT_NAMESPACES, *namespace)
    assert kind == ("none" if missing else "landlock-only")


def test_the_root_of_a_namespace_is_bound_as_others_are(as_nobody, namespace):
    code = (
        "import json, os; from sandbox.host_capabilities import is_exempt as e; print(json.dumps([os.geteuid(), e()]))"
    )
    assert as_nobody(code, *namespace) == [0, False]
    assert as_nobody(code) == [NOBODY, False]
