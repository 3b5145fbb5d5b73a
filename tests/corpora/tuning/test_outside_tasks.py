"""A command of the user's on a table of tasks: what is refused, and the hard facts of one run."""

import dataclasses
import os
import sys
import tempfile
from pathlib import Path

import pytest

from analysis.errors import TargetError, UsageError
from corpora.tuning.leaks import find_leak, read_tasks
from corpora.tuning.outside_tasks import OutsideAttempter, missing
from corpora.tuning.task_table import read_table

AGENT = """\
import sys, pathlib
PROMPT = "{prompt}"
wanted = pathlib.Path(sys.argv[1]).read_text().split()
pathlib.Path(wanted[0]).write_text("def " + wanted[1] + "(): pass\\n")
print("input 1,200 tokens, tokens: 1,234; cost: $0.0125; tool calls: 3")
print(PROMPT)
sys.exit(len(wanted) - 2)
"""


def project(folder: Path, rows: str, *, agent: str = AGENT) -> OutsideAttempter:
    """An attempter over such tasks, whose agent writes what the task names."""
    (folder / "tool").mkdir()
    (folder / "tool" / "agent.py").write_text(agent)
    (folder / "t.txt").write_text("answer.py solve")
    (folder / "late.txt").write_text("answer.py solve and fail")
    (folder / "tasks.toml").write_text(rows)
    table = read_table(folder / "tasks.toml")
    return OutsideAttempter("{python} agent.py {task}", table, folder / "tool" / "agent.py", os.environ)


def test_what_a_command_prints_and_leaves_is_its_outcome(tmp_path):
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "check.py").write_text("import answer; answer.solve()")
    attempter = project(
        tmp_path,
        '[[task]]\nid = "t"\nargv = ["t.txt"]\nfiles = ["answer.py"]\n'
        'functions = ["answer.py:solve"]\noutput = "hello"\n'
        'test = ["{python}", "-c", "print(\'2 passed, 1 failed\')"]\nhidden = "hidden"\n'
        'hidden_test = ["{python}", "check.py"]\nlint = ["{python}", "-c", "print(\'a.py:1: x\')"]\n',
    )
    found = attempter.attempt(AGENT.replace("{prompt}", "hello"), "t", 7)
    assert (found.word, found.status, found.late) == ("solved", 0, False)
    assert (found.tokens, found.usd, found.calls) == (1234, 0.0125, 3)
    assert (found.passed, found.failed, found.findings) == (2, 1, 1)
    assert "+def solve" in found.change
    assert attempter.attempt(AGENT, "t", 7).word == "none"
    assert (tmp_path / "tool" / "agent.py").read_text() == AGENT
    assert not (tmp_path / "tool" / "answer.py").exists()


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ('argv = ["t.txt"]\nfiles = ["other.py"]', "none"),
        ('argv = ["t.txt"]\nfunctions = ["answer.py:other"]', "none"),
        ('argv = ["late.txt"]', "none"),
        ('argv = ["late.txt"]\nstatus = 2', "solved"),
        ('argv = ["t.txt"]\ntest = ["{python}", "-c", "exit(1)"]', "none"),
        ('argv = ["t.txt"]\nhidden_test = ["{python}", "-c", "exit(1)"]', "wrong"),
    ],
)
def test_only_what_holds_in_all_is_solved(tmp_path, keys, word):
    attempter = project(tmp_path, f'[[task]]\nid = "t"\n{keys}\n')
    assert attempter.attempt(AGENT, "t", 0).word == word


def test_a_command_that_takes_too_long_is_ended(tmp_path):
    attempter = project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\nseconds = 0.5\n')
    found = attempter.attempt("while True: pass", "t", 0)
    assert (found.word, found.status, found.late) == ("none", None, True)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("", "There is no task"),
        ("[[task]\n", "not valid"),
        ("[other]\n", "unknown table 'other'"),
        ("task = 3\n", "not valid"),
        ('[[task]]\nid = "a b"\nargv = []\n', "not valid"),
        ('[[task]]\nid = "a"\nargv = []\nunknown = 1\n', "not valid"),
        ('[[task]]\nid = "a"\nargv = []\nseconds = 0.0\n', "not valid"),
        ('[[task]]\nid = "a"\nargv = []\n[[task]]\nid = "a"\nargv = []\n', "Two tasks are called a"),
        ('[[task]]\nid = "a"\nargv = []\ntree = "gone"\n', "names no folder"),
    ],
)
def test_a_table_with_mistakes_is_refused(tmp_path, rows, said):
    (tmp_path / "tasks.toml").write_text(rows)
    with pytest.raises(UsageError, match=said):
        read_table(tmp_path / "tasks.toml")


