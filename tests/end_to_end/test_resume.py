"""Runs that are killed at some moment and go on: they end as one that nobody has stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from fakes.bare import BARE
from fakes.model_server import Asked, ModelServer, Says, model_server

from repair.model.exchanges import read_exchanges
from repair.store.store import open_store
from repair.store.stored_run import StoredRun

FILES = {
    "shop.py": """\
        def total(prices, discount=0):
            result = 0
            for price in prices:
                result += price
            return result - result * discount * 100


        def price(number):
            if number > 10:
                return number * 4
            return number * 5
        """,
    "test_shop.py": """\
        from shop import price, total


        def test_discount_is_a_percentage():
            assert total([100, 300], 25) == 300
            assert total([10], 50) == 5
            assert total([8, 8, 8], 75) == 6


        def test_without_discount_prices_add_up():
            assert total([]) == 0
            assert total([1, 2, 3]) == 6
            assert total([5], 0) == 5


        def test_bulk():
            assert price(10) == 40


        def test_single():
            assert price(1) == 5
        """,
}

TESTS = {"model": "test_shop.py::test_discount_is_a_percentage", "search": "test_shop.py::test_bulk"}

EDIT = "WHY: it is\n```python update `result * discount * 100`\n{}\n```\nEND."
WRONG, RIGHT = EDIT.format("0"), EDIT.format("result * discount / 100")


@dataclass(frozen=True)
class ByTurn(Says):
    """Answers the first turn of a conversation wrongly and all later ones rightly, however often it is asked."""

    def response(self, asked: Asked) -> bytes:
        return Says(RIGHT if "assistant" in json.dumps(asked.body) else WRONG).response(asked)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(ByTurn("")) as made:
        yield made


def project_in(folder: Path) -> Path:
    root = folder / "project"
    root.mkdir(parents=True)
    for name, text in FILES.items():
        (root / name).write_text(dedent(text))
    return root


def arguments(root: Path, arm: str, server: ModelServer) -> list[str]:
    asked = ["fix", TESTS[arm], "--root", str(root), "--json", "--seed", "5", "--max-seconds", "200"]
    return [*asked, *(("--proposer", "model", "--model", "m", "--base-url", server.url) if arm == "model" else ())]


def killed(root: Path, words: list[str], is_time: Callable[[dict[str, Any]], bool]) -> StoredRun:
    """The record of a run that was killed when it had told of such an event."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "OPENAI_", "PYTHON", "PYTEST_"))}
    env |= {**BARE, "REPAIR_PASS_ENV": " ".join(BARE)}
    command = [str(Path(sys.executable).with_name("repair")), *words]
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as begun:
        end = time.monotonic() + 150
        while begun.poll() is None and time.monotonic() < end:
            for run in open_store(root).stored_runs():
                if any(map(is_time, whole_events(run))):
                    begun.send_signal(signal.SIGKILL)
                    begun.wait()
                    return run
            time.sleep(0.01)
    pytest.fail(f"it never came so far: exit status {begun.returncode}")


def whole_events(run: StoredRun) -> list[dict[str, Any]]:
    path = run.path / "events.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


MOMENTS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "baseline": lambda e: e.get("type") == "phase" and e["name"] == "baseline",
    "search": lambda e: e.get("type") == "progress",
    "first reply": lambda e: e.get("type") == "request" and "finish" in e,
    "gates": lambda e: e.get("type") == "evidence",
}


@pytest.mark.parametrize("arm", ["search", "model"])
def test_a_killed_run_goes_on_and_ends_as_one_that_nobody_stopped(tmp_path, repair, server, arm):
    whole = repair(*arguments(project_in(tmp_path / "whole"), arm, server)).result
    asked = len(server.asked)
    assert whole["patches"], whole["messages"]
    for moment in ("baseline", "search", "gates") if arm == "search" else ("first reply", "gates"):
        root = project_in(tmp_path / moment)
        run = killed(root, arguments(root, arm, server), MOMENTS[moment])
        paid = sum("reply" in attempt for each in read_exchanges(run) for attempt in each["tries"])
        before = len(server.asked)
        gone_on = repair("resume", "latest", "--root", str(root), "--json").result
        assert gone_on["resumed_from"] == run.id
        assert gone_on["status"] == whole["status"]
        assert gone_on["patches"][0]["digest"] == whole["patches"][0]["digest"]
        assert gone_on["patches"][0]["diff"] == whole["patches"][0]["diff"]
        assert len(server.asked) - before == asked - paid
        assert any(f"it went on from run {run.id}" in said for said in gone_on["messages"])
        again = repair("resume", gone_on["run"], "--root", str(root))
        assert again.status == 2
        assert "has come to its end" in again.messages


def test_the_rounds_of_a_model_are_kept_with_what_came_of_each(tmp_path, repair, server):
    root = project_in(tmp_path)
    result = repair(*arguments(root, "model", server)).result
    rounds = repair("diff", "latest", "--root", str(root), "--json").result["rounds"]
    by_model = [each for each in rounds if "model" in each["made_by"]]
    assert [each["state"] for each in by_model] == ["failed", result["status"]]
    assert [(each["left"], each["failing"], each["request"]) for each in by_model] == [(1, 1, 1), (0, 1, 2)]
    names = [str(each["number"]) for each in by_model]
    shown = repair("diff", "latest", "--round", *names, "--root", str(root)).output
    assert "-    return result - 0\n" in shown
    assert "+    return result - result * discount / 100\n" in shown
    assert repair("diff", "latest", "--round", "0", names[1], "--root", str(root)).output.count("\n-    return") == 1


def test_what_cannot_go_on_is_refused_with_the_reason(tmp_path, repair, server):
    root = project_in(tmp_path)
    run = killed(root, arguments(root, "search", server), MOMENTS["baseline"])
    (root / "shop.py").write_text((root / "shop.py").read_text() + "\n# more\n")
    changed = repair("resume", "latest", "--root", str(root))
    assert changed.status == 1
    assert f"shop.py has changed since run {run.id} began" in changed.messages
    (root / "shop.py").write_text(dedent(FILES["shop.py"]))
    (root / "new.py").write_text("")
    assert "new.py is new since" in repair("resume", "latest", "--root", str(root)).messages
    (root / "new.py").unlink()
    (run.path / "seals" / "run.json").write_text("0" * 64)
    foreign = repair("resume", run.id, "--root", str(root))
    assert foreign.status == 2
    assert "is foreign" in foreign.messages
