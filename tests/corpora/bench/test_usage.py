"""Usage: what killed processes have used is kept, and nothing is counted twice."""

from __future__ import annotations

import subprocess
import sys
import time

from corpora.bench.usage import Usage

BUSY = "import time\nwhile time.process_time() < {}: pass\n"
PARENT = """
import signal, subprocess, sys, time
lost = subprocess.Popen([sys.executable, "-c", {busy!r} + "time.sleep(60)"], stdout=subprocess.DEVNULL)
waited = subprocess.run([sys.executable, "-c", {busy!r}])
print("busy", flush=True)
sys.stdin.readline()
lost.kill()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for it: what it used is in no account
while lost.poll() is None: pass
print("lost", flush=True)
sys.stdin.readline()
"""


def test_what_was_killed_is_still_counted_and_what_was_waited_for_once():
    script = PARENT.format(busy=BUSY.format(0.3))
    process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        usage = Usage(process.pid)
        process.stdout.readline()
        _until_busy(usage)
        before = usage.cpu_seconds
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        usage.look()
        assert before <= usage.cpu_seconds < before + 0.5
        assert usage.peak_mb > 5
        process.kill()


def _until_busy(usage: Usage) -> None:
    """Both children have used up their time, whatever else the machine does."""
    until = time.monotonic() + 60
    while usage.cpu_seconds < 0.5:  # clocks tick, and a process may stop a little before its time
        assert time.monotonic() < until
        usage.look()
        time.sleep(0.05)
