"""Kills at random moments: whoever dies, nothing is left behind, and the next run works."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.bench.processes import descendants
from corpora.lab.benchmarks.leftovers import left_behind, processes_left

VICTIMS = ("engine", "server", "worker")
_PATIENCE = 300.0
_TEST = "test_mid.py::test_middle"
_FILES = {
    "mid.py": """
        def middle(values):
            ordered = sorted(values)
            half = len(ordered) // 2
            if len(ordered) % 2 == 0:
                return (ordered[half] + ordered[half]) / 2
            return ordered[half]
    """,
    "test_mid.py": """
        from mid import middle

        def test_odd():
            assert middle([3, 1, 2]) == 2

        def test_middle():
            assert middle([4, 1, 2, 3]) == 2.5
            assert middle([9, 1]) == 5
    """,
}


@dataclass(frozen=True, slots=True)
class Kill:
    """One round: who was killed after how many seconds, how the run ended, and what went wrong after it.

    ``hit`` is false where the run was over before the victim could be found.
    """

    victim: str
    after: float
    hit: bool
    status: int
    word: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A project to mend, a temporary directory of its own for all runs, and the command that follows a kill."""

    root: Path
    temporary: Path
    isolation: str
    following: str = "fix"


def kills(rounds: int, folder: Path, isolation: str, seed: int, say: Callable[[str], None]) -> tuple[Kill, ...]:
    """Rounds in which each victim has its turn. A first, undisturbed run says what is usual and how long it takes."""
    scene = set_up(folder, isolation)
    began = time.monotonic()
    usual, problems = _run_undisturbed(scene)
    took = time.monotonic() - began
    assert not problems, f"an undisturbed run leaves something behind: {problems}"
    say(f"an undisturbed run takes {took:.1f} s and ends {usual}")
    chance = random.Random(seed)
    found: list[Kill] = []
    for number in range(rounds):
        victim = VICTIMS[number % 3]
        # A run that others slow down is no guide to the next: half of its time is surely within that.
        after = chance.uniform(0.3, 0.5 * took if victim == "engine" else 5.0)
        found.append(one_kill(scene, victim, after, usual))
        say(f"{number + 1} of {rounds}: {found[-1]}")
    return tuple(found)


def set_up(folder: Path, isolation: str, following: str = "fix") -> Scene:
    """A project with a fault that search mends."""
    scene = Scene(folder / "mid", folder / "tmp", isolation, following)
    for each in (scene.root, scene.temporary):
        each.mkdir(parents=True)
    for name, text in _FILES.items():
        (scene.root / name).write_text(textwrap.dedent(text).lstrip())
    return scene


def one_kill(scene: Scene, victim: str, after: float, usual: str) -> Kill:
    """Start a run, kill the victim so many seconds after its first appearance, and look.

    After a killed engine it is for the next run to clean up.
    """
    run = _start(scene, "fix")
    _wait_for_victim(run, victim)
    time.sleep(after)
    pids = (run.pid, *descendants(run.pid))
    hit = _hit(run, victim)
    said, _ = run.communicate(timeout=_PATIENCE)
    word = _word(said)
    if victim == "engine":
        problems = [*processes_left(scene.temporary, 10.0)]
        again, left = _run_undisturbed(scene, pids)
        problems += left
        if again != usual:
            problems.append(f"the next run ended {again}, not {usual}")
    else:
        problems = [*left_behind(scene.temporary, pids, 10.0)]
        if not word:
            problems.append(f"the engine gave no result: exit status {run.returncode}")
    return Kill(victim, round(after, 2), hit, run.returncode, word, tuple(problems))


def _hit(run: subprocess.Popen[bytes], victim: str) -> bool:
    """Kill the victim as soon as it is there; whether it came before the run was over."""
    while pid := _wait_for_victim(run, victim):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            return True
    return False


def _wait_for_victim(run: subprocess.Popen[bytes], victim: str) -> int:
    """Wait for the victim; 0 when the run is over, or does not get there."""
    until = time.monotonic() + _PATIENCE
    while run.poll() is None and time.monotonic() < until:
        pid = run.pid if victim == "engine" else _find_server(run.pid, victim)
        if pid:
            return pid
        time.sleep(0.005)
    return 0


def _find_server(engine: int, victim: str) -> int:
    """A process of the target's interpreter: one that has a child of its own kind is a server, the child a worker."""
    probes = [pid for pid in descendants(engine) if _is_probe(pid)]
    for pid in probes:
        below = [child for child in descendants(pid) if child in probes]
        if below:
            return pid if victim == "server" else below[-1]
    return 0


def _is_probe(pid: int) -> bool:
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return b"python" in os.path.basename(words[0]) and any(b"request.json" in word for word in words)
    return False


def _run_undisturbed(scene: Scene, engines: tuple[int, ...] = ()) -> tuple[str, tuple[str, ...]]:
    run = _start(scene, scene.following)
    said, _ = run.communicate(timeout=_PATIENCE)
    return _word(said), left_behind(scene.temporary, (run.pid, *engines), 10.0)


def _start(scene: Scene, command: str) -> subprocess.Popen[bytes]:
    words = ["repair", command, _TEST, "--root", str(scene.root), "--python", sys.executable]
    words += ["--max-candidates", "200"] if command == "fix" else []
    return subprocess.Popen(
        [sys.executable, "-P", "-m", *words, "--isolation", scene.isolation, "--json", "--no-progress"],
        env={**os.environ, "TMPDIR": str(scene.temporary), "HOME": str(scene.temporary.parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _word(said: bytes) -> str:
    """The status of a result, empty without one."""
    try:
        result: Any = json.loads(said)
    except ValueError:
        return ""
    return str(result.get("status", "")) if isinstance(result, dict) else ""
