import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import _repair_launcher

NAMES = ("analysis", "repair", "sandbox", "transforms", "corpora", "tests", "click", "pydantic", "_repair_launcher")


@pytest.fixture
def namesake(tmp_path):
    """A project whose packages are called like ours, and break when they are imported."""
    for name in NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ImportError('the target {name} was imported')\n")
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


def ran(argv, root, env=os.environ, **more):
    return subprocess.run(argv, cwd=root, env={**env, **more}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [["--version"], ["runs"], ["doctor", "--isolation-help"]])
def test_nothing_of_the_target_is_imported(namesake, arguments):
    done = ran([sys.executable, "-P", "-E", "-m", "repair", *arguments], namesake, PYTHONPATH=str(namesake))
    assert "was imported" not in done.stderr
    assert done.returncode == (2 if "doctor" in arguments else 0), done.stderr


def test_the_command_starts_with_a_safe_import_path(namesake):
    command = Path(sys.executable).with_name("repair")
    if not command.exists():
        pytest.skip("the engine is not installed beside this interpreter")
    elsewhere = namesake / "elsewhere"
    elsewhere.mkdir()
    for name in NAMES[:-1]:  # the launcher itself is found before anything can be ignored; its name is ours alone
        (namesake / name).rename(elsewhere / name)
    done = ran([str(command), "--version"], elsewhere, PYTHONPATH=str(elsewhere))
    assert (done.returncode, done.stdout[:7]) == (0, "repair "), done.stderr


def test_python_m_starts_again_with_a_safe_import_path(tmp_path):
    code = "import sys; print(sys.flags.ignore_environment, sys.flags.safe_path)"
    (tmp_path / "probe.py").write_text(code)
    launch = (
        "import os, sys, _repair_launcher\n"
        "os.execv = lambda path, argv: (print(argv[1:]), sys.exit(0))\n"
        "sys.argv = ['repair', 'fix', 'a b']\n"
        "_repair_launcher.main()\n"
    )
    done = ran([sys.executable, "-c", launch], tmp_path)
    first, *rest = ast.literal_eval(done.stdout)
    name, _, launched = rest[2].partition("=")
    assert [first, *rest[:2], *rest[3:]] == ["-E", "-P", "-X", "-m", "repair", "fix", "a b"]
    assert name == "repair-launched"
    assert 0 <= time.monotonic() - float(launched) < 60


def test_the_environment_is_kept(namesake):
    launch = (
        "import os, sys, _repair_launcher\n"
        "os.execv = lambda path, argv: (print(os.environ['PYTHONPATH']), sys.exit(0))\n"
        "_repair_launcher.main()\n"
    )
    done = ran([sys.executable, "-P", "-c", launch], "/", PYTHONPATH="/some/where")
    assert done.stdout.strip() == "/some/where"


def test_the_installed_command_starts_once_where_nothing_of_the_project_is_on_its_path(namesake):
    command = Path(sys.executable).with_name("repair")
    if not command.exists():
        pytest.skip("the engine is not installed beside this interpreter")
    told = "import sys; sys.argv[0] = {!r}; sys.path.insert(0, {!r}); import _repair_launcher, repair.cli\n"
    told += "repair.cli.main = lambda started: print(sys.path[0]) or 0\n_repair_launcher.main()\n"
    code = told.format(str(command), str(command.parent))
    free = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for variables, starts in (({}, 1), ({"PYTHONUNBUFFERED": "1"}, 1), ({"PYTHONPATH": "/nowhere"}, 2)):
        asked = [sys.executable, "-P", "-c", f"{SEEN}{code}"]
        done = ran(asked, namesake, env={**free, **variables})
        assert done.stdout.count("again") == starts - 1, (variables, done)
        assert str(command.parent) not in done.stdout


SEEN = "import os, sys\nos.execv = lambda path, argv: (print('again'), sys.exit(0))\n"


def test_the_time_of_a_process_counts_from_its_start():
    code = (
        "import time\nlaunched = time.monotonic()\nfrom _repair_launcher import process_began\n"
        "began = process_began(launched)\nprint(launched - began, launched - process_began(launched + 100) + 100)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, long_ago = map(float, done.stdout.split())
    assert 0.0 <= before <= _repair_launcher.LAUNCH_SECONDS
    assert long_ago == pytest.approx(0.0), "it was another program before, whose time is none of ours"


def test_where_nobody_tells_when_it_began_our_first_line_counts(monkeypatch):
    monkeypatch.setattr(_repair_launcher.time, "clock_gettime", lambda clock: (_ for _ in ()).throw(OSError))
    assert _repair_launcher.process_began(7.0) == 7.0


@pytest.mark.parametrize(("ours", "ends"), [(True, 1), (False, 0)])
def test_a_process_of_ours_ends_with_its_answer(tmp_path, ours, ends):
    # To take a heap apart took a second on a busy machine, after the time that a command was given.
    code = (
        "import sys, _repair_launcher, repair.cli\n"
        "repair.cli.main = lambda started: 0\n"
        "_repair_launcher.os._exit = lambda status: print('ends here') or sys.exit(status)\n"
        f"_repair_launcher.main(ours={ours})\n"
    )
    done = ran([sys.executable, "-E", "-P", "-c", code], tmp_path)
    assert (done.returncode, done.stdout.count("ends here")) == (0, ends), done.stderr


def test_python_m_is_ours_alone():
    assert "main(ours=True)" in Path(_repair_launcher.__file__).with_name("repair").joinpath("__main__.py").read_text()
