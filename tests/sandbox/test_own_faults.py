"""What the sandbox itself fails at is tried again, and told apart from what the target does."""

import dataclasses
import subprocess

import pytest

from analysis.errors import TargetError
from analysis.facts import InvalidRun, RunFault, TestId, TestRun
from repair.observe.complete_runs import _unusable
from sandbox import process, sandbox
from sandbox.process import run

TEST = TestId("test_it.py::test_it")
FILES = {"test_it.py": "def test_it():\n    pass\n"}


def refuse(monkeypatch, times):
    """The sandbox fails so many times before anything of the target begins."""
    left = [times]

    def run_or_fail(command, *given):
        if left[0]:
            left[0] -= 1
            command = dataclasses.replace(command, argv=("/bin/sh", "-c", "echo no namespace; exit 1"))
        return run(command, *given)

    monkeypatch.setattr(sandbox, "run", run_or_fail)


def test_a_run_that_never_began_is_done_once_more(project, open_sandbox, monkeypatch):
    box = open_sandbox(project(FILES))
    refuse(monkeypatch, 1)
    assert isinstance(box.run([TEST]), TestRun)
    refuse(monkeypatch, 1)
    assert box.compiles((("test_it.py", b"x = 1\n"),)) == ""


def test_a_sandbox_that_fails_twice_is_at_fault_and_not_the_tests(project, open_sandbox, monkeypatch):
    box = open_sandbox(project(FILES))
    refuse(monkeypatch, 2)
    run = box.run([TEST])
    assert isinstance(run, InvalidRun)
    assert run.fault is RunFault.SANDBOX
    problem = _unusable(run, ())
    assert str(problem).startswith("The sandbox failed, twice, and not your tests: ")
    assert "(no namespace)" in str(problem)
    assert "repair doctor" in str(problem)


@pytest.mark.parametrize("text", ["import os\nos._exit(1)\n", "import os\ndef test_it():\n    os._exit(1)\n"])
def test_a_target_that_ends_its_process_is_at_fault_itself(project, open_sandbox, text):
    run = open_sandbox(project({"test_it.py": text})).run([TEST])
    assert isinstance(run, InvalidRun)
    assert run.fault is RunFault.EXITED


def test_a_module_that_ends_its_process_is_no_fault_of_the_sandbox(project, open_sandbox):
    box = open_sandbox(project({"lib.py": "import os\nos._exit(1)\n", **FILES}))
    answer = box._answer("import", modules=("lib",))
    assert isinstance(answer, InvalidRun)
    assert answer.fault is RunFault.EXITED


@pytest.mark.parametrize(("refused", "starts"), [(1, True), (9, False)])
def test_a_machine_that_has_no_process_to_give_is_asked_again(project, open_sandbox, monkeypatch, refused, starts):
    box, left, plain = open_sandbox(project(FILES)), [refused], subprocess.Popen
    box.compiles(())

    def spawn(*given, **named):
        if left[0]:
            left[0] -= 1
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return plain(*given, **named)

    monkeypatch.setattr(process, "_PAUSES", (0.0, 0.0))
    monkeypatch.setattr(process.subprocess, "Popen", spawn)
    if starts:
        assert isinstance(box.run([TEST]), TestRun)
    else:
        with pytest.raises(TargetError, match="The sandbox cannot start a process"):
            box.run([TEST])
