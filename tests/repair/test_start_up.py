"""What a command loads: whoever waits for one line must not wait for trees, inputs and engines first."""

import json
import os
import subprocess
import sys

import pytest

HEAVY = {"libcst", "hypothesis", "mutmut", "coverage", "pytest", "openai", "repair.engine.engine"}
OUTPUT = {"pydantic", "rich", "unidiff", "sqlite3", "asyncio"}

ASK = """
import json, sys
from repair.cli import main
class Heard:
    def write(self, text):
        if "looking at the project" in text:
            heard.append(sorted(sys.modules))
            raise KeyboardInterrupt
    def flush(self): pass
    def isatty(self): return False
heard, stderr = [], sys.stderr
if sys.argv[1] == "first line":
    sys.stderr = Heard()
status = main(sys.argv[2:])
sys.stderr = stderr
print(json.dumps([status, sorted(sys.modules), heard]), file=stderr)
"""


def ask(what, *words, cwd):
    command = [sys.executable, "-E", "-P", "-c", ASK, what, *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    status, loaded, heard = json.loads(done.stderr.splitlines()[-1])
    return status, set(loaded), [set(each) for each in heard], done.stdout


@pytest.fixture
def repo(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    (tmp_path / "test_a.py").write_text("from a import f\n\n\ndef test_f():\n    assert f() == 1\n")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    return tmp_path


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["check", "--help"], ["fix", "-h"]])
def test_version_and_help_load_nothing_but_the_command_line(tmp_path, words):
    status, loaded, _, said = ask("all", *words, cwd=tmp_path)
    assert (status, said != "") == (0, True)
    assert loaded & (HEAVY | OUTPUT) == set()


@pytest.mark.parametrize("output", ["text", "json", "jsonl", "github", "sarif"])
def test_a_check_of_nothing_loads_no_engine(repo, output):
    status, loaded, _, said = ask("all", "check", "--since", "HEAD", "--output-format", output, cwd=repo)
    assert (status, "unchanged" in said or output == "sarif") == (0, True)
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("words", [["fix"], ["explain"], ["check", "--since", "HEAD"], ["tests"]])
def test_the_first_line_comes_before_the_engine_is_loaded(repo, words):
    (repo / "a.py").write_text("def f():\n    return 2\n")
    _, _, heard, _ = ask("first line", *words, cwd=repo)
    assert heard, "nothing was said"
    assert heard[0] & HEAVY == set()


def test_a_check_of_nothing_keeps_no_run(repo, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    ask("all", "check", "--since", "HEAD", cwd=repo)
    runs = [name for _, folders, _ in os.walk(os.environ["XDG_STATE_HOME"]) for name in folders if name[:2] == "20"]
    assert runs == []
