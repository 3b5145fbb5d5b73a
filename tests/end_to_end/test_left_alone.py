"""Runs whose host goes away: an MCP server by the end of its input, SIGTERM or SIGKILL, a hook by SIGKILL.

What they had started ends within seconds, and leaves no folder.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from fakes.bare import BARE

from corpora.lab.benchmarks.leftovers import left_behind, processes_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SECONDS = 10.0
"""By then all is gone; on a quiet machine it takes a quarter of a second."""

PATIENCE = 60.0


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path):
    """A project whose one test takes longer than anybody here waits, with a change that is not committed."""
    root = tmp_path / "shop"
    root.mkdir()
    (tmp_path / "tmp").mkdir()
    (root / "shop.py").write_text("def price(n):\n    return n * 5\n")
    test = "import time\nimport shop\n\n\ndef test_price():\n    time.sleep(30)\n    assert shop.price(1) == 5\n"
    (root / "test_shop.py").write_text(test)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    (root / "shop.py").write_text("def price(n):\n    return 5 * n + 0 * n\n")
    return root


def start(shop, accepted_risk, *words, **given):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "PYTHON", "PYTEST_"))}
    own = {"TMPDIR": str(shop.parent / "tmp"), "HOME": str(shop.parent), "XDG_STATE_HOME": str(shop.parent / "state")}
    return subprocess.Popen(
        [str(sys.executable).rsplit("/", 1)[0] + "/repair", *words],
        env={**kept, **BARE, "REPAIR_PASS_ENV": " ".join(BARE), **accepted_risk, **own, **given},
        cwd=shop,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(shop, number):
    """Until so many processes are at work."""
    until = time.monotonic() + PATIENCE
    while len(found := [*processes_of(shop.parent)]) < number and time.monotonic() < until:
        time.sleep(0.05)
    assert len(found) >= number, found


def serve(shop, accepted_risk):
    """A server that judges a change: ``initialize``, and one call of a tool."""
    server = start(shop, accepted_risk, "mcp", "--root", str(shop))

    def send(**message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    send(id=1, method="initialize", params=client)
    assert json.loads(server.stdout.readline())["id"] == 1
    send(method="notifications/initialized")
    send(id=2, method="tools/call", params={"name": "check_patch", "arguments": {}})
    return server


def left_when_over(shop, process):
    """What is left behind once the process has ended, which takes no longer than that."""
    try:
        process.wait(SECONDS)
        return left_behind(shop.parent / "tmp", [process.pid], SECONDS)
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                stream.close()


LEAVINGS = {
    "end of input": lambda server: server.stdin.close(),
    "SIGTERM": lambda server: server.send_signal(signal.SIGTERM),
    "SIGKILL": lambda server: server.send_signal(signal.SIGKILL),
}


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize("leaving", LEAVINGS)
def test_a_server_that_is_left_ends_what_it_started(shop, accepted_risk, leaving, number):
    server = serve(shop, accepted_risk)
    wait_for(shop, number)  # two: the engine has just begun; four: tests are running
    LEAVINGS[leaving](server)
    assert left_when_over(shop, server) == ()


def test_a_hook_that_its_host_kills_leaves_no_judge_behind(shop, accepted_risk):
    hook = start(shop, accepted_risk, "hook", "stop")
    hook.stdin.write(json.dumps({"session_id": "s", "cwd": str(shop), "hook_event_name": "Stop"}))
    hook.stdin.close()
    wait_for(shop, 4)
    hook.kill()
    assert left_when_over(shop, hook) == ()
