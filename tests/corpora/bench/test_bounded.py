"""Children under bounds: what they report, how they are ended, and that none outlives whoever started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from corpora.bench import bounded, watcher
from corpora.bench.bounded import run_bounded

ROOMY = 4096


def answer(given: object) -> bytes:
    return repr(given).encode()


def spend(seconds: float) -> bytes:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return b"x" * 1_000_000


def fail(given: str) -> bytes:
    raise ValueError(given)


def die(number: int) -> bytes:
    os.kill(os.getpid(), number)
    return b"alive"


def fill(megabytes: int) -> bytes:
    return bytes(megabytes << 20)[:1]


def sleep(place: str) -> bytes:
    try:
        time.sleep(60)
    finally:
        Path(place).write_text("cleaned up")
    return b"slept"


def deaf(given: object) -> bytes:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
    return b""


ORPHAN = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    while time.process_time() < float(sys.argv[2]): pass
    with open(sys.argv[1] + ".new", "w") as file: file.write(str(os.getpid()))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    time.sleep(float(sys.argv[3]))
    os._exit(0)
"""


def orphan(words: tuple[str, ...]) -> bytes:
    """Have a process that nobody waits for, which writes its number down when it has used its time."""
    subprocess.run([sys.executable, "-c", ORPHAN, *words], check=True)
    _wait_for(Path(words[0]))
    return b""


def deaf_with_orphan(place: str) -> bytes:
    """Leave a process of a session of its own, and hear nothing."""
    orphan((place, "0", "60"))
    return deaf(None)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a worker of ours: threads that other tests have left behind are none of ours."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)


def test_a_report_comes_back_with_what_it_took():
    ended = run_bounded(spend, 0.2, 30, ROOMY)
    assert ended.report == b"x" * 1_000_000
    assert ended.cpu_seconds >= 0.2
    assert ended.peak_mb > 5
    assert (ended.status, ended.is_late) == (0, False)


def test_with_threads_a_fresh_interpreter_does_the_work(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    ended = run_bounded(os.path.basename, b"was/said", 30, ROOMY)
    assert (ended.report, ended.status) == (b"said", 0), ended.said


def test_an_exception_is_told():
    ended = run_bounded(fail, "odd", 30, ROOMY)
    assert (ended.report, ended.status) == (b"", 70)
    assert "ValueError: odd" in ended.said


def test_a_death_is_told():
    ended = run_bounded(die, signal.SIGKILL, 30, ROOMY)
    assert (ended.report, ended.status) == (b"", -signal.SIGKILL)


def test_memory_is_bounded():
    assert run_bounded(fill, 50, 30, 2000).report == b"\0"
    assert "MemoryError" in run_bounded(fill, 3000, 30, 2000).said


def test_a_late_child_may_clean_up(tmp_path: Path):
    ended = run_bounded(sleep, str(tmp_path / "mark"), 0.3, ROOMY)
    assert ended.is_late
    assert (tmp_path / "mark").read_text() == "cleaned up"


def test_one_that_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded, "GRACE_SECONDS", 0.3)
    ended = run_bounded(deaf, None, 0.3, ROOMY)
    assert (ended.is_late, ended.status) == (True, -signal.SIGKILL)


def test_the_watcher_kills_one_that_does_not_listen_and_takes_what_it_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Also when nobody is left to do it: a worker that was killed, say."""
    monkeypatch.setattr(watcher, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(watcher, "LINGER_SECONDS", 0.1)
    ended = run_bounded(deaf_with_orphan, str(tmp_path / "mark"), 3, ROOMY)
    assert (ended.is_late, ended.status) == (True, -signal.SIGKILL)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "mark").read_text()), 0)


def test_the_time_of_what_nobody_waited_for_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded, "LOOK_SECONDS", 60)
    monkeypatch.setattr(watcher, "LINGER_SECONDS", 30)
    ended = run_bounded(orphan, (str(tmp_path / "mark"), "0.3", "0"), 30, ROOMY)
    assert ended.status == 0, ended.said
    assert ended.cpu_seconds >= 0.3


def test_what_a_child_leaves_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watcher, "LINGER_SECONDS", 0.1)
    assert run_bounded(orphan, (str(tmp_path / "mark"), "0", "60"), 30, ROOMY).status == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "mark").read_text()), 0)


def test_a_child_ends_with_its_parent_and_cleans_up(tmp_path: Path):
    mark, script = tmp_path / "mark", tmp_path / "parent.py"
    script.write_text(
        "import sys, time\n"
        "from pathlib import Path\n"
        "from corpora.bench.bounded import run_bounded\n"
        "def work(place):\n"
        "    try:\n"
        "        Path(place + '.begun').touch()\n"
        "        time.sleep(60)\n"
        "    finally:\n"
        "        Path(place).touch()\n"
        "    return b''\n"
        f"run_bounded(work, {str(mark)!r}, 60, {ROOMY})\n"
    )
    root = Path(bounded.__file__).parents[2]
    parent = subprocess.Popen([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": str(root)})
    _wait_for(Path(f"{mark}.begun"))
    parent.kill()
    parent.wait()
    _wait_for(mark)


def _wait_for(path: Path) -> None:
    until = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < until, f"{path.name} never came"
        time.sleep(0.02)
