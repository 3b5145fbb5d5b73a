"""Copies have the same bytes, take no more room than they must, and have nothing to do with the original any more."""

from __future__ import annotations

import errno
import fcntl
import os

import pytest

from sandbox.workspace import copy_file

MB = 1 << 20


def written(path, *parts, size):
    """A file of that size with these bytes at these places, and holes between them."""
    with path.open("wb") as file:
        for place, content in parts:
            file.seek(place)
            file.write(content)
        file.truncate(size)
    return path


CASES = {
    "empty": ((), 0),
    "small": (((0, b"x" * 100),), 100),
    "large": (((0, os.urandom(3 * MB + 17)),), 3 * MB + 17),
    "only a hole": ((), 64 * MB),
    "data at the start": (((0, b"a" * 5000),), 64 * MB),
    "data within and at the end": (((8 * MB + 3, b"b" * MB), (64 * MB - 2, b"cd")), 64 * MB),
}


@pytest.mark.parametrize("name", CASES)
def test_the_bytes_are_the_same_and_holes_stay_holes(tmp_path, name):
    parts, size = CASES[name]
    source = written(tmp_path / "source", *parts, size=size)
    copy_file(str(source), str(tmp_path / "copy"), 0o640)
    copy = tmp_path / "copy"
    assert copy.read_bytes() == source.read_bytes()
    assert copy.stat().st_mode & 0o777 == 0o640
    assert copy.stat().st_blocks <= source.stat().st_blocks + 64


def test_what_is_written_to_a_copy_stays_there(tmp_path):
    source = written(tmp_path / "source", (0, b"x" * MB), size=MB)
    copy_file(str(source), str(tmp_path / "copy"), 0o600)
    with (tmp_path / "copy").open("r+b") as file:
        file.write(b"changed")
    assert source.read_bytes() == b"x" * MB
    assert source.stat().st_nlink == (tmp_path / "copy").stat().st_nlink == 1
    with pytest.raises(FileExistsError):
        copy_file(str(source), str(tmp_path / "copy"), 0o600)


def test_a_file_system_that_can_share_blocks_is_asked_to(tmp_path, monkeypatch):
    """What the kernel does on such a file system: asked once for a large file, and nothing is read or written then."""
    asked = []

    def clone(writer, request, reader):
        asked.append(request)
        os.write(writer, b"shared")

    monkeypatch.setattr(fcntl, "ioctl", clone)
    for name, size in (("small", 1000), ("large", MB)):
        copy_file(str(written(tmp_path / name, (0, b"x"), size=size)), str(tmp_path / f"{name}2"), 0o600)
    assert (tmp_path / "large2").read_bytes() == b"shared"
    assert (tmp_path / "small2").stat().st_size == 1000
    assert asked == [0x40049409]


@pytest.mark.parametrize("refusal", [errno.EOPNOTSUPP, errno.EXDEV, errno.EINVAL, errno.ENOTTY])
def test_where_it_cannot_the_bytes_are_copied(tmp_path, monkeypatch, refusal):
    def refuse(*_):
        raise OSError(refusal, "no")

    monkeypatch.setattr(fcntl, "ioctl", refuse)
    source = written(tmp_path / "source", (0, os.urandom(MB)), size=MB)
    copy_file(str(source), str(tmp_path / "copy"), 0o600)
    assert (tmp_path / "copy").read_bytes() == source.read_bytes()
