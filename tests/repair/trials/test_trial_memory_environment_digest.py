"""Whatever can change how a trial ends changes the digest; nothing else does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.facts import Limits, TestId
from repair.trials.trial_memory import LARGE, world
from sandbox.interpreter import Interpreter
from sandbox.options import TargetOptions
from sandbox.target import Target
from sandbox.workspace import take_snapshot

TESTS = (TestId("test_m.py::test_it"),)
KEY = b"k" * 32


def seen(
    base: Path,
    target: Callable[[Target], Target] = lambda target: target,
    *,
    tests: tuple[TestId, ...] = TESTS,
    files: tuple[tuple[str, bytes], ...] = (),
    limits: Limits | None = None,
    isolation: str = "bwrap",
    engine: str = "1",
    key: bytes = KEY,
) -> bytes:
    """The digest of the project in the folder, as the target has it."""
    copy = base / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    root = str(base / "project")
    python = Interpreter(
        str(base / "python"), (3, 11, 7), "8.3.5", "", (), (str(base / "site"),), (str(base / "editable"),)
    )
    made = target(Target(root, python, TargetOptions(), (), (("NAME", "value"),)))
    return world(made, take_snapshot(root, copy), isolation, engine, key)(tests, files, limits)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A project, an interpreter, a folder of installed packages, and an editable install."""
    for folder in ("project", "site/one-1.0.dist-info", "editable/package"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("project/m.py", "project/table.csv", "python", "editable/package/code.py"):
        (tmp_path / name).write_text("1\n")
    (tmp_path / "project/large.bin").write_bytes(b"0" * LARGE)
    return tmp_path


def test_the_same_world_gives_the_same_digest(base: Path) -> None:
    first = seen(base)
    (base / "project/m.py").write_text("1\n")
    os.utime(base / "project/table.csv", ns=(1, 1))
    longer = Limits(wall_seconds=1.0, test_seconds=2.0, cpu_seconds=3.0)
    assert seen(base, limits=longer) == first == seen(base)


CHANGES: dict[str, Callable[[Path], object]] = {
    "module": lambda base: (base / "project/m.py").write_text("2\n"),
    "data": lambda base: (base / "project/table.csv").write_text("2\n"),
    "new file": lambda base: (base / "project/new.txt").write_text(""),
    "new folder": lambda base: (base / "project/empty").mkdir(),
    "link": lambda base: (base / "project/link").symlink_to("m.py"),
    "mode": lambda base: (base / "project/m.py").chmod(0o755),
    "large file": lambda base: os.utime(base / "project/large.bin", ns=(1, 1)),
    "interpreter": lambda base: (base / "python").write_text("another"),
    "installed": lambda base: (base / "site/one-1.0.dist-info").rename(base / "site/one-1.1.dist-info"),
    "reinstalled": lambda base: os.utime(base / "site/one-1.0.dist-info", ns=(1, 1)),
    "uninstalled": lambda base: shutil.rmtree(base / "site"),
    "editable install": lambda base: (base / "editable/package/code.py").write_text("22\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_on_disk_is_seen(base: Path, change: str) -> None:
    before = seen(base)
    CHANGES[change](base)
    assert seen(base) != before


def test_a_change_of_the_settings_is_seen(base: Path) -> None:
    every = {
        seen(base),
        seen(base, tests=(*TESTS, TestId("test_m.py::test_other"))),
        seen(base, tests=()),
        seen(base, files=(("m.py", b"3\n"),)),
        seen(base, files=(("table.csv", b"3\n"),)),
        seen(base, limits=Limits(memory_bytes=1 << 30)),
        seen(base, isolation="none"),
        seen(base, engine="2"),
        seen(base, key=b"l" * 32),
        seen(base, lambda target: replace(target, options=TargetOptions(options=("-k", "x")))),
        seen(base, lambda target: replace(target, path_entries=(str(base),))),
        seen(base, lambda target: replace(target, passed=(("NAME", "other"),))),
        seen(base, lambda target: replace(target, passed=(("OTHER", "value"),))),
        seen(base, lambda target: replace(target, interpreter=replace(target.interpreter, version=(3, 12, 0)))),
        seen(base, lambda target: replace(target, interpreter=replace(target.interpreter, pytest="9.0.0"))),
    }
    assert len(every) == 15