def test_a_command_that_cannot_do_is_refused(tmp_path):
    project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\ntest = ["no-such-program"]\n')
    table, prompt = read_table(tmp_path / "tasks.toml"), tmp_path / "tool" / "agent.py"
    with pytest.raises(UsageError, match="never sees the prompt"):
        OutsideAttempter(f"{sys.executable} elsewhere.py {{task}}", table, prompt, os.environ)
    with pytest.raises(UsageError, match="has no"):
        OutsideAttempter(f"{sys.executable} agent.py", table, prompt, os.environ)
    attempter = OutsideAttempter(f"{sys.executable} agent.py {{task}}", table, prompt, os.environ)
    with pytest.raises(TargetError, match="cannot be started"):
        attempter.attempt(AGENT, "t", 0)


def test_a_program_may_be_named_from_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\noutput = "tried"\n')
    table = read_table(tmp_path / "tasks.toml")
    attempter = OutsideAttempter(f"{sys.executable} tool/agent.py {{task}}", table, Path("tool/agent.py"), os.environ)
    assert attempter.attempt(AGENT.replace("{prompt}", "tried"), "t", 0).word == "solved"


def test_what_a_table_names_is_no_word_for_an_edit(tmp_path):
    (tmp_path / "t.txt").write_text("Halve the number of apples in the basket.")
    (tmp_path / "tasks.toml").write_text('[[task]]\nid = "t"\nargv = ["t.txt"]\nfunctions = ["a.py:halve_apples"]\n')
    table = read_table(tmp_path / "tasks.toml")
    known = read_tasks(table.texts(), table.names())
    assert "names what a task names" in find_leak("Call halve_apples.", known, "")
    assert "repeats words" in find_leak("Think of the number of apples in the shop.", known, "")
    assert dataclasses.replace(table, rows=()).projects == {}


def test_tests_and_outputs_in_the_table_are_no_word_for_an_edit(tmp_path):
    check = "import answer; assert answer.halve_it(9) == 'four and a half'"
    rows = [f'[[task]]\nid = "t"\nargv = []\noutput = "tock"\nfiles = ["clock.py"]\ntest = ["python", "-c", "{check}"]']
    rows += [f'[[task]]\nid = "u{n}"\nargv = []\noutput = "DONE"\n' for n in range(3)]
    (tmp_path / "tasks.toml").write_text("\n".join(rows))
    table = read_table(tmp_path / "tasks.toml")
    known = read_tasks(table.texts(), table.names())
    for leak in ("Call halve_it.", "Halve it.", "It is 'four and a half'.", "Say tock.", "Write clock.py."):
        assert find_leak(leak, known, ""), leak
    assert find_leak("Say DONE at the end.", known, "") == ""


def test_files_that_are_no_python_have_no_function(tmp_path):
    (tmp_path / "a.py").write_bytes(b"\xff\x00 def f(")
    (tmp_path / "deep.py").write_text("x = " + "(" * 5_000)
    (tmp_path / "b.py").write_text("class K:\n    async def f(self): ...\n")
    wanted = ("a.py:f", "b.py:f", "b.py:K", "gone.py:f", "deep.py:f", "b.py:g")
    assert missing(tmp_path, ["a.py", "gone"], wanted) == ("gone", "a.py:f", "gone.py:f", "deep.py:f", "b.py:g")


def test_a_program_that_holds_its_own_prompt_can_be_run_as_it_is(tmp_path, monkeypatch):
    project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\n')
    agent = tmp_path / "tool" / "agent.py"
    agent.chmod(0o755)
    monkeypatch.chdir(agent.parent)
    table = read_table(tmp_path / "tasks.toml")
    attempter = OutsideAttempter("./agent.py {task}", table, agent, os.environ)
    found = attempter.attempt(f"#!{sys.executable}\n{AGENT.replace('{prompt}', 'hello')}", "t", 7)
    assert (found.word, found.status) == ("solved", 0)


def test_a_count_without_end_is_no_count(tmp_path):
    rows = '[[task]]\nid = "t"\nargv = ["t.txt"]\ntest = ["{python}", "-c", "print(\'7\' * 5000, \'passed\')"]\n'
    assert project(tmp_path, rows).attempt(AGENT, "t", 7).passed == 0


HARMFUL = {
    "removes its folder": ("import shutil, os; shutil.rmtree(os.getcwd())", "none", "removed its folder"),
    "removes all it can name": (
        "import shutil, os, sys\nfor place in (os.getcwd(), os.path.dirname(os.path.abspath(__file__)),"
        " os.path.dirname(sys.argv[1])): shutil.rmtree(place)",
        "none",
        "removed its folder",
    ),
    "puts a link in its place": (
        "import shutil, os; here = os.getcwd(); shutil.rmtree(here); os.symlink('/', here)",
        "none",
        "removed its folder",
    ),
    "floods its output": ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "none", "printed too much"),
    "changes the prompt": ("open(__file__, 'w').write('other'); open('answer.py', 'w').write('')", "solved", ""),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "none", ""),
}


