"""Whether `--max-seconds N` holds on a busy machine: each command has ended by N + 2 s, with an answer.

The projects stand in this file: one in which nothing is slow, and those in which something does not end by itself.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions

PROMISE = 2.0
"""Seconds after its time by which a command has ended."""

SECONDS = (1.0, 3.0, 5.0, 10.0, 30.0)

COMMANDS = (("fix",), ("check", "mend.diff"), ("tests",), ("explain",))

HELD = Figure("deadlines_held", 1.0, 1.0)

OLD = "def size(count):\n    return count * 1000\n\n\ndef label(count):\n    return f'{size(count)} bytes'\n"
PATCH = """\
--- a/mod.py
+++ b/mod.py
@@ -1,2 +1,2 @@
 def size(count):
-    return count * 1000
+    return count * 1024
"""
TEST = "from mod import label, size\n\n\ndef test_size():\n    assert size(2) == 2048\n"
PASSES = "\n\ndef test_label():\n    assert label(0) == '0 bytes'\n"
SWALLOWS = """

def test_hangs():
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass
"""
SLOW = "\n\n@pytest.mark.parametrize('number', range(300))\ndef test_slow(number):\n    time.sleep(0.1)\n"
LONG = "\n\ndef long(count):\n" + "    count = count + 1\n" * 4000 + "    return count\n"

PROJECTS = {
    "small": {"mod.py": OLD, "test_mod.py": TEST + PASSES},
    "hanging test": {"mod.py": OLD, "test_mod.py": "import time\n" + TEST + PASSES + SWALLOWS},
    "hanging conftest": {"mod.py": OLD, "test_mod.py": TEST + PASSES, "conftest.py": "import time\ntime.sleep(1000)\n"},
    "slow suite": {"mod.py": OLD, "test_mod.py": "import time\nimport pytest\n" + TEST + PASSES + SLOW},
    "long function": {"mod.py": OLD + LONG, "test_mod.py": TEST + PASSES},
}
"""Files of each project. The first test of each fails, and `mend.diff` mends it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one command ended; ``late`` is how many seconds after its time, negative where it was early."""

    project: str
    command: str
    seconds: float
    late: float
    status: str

    @property
    def is_held(self) -> bool:
        """Whether it ended in time, and with an answer."""
        return self.late <= PROMISE and self.status != ""


@click.command()
@click.option("--runs", type=click.IntRange(min=1), default=100, show_default=True, help="Commands in all.")
@click.option("--loops", type=click.IntRange(min=0), default=2, show_default=True, help="Busy loops beside them.")
@click.option("--only", default="", help="Projects whose names hold this.")
@click.option("--most", type=float, default=max(SECONDS), show_default=True, help="The longest time to give.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/deadlines.json"), show_default=True)
def main(runs: int, loops: int, only: str, most: float, out: Path) -> None:
    """Run commands with a deadline on a busy machine, and say which ended too late."""
    names = [name for name in PROJECTS if only in name]
    cells = [(s, c, n) for s in SECONDS if s <= most for n in names for c in COMMANDS]
    with tempfile.TemporaryDirectory() as folder, keep_busy(loops):
        place = Path(folder)
        for name in names:
            make_project(place / name, PROJECTS[name])
        ended = []
        for seconds, command, name in itertools.islice(itertools.cycle(cells), runs):
            ended.append(run_command(place, name, command, seconds))
            say(f"{'held' if ended[-1].is_held else 'LATE'}  {ended[-1]}")
    found = summarize(ended)
    click.echo(table(found))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, found, date=now, versions=versions(), machine=machine_of())
    out.with_suffix(".runs.json").write_text(json.dumps([asdict(each) for each in ended], indent=1) + "\n")


@contextlib.contextmanager
def keep_busy(loops: int) -> Iterator[None]:
    """Meanwhile so many loops keep a core busy each."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for loop in running:
            loop.kill()
            loop.wait()


def make_project(root: Path, files: dict[str, str]) -> None:
    """The project with its patch."""
    root.mkdir()
    for name, text in {**files, "pytest.ini": "[pytest]\n", "mend.diff": PATCH}.items():
        (root / name).write_text(text, encoding="utf-8")


def run_command(place: Path, name: str, command: tuple[str, ...], seconds: float) -> Ended:
    """One command with so many seconds, on the wall and from outside; nothing is known from a run before."""
    words = [sys.executable, "-E", "-P", "-m", "repair", *command, "--max-seconds", f"{seconds:g}", "--json"]
    with tempfile.TemporaryDirectory() as state:
        words += ["--root", str(place / name), "--state-dir", state, "--python", sys.executable]
        began = time.monotonic()
        done = subprocess.run(words, cwd=place / name, capture_output=True, check=False)
        took = time.monotonic() - began
    try:
        status = str(json.loads(done.stdout)["status"])
    except (ValueError, KeyError):
        status = ""
    return Ended(name, command[0], seconds, round(took - seconds, 3), status)


def summarize(ended: list[Ended]) -> Measured:
    """The share of commands that ended in time, for each of them, and the latest one."""
    commands = sorted({each.command for each in ended})
    shares = []
    for command in commands:
        held = [each.is_held for each in ended if each.command == command]
        shares.append((command, sum(held) / len(held)))
    numbers = (
        ("runs", float(len(ended))),
        ("held", float(sum(each.is_held for each in ended))),
        ("latest_seconds", max(each.late for each in ended)),
    )
    return Measured((Row(HELD, tuple(shares)),), numbers, ("seconds on the wall, from outside of the process",))


if __name__ == "__main__":
    main()
