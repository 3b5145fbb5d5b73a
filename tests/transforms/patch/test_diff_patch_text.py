"""Patches from anywhere: applied to the byte, or refused with the place."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import UsageError
from transforms.patch.diff import as_bytes, parse_change, unified_diff

FILES = {
    "pkg/mod.py": b"one\ntwo\nthree\nfour\nfive\nsix\n",
    "crlf.py": b"a\r\nb\r\nc",
    "latin.py": b"# coding: latin-1\ns = '\xe9'\x0c\xe2\x80\xa8\n",
    "with space/\u00e9.py": b"x\n",
    "a/inner.py": b"x\n",
}
PATCH = b"--- a/pkg/mod.py\n+++ b/pkg/mod.py\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"


def read(path: str) -> bytes | None:
    return FILES.get(path)


CHANGES = [
    ("pkg/mod.py", b"one\nTWO\nthree\nfour\nfive\nsix"),
    ("pkg/mod.py", b""),
    ("crlf.py", b"a\r\nB\r\nc\r\n"),
    ("latin.py", b"# coding: latin-1\ns = '\xff'\x0c\xe2\x80\xa8"),
    ("with space/\u00e9.py", b"y\n"),
    ("new.py", b"x"),
]


@pytest.mark.parametrize(("path", "after"), CHANGES)
def test_our_own_diffs_come_back(path: str, after: bytes) -> None:
    patch = as_bytes(unified_diff(path, read(path), after))
    assert parse_change(patch, read)[1] == ((path, after),)


@pytest.mark.parametrize(("path", "after"), [*CHANGES, ("crlf.py", None)])
def test_an_applied_diff_is_taken_out_again(path: str, after: bytes | None) -> None:
    patch = as_bytes(unified_diff(path, read(path), after))
    now, before = parse_change(patch, {path: after}.get, backward=True)
    assert dict(now).get(path) == after
    assert dict(before).get(path) == read(path)


TURNED = b"""diff --git b/pkg/mod.py a/pkg/mod.py
--- b/pkg/mod.py
+++ a/pkg/mod.py
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git b/new.py a/new.py
new file mode 100644
--- /dev/null
+++ a/new.py
@@ -0,0 +1 @@
+x
diff --git b/crlf.py a/crlf.py
deleted file mode 100644
--- b/crlf.py
+++ /dev/null
@@ -1,3 +0,0 @@
-a\r
-b\r
-c
\\ No newline at end of file
"""


def test_a_diff_that_git_turned_round_is_read() -> None:
    old, new = map(dict, parse_change(TURNED, read))
    assert sorted(old) == ["crlf.py", "pkg/mod.py"]
    assert new == {"new.py": b"x\n", "pkg/mod.py": FILES["pkg/mod.py"].replace(b"two", b"TWO")}
    bare = TURNED.split(b"diff --git b/new.py")[0].partition(b"\n")[2]
    assert parse_change(bare, read) == parse_change(PATCH, read)


def test_a_folder_that_is_called_like_a_letter_is_no_diff_that_was_turned_round() -> None:
    patch = PATCH.replace(b"--- a/", b"--- b/").replace(b"+++ b/", b"+++ a/")
    files = {"b/pkg/mod.py": FILES["pkg/mod.py"]}
    with pytest.raises(UsageError, match="renames"):
        parse_change(patch, files.get)


def test_a_diff_that_is_not_applied_cannot_be_taken_out() -> None:
    with pytest.raises(UsageError, match="Hunk 1 of pkg"):
        parse_change(PATCH, read, backward=True)


def test_a_removed_file_is_in_the_change_and_not_in_the_result() -> None:
    patch = as_bytes(unified_diff("crlf.py", FILES["crlf.py"], None))
    assert parse_change(patch, read)[1] == ()
    assert parse_change(patch, read) == ((("crlf.py", FILES["crlf.py"]),), ())


def test_several_files_in_one_patch() -> None:
    patch = "".join(unified_diff(path, read(path), after) for path, after in CHANGES[1:])
    assert parse_change(as_bytes(patch), read)[1] == tuple(sorted(CHANGES[1:]))


def test_git_and_we_read_each_other(tmp_path: Path) -> None:
    def git(*arguments: str) -> bytes:
        identity = ["-c", "user.name=n", "-c", "user.email=e@x"]
        return subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True).stdout

    git("init", "-q")
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_bytes(content)
    git("add", "-A")
    git("commit", "-qm", "start")
    for path, content in CHANGES[1:]:
        (tmp_path / path).write_bytes(content)
    (tmp_path / "a/inner.py").unlink()
    git("add", "-A")
    before, after = parse_change(git("diff", "--cached"), read)
    assert after == tuple(sorted(CHANGES[1:]))
    assert {path for path, _ in before} == {path for path, _ in CHANGES[1:-1]} | {"a/inner.py"}


HEADERS = [
    b"--- pkg/mod.py\n+++ pkg/mod.py\n",
    b"--- ./pkg/mod.py\n+++ ./pkg/mod.py\n",
    b"--- pkg/mod.py\t2024-01-01 00:00:00\n+++ pkg/mod.py\t2024-01-01 00:00:01\n",
    b"diff --git a/pkg/mod.py b/pkg/mod.py\nindex 1..2 100644\n--- a/pkg/mod.py\n+++ b/pkg/mod.py\n",
    b"Index: pkg/mod.py\n=======\n--- pkg/mod.py\t(revision 1)\n+++ pkg/mod.py\t(working copy)\n",
]


@pytest.mark.parametrize("head", HEADERS)
def test_headers_of_many_tools(head: bytes) -> None:
    patch = b"Some words\n\n" + head + b"@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
    assert parse_change(patch, read)[1] == (("pkg/mod.py", FILES["pkg/mod.py"].replace(b"two", b"TWO")),)


def test_a_bare_path_below_a_folder_named_a() -> None:
    assert parse_change(b"--- a/inner.py\n+++ a/inner.py\n@@ -1 +1 @@\n-x\n+y\n", read)[1] == (("a/inner.py", b"y\n"),)


def test_a_patch_with_other_line_ends_than_its_files() -> None:
    ((_, content),) = parse_change(PATCH.replace(b"\n", b"\r\n"), read)[1]
    assert content == FILES["pkg/mod.py"].replace(b"two", b"TWO")
    crlf = b"--- a/crlf.py\r\n+++ b/crlf.py\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n"
    assert parse_change(crlf, read)[1] == (("crlf.py", b"a\r\nB\r\nc"),)


def test_a_hunk_may_stand_elsewhere_when_its_text_is_unique() -> None:
    moved = b"--- a/pkg/mod.py\n+++ b/pkg/mod.py\n@@ -9,2 +9,2 @@\n three\n-four\n+FOUR\n"
    assert parse_change(moved, read)[1] == (("pkg/mod.py", FILES["pkg/mod.py"].replace(b"four", b"FOUR")),)


REFUSED = {
    "nothing": (b"", "changes no file"),
    "words": (b"hello\n", "changes no file"),
    "other context": (PATCH.replace(b" one", b" uno"), "Hunk 1 of pkg/mod.py"),
    "trailing space in context": (PATCH.replace(b" one\n", b" one \n"), "Hunk 1 of pkg/mod.py"),
    "second hunk": (PATCH + b"@@ -5,2 +5,2 @@\n five\n-SIX\n+seven\n", "Hunk 2 of pkg/mod.py"),
    "hunks in disorder": (PATCH.replace(b"-1,3 +1,3", b"-1,3 +1,3") + b"@@ -1,1 +1,1 @@\n-one\n+1\n", "Hunk 2"),
    "ends too soon": (PATCH[:-8], "cannot be read"),
    "no such file": (PATCH.replace(b"pkg/mod", b"pkg/nomod"), "not there"),
    "already there": (b"--- /dev/null\n+++ b/pkg/mod.py\n@@ -0,0 +1 @@\n+x\n", "already"),
    "removes another text": (b"--- a/a/inner.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", "does not apply"),
    "removes a part": (b"--- a/pkg/mod.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n", "text is another"),
    "traversal": (PATCH.replace(b"pkg/mod.py", b"../pkg/mod.py"), "out of the project"),
    "hidden traversal": (PATCH.replace(b"pkg/mod.py", b"pkg/../../mod.py"), "out of the project"),
    "absolute": (b"--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-x\n+y\n", "out of the project"),
    "absolute behind a prefix": (PATCH.replace(b"pkg/mod.py", b"/etc/passwd"), "out of the project"),
    "escaped traversal": (
        b'--- "a/\\056\\056/x.py"\n+++ "b/\\056\\056/x.py"\n@@ -1 +1 @@\n-x\n+y\n',
        "out of the project",
    ),
    "git's own folder": (PATCH.replace(b"pkg/mod.py", b".git/config"), "out of the project"),
    "a rename": (b"diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n", "rename"),
    "a silent rename": (PATCH.replace(b"+++ b/pkg/mod", b"+++ b/pkg/dom"), "renames"),
    "binary": (b"diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n", "binary"),
    "git binary": (b"diff --git a/x.png b/x.png\nGIT binary patch\nliteral 3\nKc${NkU}S\n", "binary"),
    "a link": (b"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n", "link"),
    "twice": (PATCH + PATCH, "twice"),
    "a hunk without file": (b"@@ -1 +1 @@\n-x\n+y\n", "cannot be read"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_patches_are_refused_with_a_sentence(name: str) -> None:
    patch, words = REFUSED[name]
    with pytest.raises(UsageError, match=words) as refusal:
        parse_change(patch, read)
    assert refusal.value.remedy


_LINES = st.lists(
    st.sampled_from([b"a\n", b"b\r\n", b"\n", b"\\ x\n", b"-- \n", b"+++ x\n", b"\xff\n", b"d"]), max_size=9
)


@settings(max_examples=200, deadline=None)
@given(_LINES, _LINES)
def test_any_diff_of_ours_is_read_back(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    if before != after:
        patch = as_bytes(unified_diff("f.py", before, after))
        assert parse_change(patch, {"f.py": before}.get)[1] == (("f.py", after),)
