"""Files that a call's arguments name: what was done to them is told, and undone."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def written() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values.call_effects import Written  # noqa: PLC0415

        yield Written
    finally:
        sys.path.remove(str(PROBE))


@pytest.mark.parametrize("kind", [str, Path])
def test_what_is_written_is_told_and_undone(written: Any, tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "a.env"
    path.write_text("a=b")
    path.chmod(0o640)
    files = written([kind(path)], {})
    assert files.changed_text() == ""
    path.unlink()
    path.write_text("c=d")
    assert files.changed_text() == ", files ['c=d']"
    files.put_back()
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("a=b", 0o640)


def test_what_was_not_there_goes_and_what_is_gone_comes_back(written: Any, tmp_path: Path) -> None:
    gone, new = tmp_path / "gone", tmp_path / "new"
    gone.write_bytes(b"\xff")
    files = written([gone], {"to": new})
    gone.unlink()
    new.write_text("x")
    assert files.changed_text() == ", files [None, 'x']"
    files.put_back()
    assert gone.read_bytes() == b"\xff"
    assert not new.exists()


def test_what_came_instead_of_a_file_goes(written: Any, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("a")
    other.write_text("b")
    files = written([one, other], {})
    one.unlink()
    other.unlink()
    os.mkfifo(one)
    os.symlink(tmp_path, other)
    assert files.changed_text() == ", files [None, None]"
    files.put_back()
    assert (one.read_text(), other.read_text(), other.is_symlink()) == ("a", "b", False)


def test_what_cannot_be_read_is_not_taken_for_what_was_not_there(
    written: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "closed"
    path.write_text("a")

    def refuse(*_: Any) -> None:
        raise PermissionError

    with monkeypatch.context() as closed:  # its mode would not stop root
        closed.setattr("builtins.open", refuse)
        files = written([path], {})
    files.put_back()
    assert path.read_text() == "a"


def test_other_values_are_left_alone(written: Any, tmp_path: Path) -> None:
    large, link = tmp_path / "large", tmp_path / "link"
    large.write_bytes(b"x" * 100_000)
    os.symlink(large, link)
    files = written([large, link, tmp_path, "relative/name", "a\0/b", 3, tmp_path / "no" / "folder"], {})
    large.write_bytes(b"y")
    assert files.changed_text() == ""
    files.put_back()
    assert large.read_bytes() == b"y"
