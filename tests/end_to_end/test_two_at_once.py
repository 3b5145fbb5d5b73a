"""Two engines in one project at once: each ends as it would alone, and of two that write one does."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes.bare import BARE

from repair.records.result import FileChange, PatchView, Result, Status
from repair.store.atomic import sha256
from repair.store.store import open_store

COMMAND = str(Path(sys.executable).with_name("repair"))

OLD, NEW = b"def f():\n    return 1\n", b"def f():\n    return 2\n"

SHOP = "def price(number):\n    if number > 10:\n        return number * 4\n    return number * 5\n"
TESTS = (
    "from shop import price\n\n\ndef test_bulk():\n    assert price(10) == 40\n\n\n"
    "def test_single():\n    assert price(1) == 5\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    return project


def test_of_two_that_apply_one_writes_and_the_other_says_why_not(root):
    (root / "a.py").write_bytes(OLD)
    change = FileChange("a.py", sha256(OLD), sha256(NEW))
    patch = PatchView(1, Status.CERTIFIED, "a.py", "f", "diff", "d1", files=(change,))
    record = open_store(root).new_run(datetime.datetime(2025, 1, 2), "aa", lambda: 0.0)
    record.save_candidate("d1", "diff", (("a.py", NEW),))
    record.save_result(Result(Status.CERTIFIED, patches=(patch,)))
    record.close()
    for word, after in (("apply", NEW), ("undo", OLD)):
        both = [
            subprocess.Popen([COMMAND, word], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        said = [each.communicate(timeout=60) for each in both]
        assert sorted(each.returncode == 0 for each in both) == [False, True], said
        (refused,) = (err for each, (_, err) in zip(both, said, strict=True) if each.returncode)
        assert refused.startswith("repair: ")
        assert "Traceback" not in refused
        assert (root / "a.py").read_bytes() == after
    assert {path.name for path in root.iterdir()} == {".repair", "pyproject.toml", "a.py"}


def test_of_two_that_mend_the_second_names_the_first_and_both_end_alike(root, repair):
    (root / "shop.py").write_text(SHOP)
    (root / "test_shop.py").write_text(TESTS)
    words = ["fix", "test_shop.py::test_bulk", "--root", str(root), "--json", "--max-seconds", "200", "--no-cache"]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "PYTHON", "PYTEST_"))}
    env = {**kept, **BARE, "REPAIR_PASS_ENV": " ".join(BARE)}
    with subprocess.Popen([COMMAND, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as first:
        end = time.monotonic() + 60
        while not open_store(root).run_ids() and time.monotonic() < end:
            time.sleep(0.01)
        (run,) = open_store(root).run_ids()
        second = repair(*words)
        out, _ = first.communicate(timeout=300)
    assert f"run {run} is under way in this project too" in second.messages
    results = [json.loads(out), second.result]
    assert {result["status"] for result in results} == {"certified"}
    assert len({result["patches"][0]["digest"] for result in results}) == 1
    assert {row.status for row in open_store(root).list_runs().runs} == {"certified"}
    assert not any("under way" in said for result in results for said in result["warnings"])
