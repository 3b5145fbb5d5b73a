"""Environments are pinned, made once, and never half made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.environment import environment
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
