"""Lines are appended whole or not at all, by one process at a time, and a torn one is cut away."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from corpora.json_lines import JsonLines, lines_of


def test_lines_are_appended_after_those_that_are_there(tmp_path: Path):
    path = tmp_path / "lines.jsonl"
    with JsonLines(path) as lines:
        assert (lines.is_empty, lines.torn) == (True, False)
        lines.append({"a": 1}, [2])
        lines.append()
    with JsonLines(path) as lines:
        assert (lines.is_empty, lines.torn) == (False, False)
        lines.append("é")
    assert list(lines_of(path)) == [b'{"a": 1}\n', b"[2]\n", b'"\\u00e9"\n']


@pytest.mark.parametrize("torn", [b"{", b"x" * 70_000, b"x" * (1 << 16), b"x" * ((1 << 16) - 1), b"[1]"])
@pytest.mark.parametrize("before", [b"", b"[0]\n"])
def test_a_torn_line_of_any_length_is_cut_away(tmp_path: Path, torn: bytes, before: bytes):
    path = tmp_path / "lines.jsonl"
    path.write_bytes(before + torn)
    with JsonLines(path) as lines:
        assert lines.torn
        lines.append(3)
    assert path.read_bytes() == before + b"3\n"


def test_where_there_is_no_room_nothing_of_a_line_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "lines.jsonl"
    write = os.write

    def little(descriptor: int, content: bytes) -> int:
        if len(content) < 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, content[:3])

    with JsonLines(path) as lines:
        lines.append(1)
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", little)
            with pytest.raises(OSError, match="No space left"):
                lines.append([1, 2, 3, 4])
        lines.append(2)
    assert path.read_bytes() == b"1\n2\n"


def test_a_second_writer_is_told_apart(tmp_path: Path):
    path = tmp_path / "lines.jsonl"
    with JsonLines(path), pytest.raises(BlockingIOError):
        JsonLines(path, wait=False)
    JsonLines(path, wait=False).close()


def test_a_place_that_cannot_be_opened_is_an_error(tmp_path: Path):
    with pytest.raises(IsADirectoryError):
        JsonLines(tmp_path)
