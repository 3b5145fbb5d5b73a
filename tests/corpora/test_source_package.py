"""What pip cannot do is told apart; archives are unpacked with care."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora import source_package
from corpora.source_package import IndexUnreachableError, unpack


def archive(path: Path, members: dict[str, bytes], links: dict[str, str] | None = None) -> Path:
    """A gzipped tar archive with these files and symbolic links."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        for name, target in (links or {}).items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            tar.addfile(entry)
    return path


def test_unpacks_the_one_top_directory(tmp_path):
    made = archive(tmp_path / "p.tar.gz", {"p-1/p.py": b"x = 1\n", "p-1/tests/test_p.py": b""})
    unpack(made, tmp_path / "deep" / "tree")
    assert (tmp_path / "deep" / "tree" / "p.py").read_bytes() == b"x = 1\n"
    assert [x.name for x in (tmp_path / "deep").iterdir()] == ["tree"]


@pytest.mark.parametrize(
    ("members", "links"),
    [
        ({"p-1/a.py": b"", "../outside.py": b"x"}, {}),
        ({"p-1/a.py": b"", "/tmp/absolute-of-repair.py": b"x", "q/b.py": b""}, {}),
        ({"p-1/a.py": b""}, {"p-1/link": "../../outside"}),
        ({"p-1/a.py": b""}, {"p-1/link": "a.py"}),
        ({".": b""}, {}),
        ({"p-1/a.py": b"", "q-1/b.py": b""}, {}),
        ({"a.py": b""}, {}),
        ({}, {}),
    ],
    ids=["up", "absolute", "link out", "link", "dot", "two tops", "no directory", "empty"],
)
def test_refuses_what_leads_outside_or_is_no_package(tmp_path, members, links):
    made = archive(tmp_path / "in" / "p.tar.gz", members, links)
    with pytest.raises(TargetError):
        unpack(made, tmp_path / "out" / "tree")
    assert list((tmp_path / "out").iterdir()) == []
    assert not (tmp_path / "outside.py").exists()


def test_refuses_a_truncated_archive(tmp_path):
    made = archive(tmp_path / "p.tar.gz", {"p-1/p.py": bytes(range(256)) * 400})
    made.write_bytes(made.read_bytes()[:-40])
    with pytest.raises(TargetError, match="cannot be unpacked"):
        unpack(made, tmp_path / "out" / "tree")


def test_refuses_an_archive_beyond_bounds(tmp_path, monkeypatch):
    monkeypatch.setattr(source_package, "MOST_MEMBERS", 1)
    made = archive(tmp_path / "p.tar.gz", {"p-1/a.py": b"", "p-1/b.py": b""})
    with pytest.raises(TargetError, match="more than"):
        unpack(made, tmp_path / "out" / "tree")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("WARNING: Retrying ... NewConnectionError(...)\nERROR: No matching distribution found", IndexUnreachableError),
        ("ERROR: Could not find a version (from versions: none)", IndexUnreachableError),
        ("ERROR: Could not find a version (from versions: 1.0, 1.1)", TargetError),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", TargetError),
        ("/bin/python: No module named pip", TargetError),
    ],
)
def test_tells_a_silent_index_from_other_failures(monkeypatch, words, kind):
    failed = source_package.subprocess.CompletedProcess([], 1, "", words)
    monkeypatch.setattr(source_package.subprocess, "run", lambda *a, **k: failed)
    with pytest.raises(TargetError) as raised:
        source_package.run_pip("download")
    assert type(raised.value) is kind
