"""``--max-seconds N`` ends every command by N + 2 s on the wall, with a result and with nothing left behind.

``MARGIN`` is for what is not ours: the machine that starts the process and takes its output while it is busy with other
tests; a slow one has ``STARTS`` times what its start takes. What is not bounded goes on for many times as long.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest
from fakes.dripping import BODY, HEADERS, serving

PROMISE = 2.0
MARGIN = 4.0
STARTS = 8
TEST = "from mod import size\n\ndef test_size():\n    assert size(2) == 2048\n"
SIZE = "def size(count):\n    return count * 1000\n"
SWALLOWS = """\
    import signal
    import time

    def test_size():
        for number in range(1, 64):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            try:
                time.sleep(1000)
            except BaseException:
                pass
    """
TOUCHES = """\
    def test_size():
        held = []
        for _ in range(8 << 10):
            block = bytearray(1 << 20)
            for place in range(0, 1 << 20, 4096):
                block[place] = 1
            held.append(block)
        assert len(held) == 0
    """
LONG = "def size(count):\n" + "    count = count + 1\n" * 5000 + "    return count\n"
HUGE = SIZE + "".join(f"\n\ndef f{n}(a, b):\n    c = a + b * {n}\n    return c - {n}\n" for n in range(4000))
MANY = (
    "import time\nimport pytest\n"
    + TEST
    + ("\n@pytest.mark.parametrize('number', range(300))\ndef test_slow(number):\n    time.sleep(0.1)\n")
)
PATCH = """\
--- a/mod.py
+++ b/mod.py
@@ -1,2 +1,2 @@
 def size(count):
