"""Wrong, clumsy and hostile input: one clear sentence, the right exit status, nothing lost and nothing left behind."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import pytest

FILES = {
    "pyproject.toml": "",
    "sizes.py": '''\
        def kibibytes(count):
            """Whole kibibytes that hold so many bytes."""
            return (count + 1024) // 1024
        ''',
    "test_sizes.py": """\
        from sizes import kibibytes


        def test_rounds_up():
            assert kibibytes(1) == 1
            assert kibibytes(1025) == 2


        def test_exact():
            assert kibibytes(0) == 0
            assert kibibytes(1024) == 1
        """,
}


@dataclass
class Project:
    """A project, and a folder for temporary files that has to be empty after each command."""

    root: Path
    scratch: Path
    run: Callable[..., object]
    extra: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments, python=sys.executable, env=None, **more):
        """Run a command on the project; whatever comes of it, nothing is lost and nothing left behind."""
        before = digests(self.root)
        options = ("--root", str(self.root), *(("--python", python) if python else ()))
        answer = self.run(*arguments, *options, env={"TMPDIR": str(self.scratch), **(env or {})}, **more)
        assert "Traceback" not in answer.messages
        assert digests(self.root) == before, "the project was written to"
        assert list(self.scratch.iterdir()) == [], "temporary files were left behind"
        return answer


def digests(root: Path) -> dict[str, str]:
    """Every file of the project outside of ``.repair`` with a digest, and every folder."""
    paths = [p for p in root.rglob("*") if ".repair" not in p.relative_to(root).parts]
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() if p.is_file() else "" for p in paths}


@pytest.fixture
def project(tmp_path, repair) -> Callable[[Mapping[str, str | bytes]], Project]:
    """Makes a project: the one above, with these files instead or besides."""

    def make(files: Mapping[str, str | bytes] | None = None, name: str = "project") -> Project:
        root, scratch = tmp_path / name, tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        root.mkdir(parents=True)
        for path, text in {**FILES, **(files or {})}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        return Project(root, scratch, repair)

    return make


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "no such interpreter"),
        ("#!/bin/sh\nexit 0\n", "does not describe itself as Python would"),
        ("neither a script nor a program", "Exec format error"),
        ('#!/bin/sh\necho \'{"version": [3, 7, 16], "pytest": "7"}\'\n', "3.7.16 is older than 3.8"),
    ],
)
def test_an_interpreter_that_is_none(project, tmp_path, script, said):
    python = tmp_path / "python"
    if script is not None:
        python.write_text(script)
        python.chmod(0o755)
    answer = project()("explain", python=str(python))
    assert answer.status == 3
    assert said in answer.messages
    assert str(python) in answer.messages


@pytest.mark.parametrize(
    ("files", "status", "said"),
    [
        ({"sizes.py": "def kibibytes(count:\n"}, "unparseable", "SyntaxError: '(' was never closed (sizes.py, line 1)"),
        ({"test_sizes.py": "def test(:\n"}, "unparseable", "SyntaxError: invalid syntax (test_sizes.py, line 1)"),
        ({"conftest.py": "x = (\n"}, "unparseable", "conftest.py cannot be collected: SyntaxError"),
        ({"conftest.py": "import none_such\n"}, "environment", "No module named 'none_such' at conftest.py:1"),
    ],
)
def test_what_cannot_be_collected_is_named_with_its_place(project, files, status, said):
    answer = project(files)("fix", "test_sizes.py::test_exact", "--json")
    assert answer.status == 3
    assert answer.result["status"] == status
    (message,) = answer.result["messages"]
    assert said in message
    assert "\n" not in message


def test_module_level_code_is_no_function_and_its_place_is_named(project):
    answer = project({"sizes.py": "1 / 0\n"})("fix", "test_sizes.py::test_exact", "--json")
    assert answer.status == 1
    assert answer.result["status"] == "out_of_scope"
    (message,) = answer.result["messages"]
    assert message == "ZeroDivisionError arises at module level, outside any function: sizes.py:1"


def test_a_module_that_cannot_be_collected_is_said_where_others_fail(project):
    answer = project({"test_other.py": "import none_such\n"})("explain", "--json")
    assert answer.result["status"] == "diagnosed"
    assert "left aside: test_other.py cannot be collected: ModuleNotFoundError" in answer.messages


def test_a_project_without_tests(project):
    answer = project({"test_sizes.py": ""})("fix")
    assert answer.status == 3
    assert "pytest collects no test here" in answer.messages


HANGING = {
    "sizes.py": """\
        def digits(number):
            \"\"\"How many decimal digits a number has.\"\"\"
            count = 1
            while number >= 10:
                number // 10
                count += 1
            return count


        def double(number):
            return number * 2
        """,
    "test_sizes.py": """\
        from sizes import digits, double


        def test_one():
            assert digits(0) == 1
            assert digits(9) == 1


        def test_two():
            assert digits(10) == 2
            assert digits(99) == 2
            assert digits(12345) == 5


        def test_double():
            assert double(2) == 4
        """,
}


@pytest.mark.lab
def test_a_loop_without_end_is_mended(project):
    answer = project(HANGING)("fix", "test_sizes.py::test_two", "--json", "--max-seconds", "150", "--jobs", "2")
    result = answer.result
    assert (answer.status, result["status"]) == (0, "certified"), answer.messages
    assert (result["failures"][0]["class"], result["failures"][0]["subclass"]) == ("logic", "timeout")
    assert "+        number = number // 10" in result["patches"][0]["diff"]


def test_a_test_module_that_never_ends_does_not_use_up_more_than_the_budget(project):
    answer = project({"test_endless.py": "while True: pass\n"})("explain", "--max-seconds", "10")
    assert answer.status == 3
    assert "do not end in the time that observing them has" in answer.messages
    assert "Name the failing tests" in answer.messages
    assert answer.seconds < 30


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)]
)
def test_a_run_that_is_ended_leaves_nothing_behind(project, number, status):
    slow = project({"test_slow.py": "import time\ndef test_slow():\n    time.sleep(60)\n"})
    before = digests(slow.root)
    command = [Path(sys.executable).with_name("repair"), "fix", "--root", slow.root, "--python", sys.executable]
    env = {**os.environ, "TMPDIR": str(slow.scratch)}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stderr is not None
        while "baseline" not in process.stderr.readline():
            pass
        os.kill(process.pid, number)
        said = process.stderr.read()
    assert process.returncode == status
    assert "Traceback" not in said
    assert digests(slow.root) == before
    if number != signal.SIGKILL:
        assert said.rstrip().endswith("no project file was changed.")
        assert list(slow.scratch.iterdir()) == []
    else:  # the next run takes away what a killed one left
        slow("explain", "test_sizes.py::test_rounds_up")
    listed = slow("runs", "--json", python="")
    oldest = json.loads(listed.output)["runs"][-1]
    assert oldest["status"] == ("unfinished" if number == signal.SIGKILL else "interrupted")


TEST = "test_sizes.py::test_exact"


def shell(text, **env):
    """One line of shell in which ``repair`` is our command; its exit status is printed last."""
    command = Path(sys.executable).with_name("repair")
    return subprocess.run(
        ["bash", "-c", f'repair() {{ "{command}" "$@"; }}; {text}; echo "exit $?"'],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("redirection", "status", "said"),
    [
        (">&-", 0, ""),
        (">/dev/full", 3, "The system refuses: No space left on device."),
        ("2>&-", 0, ""),
        ("<&-", 0, ""),
    ],
)
def test_standard_streams_that_are_closed_or_full(project, redirection, status, said):
    root = project().root
    done = shell(f'repair explain {TEST} --root "{root}" --python "{sys.executable}" {redirection}')
    assert done.stdout.rstrip().endswith(f"exit {status}")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "defect" not in done.stderr


def test_a_current_folder_that_is_gone(project, tmp_path):
    root = project().root
    gone = f'mkdir "{tmp_path}/gone"; cd "{tmp_path}/gone"; rmdir "{tmp_path}/gone"'
    done = shell(f'{gone}; repair explain {TEST} --root "{root}" --python "{sys.executable}"')
    assert done.stdout.startswith("diagnosed")
    done = shell(f"{gone}; repair explain")
    assert done.stdout == "exit 2\n"
    assert "No Python project here" in done.stderr


def bound_by_modes(*command: str) -> list[str]:
    """The command run as somebody whom the modes of files bind, root included."""
    if os.geteuid():
        return list(command)
    return ["setpriv", "--inh-caps", "-all", "--bounding-set", "-dac_override,-dac_read_search", *command]


@pytest.fixture
def own_home() -> Iterator[dict[str, str]]:
    """The environment with a home and a folder for temporary files of its own."""
    home = Path(tempfile.mkdtemp(prefix="home-"))
    try:
        kept = {name: value for name, value in os.environ.items() if name != "XDG_STATE_HOME"}
        yield {**kept, "HOME": str(home), "TMPDIR": str(home)}
    finally:
        shutil.rmtree(home)


def test_a_project_that_cannot_be_written(own_home):
    home = Path(own_home["HOME"])
    root = home / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(dedent(text))
    (root / "secret.txt").write_text("x")
    (root / "secret.txt").chmod(0o000)
    root.chmod(0o555)
    command = bound_by_modes(
        str(Path(sys.executable).with_name("repair")),
        "fix",
        TEST,
        "--apply",
        "--accept",
        "plausible",
        "--json",
        "--root",
        str(root),
    )
    done = subprocess.run(command, env=own_home, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 3, done.stderr
    result = json.loads(done.stdout)
    assert result["status"] == "environment"
    assert "Not applied: The patch cannot be written: Permission denied" in result["messages"][-1]
    assert "(count + 1023) // 1024" in result["patches"][0]["diff"]
    assert "left out, since you may not read it: secret.txt" in done.stderr
    assert sorted(path.name for path in root.iterdir()) == sorted([*FILES, "secret.txt"])
    assert (home / ".local" / "state" / "repair").is_dir()
    root.chmod(0o755)
