"""A bug tree is the new release with one function's old text; its fix is held out."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import tarfile
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.lab.pinned import SourcePackage
from corpora.lab.release_pair import ReleasePair, make_bug_tree, with_old_text, write_fix, write_provenance

NEW = b"""import functools

@functools.cache
def half(n):
    '''Half of n.'''
    return n / 2

class Box:
    def size(self):
        return 2
"""
OLD = b"""def half(n):
    return n // 2


class Box:
    def size(self):
        if 1:
            return 1
        return 0
    def extra(self):
        return 3
"""
ANY = SourcePackage("p", "2", "0" * 64)


def pair(path: str = "p.py", qualname: str = "half") -> ReleasePair:
    return ReleasePair(ANY, SourcePackage("p", "1", "1" * 64), path, qualname)


@pytest.mark.parametrize(
    ("qualname", "expected"),
    [
        (
            "half",
            NEW.replace(b"@functools.cache\n", b"").replace(b"    '''Half of n.'''\n", b"").replace(b"/ 2", b"// 2"),
        ),
        ("Box.size", NEW.replace(b"        return 2\n", b"        if 1:\n            return 1\n        return 0\n")),
    ],
)
def test_only_the_function_takes_its_old_text(qualname, expected):
    assert with_old_text(pair(qualname=qualname), NEW, OLD) == expected


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_old_text_takes_the_new_file_s_line_endings(newline):
    new = NEW.replace(b"\n", newline)
    for old in (OLD, OLD.replace(b"\n", b"\r\n")):
        mixed = with_old_text(pair(qualname="Box.size"), new, old)
        assert mixed.count(b"\r\n") == (mixed.count(b"\n") if newline == b"\r\n" else 0)


def test_a_last_line_without_newline_stays_so():
    assert with_old_text(pair(), b"def half(n):\n    return 2", b"def half(n):\n    return 1\n").endswith(b"return 1")


@pytest.mark.parametrize(
    ("qualname", "old", "words"),
    [
        ("missing", OLD, "no function missing"),
        ("Box.extra", OLD, "no function Box.extra"),
        ("half", NEW, "the same"),
        ("half", b"if 1:\n    def half(n):\n        return 1\n", "indented differently"),
        ("half", b"def half(:\n", "cannot be parsed"),
    ],
)
def test_refuses_what_gives_no_bug(qualname, old, words):
    with pytest.raises(TargetError, match=words):
        with_old_text(pair(qualname=qualname), NEW, old)


def _kept(cache: Path, version: str, content: bytes) -> SourcePackage:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        entry = tarfile.TarInfo(f"p-{version}/p.py")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    package = SourcePackage("p", version, hashlib.sha256(buffer.getvalue()).hexdigest())
    (cache / "sources").mkdir(parents=True, exist_ok=True)
    (cache / "sources" / f"{package}-{package.sha256[:16]}.tar.gz").write_bytes(buffer.getvalue())
    return package


def test_makes_a_tree_whose_fix_lies_outside_it(tmp_path):
    new, old = _kept(tmp_path / "cache", "2", NEW), _kept(tmp_path / "cache", "1", OLD)
    asked = ReleasePair(new, old, "p.py", "Box.size")
    tree = make_bug_tree(asked, tmp_path / "work" / "tree", tmp_path / "cache")
    assert [x.name for x in tree.root.parent.iterdir()] == ["tree"]
    assert b"return 0" in (tree.root / "p.py").read_bytes()
    (tmp_path / "answer").mkdir()
    fix = write_fix(tree, tmp_path / "answer")
    subprocess.run(["git", "apply", "--check", str(fix)], cwd=tree.root, check=True)
    recorded = json.loads(write_provenance(tree).read_text())
    assert recorded["new"]["sha256"] == new.sha256
    assert recorded["qualname"] == "Box.size"
    assert sorted(x.name for x in tree.root.rglob("*")) == ["p.py"]
    with pytest.raises(TargetError, match="held-out"):
        write_fix(tree, tree.root)


def test_a_file_that_is_not_there_is_named(tmp_path):
    new, old = _kept(tmp_path, "2", NEW), _kept(tmp_path, "1", OLD)
    with pytest.raises(TargetError, match="no such file"):
        make_bug_tree(ReleasePair(new, old, "q.py", "half"), tmp_path / "tree", tmp_path)
    assert not (tmp_path / "tree.old").exists()
