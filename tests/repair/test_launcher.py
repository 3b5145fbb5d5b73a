import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

NAMES = ("analysis", "repair", "sandbox", "transforms", "corpora", "tests", "click", "pydantic", "_repair_launcher")


@pytest.fixture
def namesake(tmp_path):
    """A project whose packages are called like ours, and break when they are imported."""
    for name in NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ImportError('the target {name} was imported')\n")
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


def ran(argv, root, **env):
    return subprocess.run(argv, cwd=root, env={**os.environ, **env}, capture_output=True, text=True, check=False)


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
