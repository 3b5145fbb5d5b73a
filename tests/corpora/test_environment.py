"""Environments are pinned, made once, and never half made; a bug's interpreter is named, found, or missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.bug import Environment
from corpora.environment import environment, interpreter_of
from corpora.source_package import IndexUnreachableError


def test_is_made_once_and_found_again(tmp_path):
    made = environment((), tmp_path)
    stamp = Path(made).parent.parent / "pyvenv.cfg"
    first = stamp.stat().st_mtime_ns
    assert environment((), tmp_path) == made
    assert stamp.stat().st_mtime_ns == first
    seen = subprocess.run([made, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == str(stamp.parent)


def test_without_the_index_nothing_is_left_that_would_be_found(tmp_path, monkeypatch):
    for name, value in {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null", "PIP_FIND_LINKS": ""}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(IndexUnreachableError):
        environment(("some-package-of-nobody==1",), tmp_path)
    assert list(tmp_path.rglob("complete")) == []


@pytest.mark.parametrize("requirement", ["pytest", "pytest>=8", "pytest~=8.0"])
def test_refuses_what_is_not_pinned(tmp_path, requirement):
    with pytest.raises(TargetError, match="pinned"):
        environment((requirement,), tmp_path)


def test_names_an_interpreter_that_is_missing(tmp_path):
    with pytest.raises(TargetError, match="does not run"):
        environment((), tmp_path, python=str(tmp_path / "python9"))


def test_nothing_named_means_what_the_user_says_else_our_own(tmp_path: Path):
    assert interpreter_of(Environment(), "/some/python", tmp_path, {}) == "/some/python"
    assert interpreter_of(Environment(), "", tmp_path, {}) == sys.executable


def test_a_named_version_comes_before_what_the_user_says(tmp_path: Path):
    command = tmp_path / "python3.77"
    command.touch(mode=0o755)
    env = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    assert interpreter_of(Environment(python="3.77"), "/some/python", tmp_path, env) == str(command)


def test_what_pyenv_only_stands_in_for_is_passed_over(tmp_path: Path):
    kept = tmp_path / ".pyenv/versions/3.77.1/bin/python"
    for path in (kept, tmp_path / ".pyenv/shims/python3.77"):
        path.parent.mkdir(parents=True)
        path.touch(mode=0o755)
    env = {"PATH": str(tmp_path / ".pyenv/shims"), "HOME": str(tmp_path)}
    assert interpreter_of(Environment(python="3.77"), "", tmp_path, env) == str(kept)


@pytest.mark.parametrize("wanted", ["3.99", "/bin/sh"])
def test_a_version_that_is_not_there(tmp_path: Path, wanted: str):
    with pytest.raises(TargetError, match=f"There is no Python {wanted} here"):
        interpreter_of(Environment(python=wanted), "", tmp_path, {"PATH": "", "HOME": str(tmp_path)})
