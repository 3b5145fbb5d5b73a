"""A bug's interpreter: named, found, or missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.bug import Environment
from corpora.interpreter import interpreter_of


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
