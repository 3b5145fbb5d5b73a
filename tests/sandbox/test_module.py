"""Programs of the target's environment, run on a copy: what they print, and how they are bounded."""

from pathlib import Path

import pytest

from analysis.facts import InvalidRun, Limits, Ran, RunFault

MAIN = """
import sys, time
if "hang" in sys.argv: time.sleep(600)
if "flood" in sys.argv: print("x" * (64 << 20))
if "die" in sys.argv: import os; os.kill(os.getpid(), 11)
print(open(sys.argv[1]).read(), end="")
sys.exit(3)
"""


@pytest.fixture
def checker(project, add_environment, open_sandbox):
    root = project({"shop.py": "old\n", "checker.py": "print('the project took its place')\n"})
    add_environment(root, {"checker/__init__.py": "", "checker/__main__.py": MAIN})
    return open_sandbox(root, python=str(root / ".venv/bin/python"))


def test_a_module_of_the_environment_runs_on_a_copy_with_the_files_laid_over_it(checker, tmp_path: Path):
    assert checker.module("checker", ["shop.py"]) == Ran(3, "old\n")
    assert checker.module("checker", ["shop.py"], (("shop.py", b"new\n"),)) == Ran(3, "new\n")
    assert (tmp_path / "demo/shop.py").read_text() == "old\n"


@pytest.mark.parametrize(
    ("word", "fault"), [("hang", RunFault.TIMEOUT), ("flood", RunFault.OUTPUT), ("die", RunFault.SIGNAL)]
)
def test_one_that_does_not_end_is_no_answer(checker, word, fault):
    limits = Limits(wall_seconds=1.0 if word == "hang" else 30.0)
    ran = checker.module("checker", ["shop.py", word], limits=limits)
    assert isinstance(ran, InvalidRun)
    assert ran.fault is fault


def test_one_that_is_not_there_ends_with_its_interpreter_s_word(checker):
    ran = checker.module("no_such_checker", [])
    assert isinstance(ran, Ran)
    assert ran.status == 1
    assert "No module named no_such_checker" in ran.output
