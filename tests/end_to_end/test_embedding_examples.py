"""Every example of ``examples/`` as its first line says: in a project with a failing test, or with a change."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

PROGRAM = "def postage(total):\n    if total > 50:\n        return 0\n    return 5\n"
MENDED = PROGRAM.replace("> 50", ">= 50")
TESTS = (
    "from post import postage\n\n\ndef test_from_fifty():\n    assert postage(50) == 0\n\n\n"
    "def test_small():\n    assert postage(49) == 5\n\n\ndef test_large():\n    assert postage(80) == 0\n"
)
JUDGED = {"certified", "plausible"}


def git(root: Path, *words: str) -> None:
    own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *words], check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "post"
    root.mkdir()
    for name, text in (("pyproject.toml", ""), ("post.py", PROGRAM), ("test_post.py", TESTS)):
        (root / name).write_text(text)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    return root


def run(name: str, root: Path, risk: dict[str, str]) -> list[str]:
    """The lines that the example prints."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("REPAIR_", "PYTHON", "PYTEST_", "OPENAI_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "REPAIR_PASS_ENV": "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, root],
        cwd=root.parent,
        env={**kept, "PATH": path, **plain, **risk},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", ["fix.py", "own_model.py", "json_lines.py"])
def test_an_example_that_mends(name: str, project: Path, accepted_risk: dict[str, str]) -> None:
    lines = run(name, project, accepted_risk)
    assert lines[-1] in JUDGED
    assert "+    if total >= 50:" in lines
    assert ("by model:" in lines) == (name == "own_model.py")
    assert (project / "post.py").read_text() == PROGRAM


@pytest.mark.parametrize("name", ["check_async.py", "mcp_client.py"])
def test_an_example_that_judges(name: str, project: Path, accepted_risk: dict[str, str]) -> None:
    (project / "post.py").write_text(MENDED)
    lines = run(name, project, accepted_risk)
    assert lines[-1] in JUDGED
    assert "postage" in "\n".join(lines)


def test_a_check_of_the_houses_own_is_told_and_moves_no_word(project: Path, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", beside], check=True)
    (packages,) = beside.glob("lib/python3*/site-packages")
    own = sysconfig.get_path("purelib")
    (packages / "engine.pth").write_text(f"import site; site.addsitedir({own!r})\n")
    build = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    shutil.copytree(EXAMPLES / "own_check", tmp_path / "own_check")
    subprocess.run([*build, "--target", packages, tmp_path / "own_check"], check=True, capture_output=True)
    (project / "post.py").write_text(PROGRAM.replace("> 50", "> 49"))
    words = [beside / "bin" / "python", "-E", "-P", "-m", "repair", "check", "--since", "HEAD", "--json", "--root"]
    words += [project, "--state-dir", tmp_path / "state", "--isolation", "none", "--extra-check", "new_numbers"]
    asked = json.loads(subprocess.run(words, capture_output=True, timeout=200, check=False).stdout)
    (told,) = asked["patches"][0]["others_say"]
    assert told.startswith("new_numbers doubts it, which weighs nothing: postage in post.py holds 49")
    assert asked["status"] in JUDGED
    assert not [name for name in asked["patches"][0]["risk"]["shares"] if name.startswith("outside")]


def test_no_example_is_left_out() -> None:
    tested = set(re.findall(r"\"(\w+\.py)\"", Path(__file__).read_text()))
    assert {path.name for path in EXAMPLES.glob("*.py")} <= tested
    page = (EXAMPLES / "README.md").read_text()
    assert all(f"[{path.name}]({path.name})" in page for path in EXAMPLES.glob("*.py"))
    assert "[own_check](own_check/own_check.py)" in page
