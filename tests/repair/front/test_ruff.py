"""Ruff on texts: what it finds, and what is said where it cannot look."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from repair.front.ruff import MOST_BYTES, Ruff, find_ruff

HERE = find_ruff("/nowhere", os.environ.get("PATH", ""))
needs_ruff = pytest.mark.skipif(not HERE, reason="ruff is not installed here")


def program(folder: Path, script: str) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / "ruff"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@needs_ruff
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"def f():\n    return other\n", "F821"),
        (b"def f():\n    return other  # noqa: F821\n", "F821"),
        (b"# ruff: noqa\ndef f():\n    return other\n", "F821"),
        (b"def f(x):\n    return x is 'a'\n", "F632"),
        (b"def f():\n    print(y)\n    y = 1\n", "F821|F823|"),
        (b"__all__ = ['g']\n", "F822"),
        (b"def f(:\n", "invalid-syntax"),
    ],
)
def test_fatal_flaws_are_found(text: bytes, said: str) -> None:
    found = Ruff(HERE, (3, 11))((("shop.py", text),))
    assert isinstance(found, tuple), found
    assert any(remark.message.startswith(tuple(said.split("|"))) for remark in found[0])


@needs_ruff
@pytest.mark.parametrize(
    "text", [b"", b"import os\n\n\nl=1\ndef f():\n    x = 2\n", b"def f():\n    return __file__\n"]
)
def test_style_is_none_of_them(text: bytes) -> None:
    assert Ruff(HERE, (3, 8))((("shop.py", text),)) == ((),)


@needs_ruff
def test_the_version_of_the_target_decides_what_is_a_program() -> None:
    text = (("shop.py", b"def f(x):\n    match x:\n        case 1:\n            return 2\n"),)
    assert Ruff(HERE, (3, 12))(text) == ((),)
    old = Ruff(HERE, (3, 8))(text)
    assert isinstance(old, tuple)
    assert len(old[0]) <= 1  # older ones do not look at versions
    assert Ruff(HERE, (3, 99))(text) == ((),)


@needs_ruff
def test_no_configuration_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruff.toml").write_text('builtins = ["other"]\n')
    monkeypatch.chdir(tmp_path)
    found = Ruff(HERE, (3, 11))((("shop.py", b"def f():\n    return other\n"),))
    assert isinstance(found, tuple)
    assert len(found[0]) == 1


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 2", "ruff gave up (status 2)"),
        ("echo 'error: no such option' >&2; exit 2", "ruff gave up (status 2) error: no such option"),
        ("kill -9 $$", "ruff gave up (status -9)"),
        ("exec sleep 60", "ruff was not done within 0.5 seconds"),
    ],
)
def test_a_ruff_that_does_not_answer_is_said(tmp_path: Path, script: str, said: str) -> None:
    assert Ruff(program(tmp_path / "bin", script), (3, 11), seconds=0.5)((("shop.py", b"x = 1\n"),)) == said


def test_without_ruff_that_is_said(tmp_path: Path) -> None:
    texts = (("shop.py", b"x = 1\n"),)
    assert "not installed" in str(Ruff("", (3, 11))(texts))
    assert "does not run" in str(Ruff(str(tmp_path / "none"), (3, 11))(texts))


def test_a_huge_text_is_not_looked_at(tmp_path: Path) -> None:
    ruff = Ruff(program(tmp_path / "bin", "exit 0"), (3, 11))
    assert "more than" in str(ruff((("shop.py", b"#" * (MOST_BYTES + 1)),)))


def test_the_projects_own_ruff_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path / "none"))
    (tmp_path / "project").mkdir()
    own, other = program(tmp_path / "project" / "bin", "exit 0"), program(tmp_path / "bin", "exit 0")
    path = os.pathsep.join([os.path.dirname(own), ".", os.path.dirname(other)])
    assert find_ruff(str(tmp_path / "project"), path) == other
    assert find_ruff(str(tmp_path), path) == ""
