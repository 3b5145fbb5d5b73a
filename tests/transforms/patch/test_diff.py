"""Diffs are judged by git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.patch.diff import as_bytes, quote_path, unified_diff

LONG = b"".join(b"line %d\n" % n for n in range(60))
MANY = b"".join(b"line %d\n" % n for n in range(12_000))
"""So many lines that no least difference is looked for."""

CHANGES = {
    "plain": (b"a\nb\nc\n", b"a\nB\nc\n"),
    "no newline before": (b"a\nb", b"a\nb\n"),
    "no newline after": (b"a\nb\n", b"a\nb"),
    "no newline on both sides": (b"a\nb", b"a\nc"),
    "no newline, change further up": (b"x\na\nb", b"y\na\nb"),
    "CRLF": (b"a\r\nb\r\n", b"a\r\nc\r\n"),
    "mixed line ends": (b"a\r\nb\nc\rd\n", b"a\r\nb\nc\re\n"),
    "form feed": (b"a\n\x0c\nb\n", b"a\n\x0c\nc\n"),
    "form feed in a line": (b"a\x0cb\nb\n", b"a\x0cc\nb\n"),
    "unicode separators": ("a\u2028b\nx\x85y\n".encode(), "a\u2028c\nx\x85z\n".encode()),
    "latin-1": ("# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1"), b"# -*- coding: latin-1 -*-\ns = '\xff'\n"),
    "byte order mark": (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n"),
    "two hunks": (LONG, LONG.replace(b"line 3\n", b"").replace(b"line 50\n", b"line 50\nmore\n")),
    "dashes": (b"-- a\n++ b\n", b"-- a\n++ c\n"),
    "to empty": (b"a\n", b""),
    "from empty": (b"", b"a\n"),
    "blank lines": (b"\n\n\n", b"\n\n"),
    "many lines, two apart": (MANY, MANY.replace(b"line 3\n", b"").replace(b"line 9000\n", b"line 9000\nmore\n")),
    "many lines, the first": (MANY, MANY.removeprefix(b"line 0\n")),
    "many lines, the last": (MANY, MANY + b"more"),
    "many lines, twice one": (MANY + b"x\nx\n", MANY + b"x\n"),
}


def git_applies(root: Path, path: str, before: bytes | None, after: bytes | None) -> None:
    """Let git check and apply the diff, and compare what comes out."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    if before is not None:
        target.write_bytes(before)
    patch = as_bytes(unified_diff(path, before, after))
    for more in (["--check"], []):
        command = ["git", "apply", "--unsafe-paths", "--whitespace=nowarn", *more, "-"]
        done = subprocess.run(command, cwd=root, input=patch, capture_output=True)
        assert done.returncode == 0, (done.stderr, patch)
    assert (target.read_bytes() if target.exists() else None) == after


@pytest.mark.parametrize("name", CHANGES)
def test_git_accepts_nasty_content(tmp_path: Path, name: str) -> None:
    git_applies(tmp_path, "mod.py", *CHANGES[name])
    git_applies(tmp_path, "mod.py", *reversed(CHANGES[name]))


@pytest.mark.parametrize(
    "path", ["pkg/mod.py", "with space/a b.py", "naïve/é.py", 'quo"te.py', "tab\tname.py", "back\\slash.py"]
)
def test_git_accepts_odd_paths(tmp_path: Path, path: str) -> None:
    git_applies(tmp_path, path, b"a\nb\n", b"a\nc\n")


@pytest.mark.parametrize("path", ["new.py", "with space/new é.py"])
@pytest.mark.parametrize("content", [b"", b"a\n", b"a"])
def test_git_accepts_files_that_come_and_go(tmp_path: Path, path: str, content: bytes) -> None:
    git_applies(tmp_path, path, None, content)
    git_applies(tmp_path, path, content, None)


def test_a_joined_patch_changes_every_file(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_bytes(b"1")
    (tmp_path / "two.py").write_bytes(b"2\n")
    patch = unified_diff("one.py", b"1", b"one") + unified_diff("two.py", b"2\n", b"two\n")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=as_bytes(patch), check=True)
    assert (tmp_path / "one.py").read_bytes() == b"one"
    assert (tmp_path / "two.py").read_bytes() == b"two\n"


def test_no_change_gives_no_diff() -> None:
    assert unified_diff("a.py", b"x\n", b"x\n") == ""


def test_the_text_of_a_plain_diff() -> None:
    assert unified_diff("a.py", b"x\ny\n", b"x\nz\n") == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"


def test_quoting_follows_git() -> None:
    assert quote_path("a/plain file.py") == "a/plain file.py"
    assert quote_path("a/é\n") == '"a/\\303\\251\\n"'


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([b"a\n", b"b\r\n", b"\n", b"\x0c\n", b"\xff\n", b"\xe2\x80\xa8c\n", b"d"]), max_size=8),
    st.data(),
)
def test_git_restores_any_edit(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], data: st.DataObject
) -> None:
    before = b"".join(lines)
    after = b"".join(data.draw(st.permutations(lines)))[: data.draw(st.integers(0, 30))]
    if before != after:
        git_applies(tmp_path_factory.mktemp("repo"), "f.py", before, after)