-    return count * 1000
+    return count * 1024
"""


@pytest.fixture
def project(tmp_path):
    def made(tests=TEST, program=SIZE, **more):
        root = tmp_path / "project"
        files = {"pyproject.toml": "", "mod.py": program, "test_mod.py": dedent(tests), **more}
        for name, text in files.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        return root

    return made


@pytest.fixture(scope="module")
def margin() -> float:
    """What this machine is given on top of the promise: by how long it takes to start the command now."""
    began = time.monotonic()
    subprocess.run([str(Path(sys.executable).with_name("repair")), "fix", "--help"], capture_output=True, check=True)
    return max(MARGIN, STARTS * (time.monotonic() - began))


@pytest.fixture
def ended(repair, tmp_path, margin):
    """Runs a command with so many seconds: it ends in time, leaves nothing, and its run is written down."""

    def run(root: Path, seconds: float, *words: str, env=None):
        temporary = tmp_path / "t"  # short, for the sake of socket paths
        temporary.mkdir()
        limits = {"REPAIR_MAX_SECONDS": f"{seconds}", "TMPDIR": str(temporary), **(env or {})}
        answer = repair(*words, "--root", str(root), env=limits, cwd=root)
        assert answer.seconds <= seconds + PROMISE + margin, answer.messages
        assert list(temporary.iterdir()) == []
        assert left_of(str(temporary)) == []
        for run in root.glob(".repair/runs/*"):
            assert (run / "result.json").exists(), "the record is finished"
        return answer

    return run


def processes_with(word: str) -> list[str]:
    """The command lines of the processes in whose environment it occurs."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if place.parent.name != str(os.getpid()) and word.encode() in place.read_bytes():
                found.append(place.with_name("cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def left_of(word: str) -> list[str]:
    """What is alive a second after the end: a killed process of a busy machine takes its moment to die."""
    wanted = time.monotonic() + 1.0
    while (found := processes_with(word)) and time.monotonic() < wanted:
        time.sleep(0.05)
    return found


FIX = ("fix", "test_mod.py::test_size", "--python", sys.executable)


def test_a_function_of_five_thousand_lines(project, ended):
    answer = ended(project(program=LONG), 15.0, *FIX, "--function", "size", "--json")
    assert (answer.status, answer.result["status"]) == (1, "unrepaired"), answer.messages


@pytest.mark.parametrize("pieces", [HEADERS, BODY], ids=["headers", "body"])
def test_an_endpoint_that_drips(project, ended, pieces):
    with serving(pieces, 0.5) as server:
        url = f"http://127.0.0.1:{server.port}/v1"
        model = ("--proposer", "model", "--model", "some-model", "--base-url", url)
        answer = ended(project(), 15.0, *FIX, *model, "--json", env={"REPAIR_API_KEY": "sk-canary-51d0a7b3e9"})
    assert answer.result["status"] in ("model_error", "unrepaired", "environment")
    if server.sent:  # a very busy machine spends all the time on the first runs
        assert f"asking the model some-model at 127.0.0.1:{server.port}" in answer.messages


def late(command):
    """Exit statuses that fit a time that is up: a machine that is quick enough has a diagnosis by then."""
    return (0, 1, 3) if command == "explain" else (1, 3)


def test_a_test_that_swallows_everything(project, ended):
    answer = ended(project(SWALLOWS), 4.0, *FIX, "--json")
    assert (answer.status, answer.result["status"]) == (1, "unrepaired"), answer.messages


def test_a_test_that_touches_all_memory(project, ended):
    answer = ended(project(TOUCHES), 6.0, *FIX, "--json")
    assert answer.status in (1, 3)


def test_a_conftest_that_sleeps(project, ended):
    root = project(**{"conftest.py": "import time\ntime.sleep(1000)\n"})
    assert ended(root, 4.0, *FIX, "--json").status in (1, 3)


@pytest.mark.parametrize("words", [FIX, ("fix",), ("explain",), ("tests",)], ids=["one", "fix", "explain", "tests"])
def test_a_suite_of_half_a_minute(project, ended, words):
    assert ended(project(MANY), 4.0, *words, "--json").status in late(words[0])


def test_a_module_of_twenty_thousand_lines(project, ended):
    assert ended(project(program=HUGE), 4.0, *FIX, "--json").status in (1, 3)


@pytest.mark.parametrize("command", ["fix", "explain", "tests"])
def test_a_hanging_test_under_each_command(project, ended, command):
    words = (command, "--python", sys.executable, "--json")
    assert ended(project(SWALLOWS), 4.0, *words).status in late(command)


def test_a_check_whose_tests_hang(project, ended, tmp_path):
    (tmp_path / "fix.diff").write_text(PATCH)
    answer = ended(project(SWALLOWS), 5.0, "check", str(tmp_path / "fix.diff"), "--python", sys.executable, "--json")
    assert answer.status in (1, 3)
    assert answer.result["patches"] == [], "nothing was shown, so nothing is said"


@pytest.mark.parametrize("form", ["text", "diff", "json", "jsonl", "github", "sarif"])
def test_a_second_is_too_little_and_is_an_answer_in_each_format(project, ended, form):
    answer = ended(project(), 0.5, *FIX, "--output-format", form)
    assert answer.status == 1
    match form:
        case "text":
            assert answer.output.startswith("unrepaired")
        case "diff":
            assert answer.output == ""
        case "json" | "jsonl":
            assert json.loads(answer.output.strip().splitlines()[-1] if form == "jsonl" else answer.output)[
                "status"
            ] == ("unrepaired")
        case "github":
            assert re.search("[Tt]he time (of the run was|for the whole run is) up", answer.output)
        case "sarif":
            assert json.loads(answer.output)["version"] == "2.1.0"


def test_a_patch_that_nobody_writes(project, margin):
    root = project()
    reader, writer = os.pipe()  # stays open, and nothing comes
    words = [str(Path(sys.executable).with_name("repair")), "check", "-", "--root", str(root), "--max-seconds", "1"]
    began = time.monotonic()
    try:
        done = subprocess.run(words, stdin=reader, capture_output=True, text=True, timeout=60, check=False)
    finally:
        os.close(reader)
        os.close(writer)
    assert done.returncode == 1
    assert done.stdout.startswith("unrepaired")
    assert time.monotonic() - began <= 1 + PROMISE + margin
