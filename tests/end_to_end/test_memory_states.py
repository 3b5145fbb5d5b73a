"""Whatever state the memory is in, a run has the same patch, and each gate decides the same of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from end_to_end.conftest import Command

from corpora.lab.benchmarks.remembering import drawn_attempts
from repair.front.run_memories import project_ledger
from repair.memory.ledger import RunLedger
from repair.store.store import RunStore, open_store

MODULE = '''\
def total(items):
    """The sum of the items."""
    found = 0
    for item in items:
        found += item
    return found - 1
'''
TESTS = """\
import shop


def test_total():
    assert shop.total([1, 2]) == 3


def test_more():
    assert shop.total([4, 5, 6]) == 15


def test_negative():
    assert shop.total([-4, 1]) == -3
"""


def full(store: RunStore) -> None:
    project_ledger(store).add(drawn_attempts(500, 1))


def corrupt(store: RunStore) -> None:
    project_ledger(store).path.write_bytes(b"no database" * 1000)


def arrived(store: RunStore) -> None:
    RunLedger(project_ledger(store).path, b"somebody else's key" * 2, str(store.root)).add(drawn_attempts(500, 1))


def empty(store: RunStore) -> None:
    assert not project_ledger(store).path.exists()


def test_no_state_of_the_memory_moves_a_verdict(repair: Command, tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "shop.py").write_text(MODULE)
    (project / "test_shop.py").write_text(TESTS)
    off = judged_with(repair, project, tmp_path / "off", empty, "off")
    assert off["status"] == "certified"
    for prepare in (empty, full, corrupt, arrived):
        found = judged_with(repair, project, tmp_path / prepare.__name__, prepare, "project")
        assert found == off, prepare.__name__


def judged_with(
    repair: Command, project: Path, state: Path, prepare: Callable[[RunStore], None], memory: str
) -> dict[str, Any]:
    """The status, and the patches with what each gate decided. Which witness a claim names may vary from run to run."""
    env = {"XDG_STATE_HOME": str(state)}
    with mock.patch.dict(os.environ, env):
        prepare(open_store(project))
    told = repair("fix", "--memory", memory, "--json", cwd=project, env=env).result
    return {
        "status": told["status"],
        "patches": [
            (
                patch["diff"],
                patch["status"],
                [(each["gate"], each["decision"]) for each in patch["evidence"]],
            )
            for patch in told["patches"]
        ],
    }
