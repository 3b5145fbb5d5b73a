"""`repair bench run` with its own workers: the judge on patches of others, kills at odd moments, a Dask cluster."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., "subprocess.Popen[bytes]"]

BUGS = "abcdef"

PATIENCE = 900
"""Seconds after which something hangs: on a busy machine everything takes long."""

HALF = "def half(n):\n    return n // 3\n"
TESTS = """\
    from half import half


    def test_half():
        assert half(4) == 2
        assert half(10) == 5
        assert half(7) == 3
        assert half(0) == 0
    """
PATCH = "--- a/half.py\n+++ b/half.py\n@@ -1,2 +1,2 @@\n def half(n):\n-    return n // 3\n+    return n // {}\n"
CONFIGURATIONS = """\
    [asleep]
    command = ["sleep", "1"]

    [given]
    predictions = "given.jsonl"
    """


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A corpus of bugs that are all alike, with configurations beside it."""
    for name in BUGS:
        folder = tmp_path / "corpus" / name
        folder.mkdir(parents=True)
        (folder / "half.py").write_text(HALF)
        (folder / "test_half.py").write_text(textwrap.dedent(TESTS))
        (folder / "reference").mkdir()
        (folder / "reference" / "half.py").write_text(HALF.replace("3", "2"))
    (tmp_path / "bench.toml").write_text(textwrap.dedent(CONFIGURATIONS))
    given = {"a": PATCH.format(2), "b": PATCH.format(5), "c": "no patch", "d": ""}
    lines = (json.dumps({"instance_id": bug, "model_patch": patch}) + "\n" for bug, patch in given.items())
    (tmp_path / "given.jsonl").write_text("".join(lines))
    return f"flat:{tmp_path / 'corpus'}"


def records(directory: Path) -> list[dict[str, Any]]:
    lines = [line for path in directory.glob("records*.jsonl") for line in path.read_bytes().splitlines(keepends=True)]
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def test_patches_of_others_go_through_the_judge(repair: Callable[..., Any], corpus: str, tmp_path: Path):
    answer = repair(
        "bench", "run", corpus, "--config", "given", "--bugs", "[a-d]", "--out", "out", "--no-score", "--json"
    )
    assert answer.status == 0, answer.messages
    (count,) = answer.result["configurations"]
    assert (count["done"], count["fixed"]) == (4, 1)
    found = {record["cell"]["bug"]: record for record in records(tmp_path / "out")}
    assert found["a"]["result"]["status"] in ("certified", "plausible")
    assert found["a"]["submitted"] == PATCH.format(2)
    assert found["b"]["result"]["status"] == "rejected"
    assert found["c"]["result"]["status"] == "rejected"
    assert found["d"]["result"]["messages"] == ["no patch is predicted"]
    assert found["a"]["result"]["root"] == ""
    assert 0 < found["a"]["engine_seconds"] <= found["a"]["seconds"]
    assert found["a"]["cpu_seconds"] > 0


def test_neither_a_killed_worker_nor_kill_9_of_everything_loses_a_record(started: Start, tmp_path: Path):
    bench = started("--jobs", "2")
    wait_for(lambda: records(tmp_path / "out"))
    os.kill(workers_of(bench)[0], signal.SIGKILL)
    wait_for(lambda: len(records(tmp_path / "out")) >= 2)
    for process in (bench.pid, *workers_of(bench)):
        os.kill(process, signal.SIGKILL)
    bench.wait()
    before = records(tmp_path / "out")
    assert started("--resume").wait(PATIENCE) == 0
    found = records(tmp_path / "out")
    assert found[: len(before)] == before
    assert sorted(record["cell"]["bug"] for record in found if record["ending"] == "done") == list(BUGS)
    assert {record["error"] for record in found} <= {"", "the worker was killed"}


def test_an_interrupted_run_ends_its_workers_and_keeps_its_records(started: Start, tmp_path: Path):
    bench = started("--jobs", "1")
    wait_for(lambda: records(tmp_path / "out"))
    workers = workers_of(bench)
    assert workers
    bench.send_signal(signal.SIGINT)
    assert bench.wait(PATIENCE) == 130, (tmp_path / "said").read_text()
    wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    assert all(record["ending"] == "done" for record in records(tmp_path / "out"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]]:
    """A real scheduler with two workers: its address, its process, theirs."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("Dask is not installed")
    file = tmp_path / "scheduler.json"
    common = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-P", "-m"]
    place = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    scheduler = subprocess.Popen([*dask, "distributed.cli.dask_scheduler", *place], **common)
    address = str(wait_for(lambda: file.exists() and file.read_text() and json.loads(file.read_text())["address"]))
    worker = [*dask, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    workers = [subprocess.Popen(worker, **common) for _ in range(2)]
    try:
        yield address, scheduler, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_a_cluster_may_lose_a_worker_and_then_its_scheduler(started: Start, tmp_path: Path, cluster: Any):
    address, scheduler, workers = cluster
    bench = started("--scheduler", address, "--bugs", "[a-c]")
    wait_for(lambda: records(tmp_path / "out"))
    workers[0].kill()
    assert bench.wait(PATIENCE) == 0, (tmp_path / "said").read_text()
    assert sorted(record["cell"]["bug"] for record in records(tmp_path / "out")) == ["a", "b", "c"]

    bench = started("--scheduler", address, "--resume")
    wait_for(lambda: len(records(tmp_path / "out")) >= 4)
    scheduler.kill()
    assert bench.wait(PATIENCE) == 3, (tmp_path / "said").read_text()
    assert "The scheduler went away" in (tmp_path / "said").read_text()
    kept = records(tmp_path / "out")
    assert started("--resume").wait(PATIENCE) == 0
    found = records(tmp_path / "out")
    assert found[: len(kept)] == kept
    assert sorted(record["cell"]["bug"] for record in found) == list(BUGS)


@pytest.fixture
def started(corpus: str, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts runs of the sleeping method in processes of their own; those that still run at the end are ended."""
    runs: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> subprocess.Popen[bytes]:
        runs.append(sleeping(corpus, *words, cwd=tmp_path))
        return runs[-1]

    yield start
    for run in runs:
        run.terminate()
        run.wait()


def sleeping(corpus: str, *words: str, cwd: Path) -> subprocess.Popen[bytes]:
    command = [str(Path(sys.executable).with_name("repair")), "bench", "run", corpus, "--config", "asleep"]
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("REPAIR_", "PYTHON", "PYTEST_"))}
    with (cwd / "said").open("wb") as said:
        return subprocess.Popen(
            [*command, "--no-score", "--out", "out", *words], cwd=cwd, env=kept, stdout=said, stderr=said
        )


def workers_of(run: subprocess.Popen[bytes]) -> list[int]:
    """The processes that measure, once there are records."""
    below = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    return [int(pid) for pid in below if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def wait_for(found: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    until = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.05)
    return value