@pytest.mark.parametrize("act", HARMFUL)
def test_what_a_command_does_to_its_copies_ends_that_attempt_alone(tmp_path, act):
    code, word, error = HARMFUL[act]
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "answer.py").write_text("def f(): pass\n")
    attempter = project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\ntree = "tree"\nfiles = ["answer.py"]\n')
    found = attempter.attempt(code, "t", 0)
    assert found.word == word
    assert not found.late
    assert error in ("", *found.errors)
    assert attempter.attempt(AGENT, "t", 0).word == "solved"
    assert (tmp_path / "tool" / "agent.py").read_text() == AGENT
    assert (tmp_path / "t.txt").exists()
    assert (tmp_path / "tree" / "answer.py").read_text() == "def f(): pass\n"


def test_a_test_that_removes_its_folder_ends_that_attempt_alone(tmp_path):
    gone = "import shutil, os; shutil.rmtree(os.getcwd())"
    rows = f'[[task]]\nid = "t"\nargv = ["t.txt"]\nlint = ["{{python}}", "-c", "{gone}"]\n'
    found = project(tmp_path, f'{rows}test = ["{{python}}", "-c", "1"]\n').attempt(AGENT, "t", 0)
    assert (found.word, found.errors) == ("none", ("removed its folder",))


def test_hidden_tests_that_are_taken_away_judge_this_attempt_and_end_the_next(tmp_path):
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "check.py").write_text("import answer; answer.solve()")
    rows = '[[task]]\nid = "t"\nargv = ["t.txt"]\nhidden = "hidden"\nhidden_test = ["{python}", "check.py"]\n'
    attempter = project(tmp_path, rows)
    taken = f"{AGENT}\n".replace("sys.exit", f"import shutil; shutil.rmtree({str(tmp_path / 'hidden')!r}); sys.exit")
    assert attempter.attempt(taken, "t", 0).word == "solved"
    with pytest.raises(TargetError, match="material cannot be copied"):
        attempter.attempt(AGENT, "t", 0)


def test_what_a_command_leaves_running_is_ended(tmp_path):
    code = (
        "import subprocess, sys, os\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "print('child', child.pid)\n"
    )
    found = project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\n').attempt(code, "t", 0)
    assert found.word == "solved"
    child = int(found.said.split("child ")[1].split()[0])
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("inside", [".", "passing"])
def test_the_temporary_folder_may_lie_in_the_prompts_folder(tmp_path, monkeypatch, inside):
    attempter = project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\noutput = "agent.py"\n')
    place = tmp_path / "tool" / inside
    place.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    listing = AGENT.replace("print(PROMPT)", "import os; print(sorted(os.listdir(os.path.dirname(__file__))))")
    found = attempter.attempt(listing, "t", 0)
    assert found.word == "solved"
    assert "repair-" not in found.said
    assert "passing" not in found.said
    assert [each.name for each in place.iterdir() if each.name.startswith("repair-")] == []


def test_the_campaign_and_hidden_tests_are_in_no_copy(tmp_path):
    for name in ("hidden", "tuned"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "check.py").write_text("")
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "t.txt").write_text("answer.py solve")
    rows = '[[task]]\nid = "t"\nargv = ["t.txt"]\nhidden = "hidden"\nhidden_test = ["{python}", "check.py"]\n'
    (tmp_path / "tasks.toml").write_text(rows)
    command = f"{sys.executable} agent.py {{task}}"
    prompt = tmp_path / "agent.py"
    attempter = OutsideAttempter(
        command, read_table(tmp_path / "tasks.toml"), prompt, os.environ, (tmp_path / "tuned",)
    )
    listing = AGENT.replace("print(PROMPT)", "import os; print(sorted(os.listdir(os.path.dirname(__file__))))")
    found = attempter.attempt(listing, "t", 0)
    assert found.word == "solved"
    assert "['agent.py', 't.txt', 'tasks.toml']" in found.said


def test_a_folder_that_cannot_be_copied_is_told(tmp_path):
    attempter = project(tmp_path, '[[task]]\nid = "t"\nargv = ["t.txt"]\n')
    os.mkfifo(tmp_path / "tool" / "pipe")
    with pytest.raises(TargetError, match="folder cannot be copied"):
        attempter.attempt(AGENT, "t", 0)
