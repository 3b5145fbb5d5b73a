"""`repair make` with a scripted server: what a task comes to, and what bad answers leave behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.made_replies import BAD, BOTH
from fakes.model_server import Fails, ModelServer, Says, model_server

from corpora.lab.made_tasks import PRICES, MadeTask
from repair.cli import main
from repair.records.made import MadeReport

KEY = "sk-canary-77c1a09d42"


def make(task: MadeTask, server: ModelServer, folder: Path, *more: str) -> tuple[int, Path]:
    (folder / "task.md").write_text(task.text)
    out = folder / "made"
    named = ["--model", "m", "--base-url", server.url, "--root", str(folder)]
    env = {**os.environ, "REPAIR_API_KEY": KEY}
    code = main(["make", str(folder / "task.md"), "--out", str(out), "--json", *named, *more], env=env)
    return code, out


def names_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_task_ends_with_all_required_tests_passing_through_a_patch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = PRICES
    with model_server(*map(Says, task.replies)) as server:
        code, out = make(task, server, tmp_path, "--max-seconds", "300")
        asked = server.asked
    shown = capsys.readouterr()
    report = MadeReport.from_json(json.loads(shown.out))
    assert code == 0, (report.steps, report.tests)
    assert report.patches
    assert len(report.required) >= 3
    assert all(test.outcome == "passed" for test in report.required)
    assert "certified" not in shown.out + shown.err
    assert not any(line in asked[1].text for line in task.program[0].splitlines() if line.startswith("    "))
    plain = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    assert subprocess.run(plain, cwd=out, check=False, env={"PYTHONDONTWRITEBYTECODE": "1"}).returncode == 0
    assert {file.path for file in report.files} == names_below(out) >= {"TASK.md", "pyproject.toml"}


def test_bad_answers_leave_nothing_and_each_fault_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ("out of the folder", "absolute", "stubs")
    with model_server(*(Says(BAD[name][1]) for name in chosen)) as server:
        code, out = make(PRICES, server, tmp_path)
    report = json.loads(capsys.readouterr().out)
    assert (code, out.exists(), report["written"]) == (1, False, False)
    assert [step["came"].partition(":")[0] for step in report["steps"]] == [BAD[name][0] for name in chosen]
    assert "the implementation is empty" in report["ended"]
    assert names_below(tmp_path) == {"task.md"}


@pytest.mark.parametrize("step", [Fails(401), Fails(404)])
def test_a_model_that_fails_before_there_is_a_program_leaves_nothing(
    step: Fails, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with model_server(step) as server:
        code, out = make(PRICES, server, tmp_path)
    shown = capsys.readouterr()
    assert (code, out.exists()) == (4, False)
    assert KEY not in shown.out + shown.err


def test_a_limit_before_there_is_a_program_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with model_server(Says(PRICES.replies[0])) as server:
        code, out = make(PRICES, server, tmp_path, "--max-requests", "1")
    assert (code, out.exists()) == (4, False)
    assert "was not asked for the tests" in capsys.readouterr().err


def test_a_required_test_that_nothing_mends_is_told_and_the_folder_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "A total of one price of 5 is always"
    task = replace(PRICES, task=f"{PRICES.task}\n- {says} 7.\n- {says} 8.\n")
    both = "".join(
        f'\n\ndef test_{n}():\n    """Quotes: {says} {n}."""\n    assert total([5]) == {n}\n' for n in (7, 8)
    )
    tests = PRICES.replies[1].replace("\n# === END", f"{both}\n# === END")
    program = PRICES.replies[0].replace("-= price", "+= price")
    with model_server(Says(program), Says(tests), Says("no")) as server:
        code, out = make(task, server, tmp_path, "--max-seconds", "24", "--max-requests", "2")
    report = MadeReport.from_json(json.loads(capsys.readouterr().out))
    assert (code, out.is_dir(), report.written) == (1, True, True)
    failing = [test.name for test in report.required if test.outcome != "passed"]
    assert failing == ["tests/test_prices.py::test_7", "tests/test_prices.py::test_8"]
    assert report.ended


def test_a_hostile_program_reaches_nothing_outside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "target.txt"
    target.write_text("mine")
    attack = PRICES.replies[0].replace(
        "def total", f"import os\nos.path.exists({str(target)!r}) and os.unlink({str(target)!r})\n\n\ndef total"
    )
    with model_server(Says(attack), Says(PRICES.replies[1]), Says("no")) as server:
        make(PRICES, server, tmp_path, "--max-seconds", "12")
    capsys.readouterr()
    assert target.read_text() == "mine"


@pytest.mark.parametrize("seconds", [1.0, 5.0])
def test_a_run_that_is_killed_leaves_the_folder_whole_or_not_at_all(tmp_path: Path, seconds: float) -> None:
    (tmp_path / "task.md").write_text(PRICES.text)
    out = tmp_path / "made"
    with model_server(*map(Says, PRICES.replies)) as server:
        words = ["make", "task.md", "--out", "made", "--model", "m", "--base-url", server.url]
        run = subprocess.Popen([sys.executable, "-m", "repair", *words], cwd=tmp_path, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert not out.exists() or names_below(out) >= {"TASK.md", "pyproject.toml", "prices.py", "tests/test_prices.py"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xff\xfe", "cannot be read"),
        (b"a\0b", "control"),
        (b"x" * 70_000, "more than"),
        (None, "cannot be read"),
    ],
)
def test_a_task_that_is_no_text_is_refused(
    content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "task.md").write_bytes(content)
    words = ["make", str(tmp_path / "task.md"), "--out", str(tmp_path / "made"), "--model", "m"]
    assert main(words, env=dict(os.environ)) == 2
    assert said in capsys.readouterr().err


def test_without_a_model_or_with_a_folder_that_holds_something_nothing_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "task.md").write_text(PRICES.text)
    env = {name: value for name, value in os.environ.items() if not name.startswith("REPAIR_")}
    assert main(["make", str(tmp_path / "task.md"), "--out", str(tmp_path / "made")], env=env) == 2
    assert "No model is named" in capsys.readouterr().err
    with model_server(Says(BOTH)) as server:
        code = main(
            ["make", str(tmp_path / "task.md"), "--out", str(tmp_path), "--model", "m", "--base-url", server.url],
            env=env,
        )
        assert (code, server.asked) == (2, [])
    assert "is not empty" in capsys.readouterr().err
