import subprocess

import pytest

from analysis.errors import UsageError
from repair.front.changes import answer_unchanged, change_asked_about, change_of, is_in_place, reader
from repair.records.change import Change
from repair.records.result import Status, exit_code

OLD = b"def f():\n    return 1\n"


@pytest.fixture
def repo(tmp_path):
    (tmp_path / "a.py").write_bytes(OLD)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    return tmp_path


def answer(root, since="HEAD"):
    return answer_unchanged(str(root), change_asked_about(root, None, since), since)


def test_nothing_differs(repo):
    result = answer(repo)
    assert (result.status, exit_code(result.status), result.messages) == (
        Status.UNCHANGED,
        0,
        ("Nothing differs from HEAD.",),
    )


def test_comments_and_layout_are_called_that(repo):
    (repo / "a.py").write_bytes(b"def f():\n    # why\n    return  1\n")
    result = answer(repo)
    assert result.status is Status.UNCHANGED
    assert "Only comments and layout differ, in 1 file (a.py)" in result.messages[0]
    assert [(f.kind, f.file) for f in result.findings] == [("layout", "a.py")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.py", b"def f():\n    return 2\n"),
        ("a.py", b"def f():\n    return (1)\n"),
        ("a.py", b'def f():\n    """Say one."""\n    return 1\n'),
        ("new.py", b"# a comment\n"),
        ("README.md", b"A document, whose examples may be tests.\n"),
        ("data.txt", b"1\n"),
    ],
)
def test_whatever_could_mean_something_is_judged(repo, name, content):
    (repo / name).write_bytes(content)
    assert answer(repo) is None


def test_a_link_beside_a_comment_is_no_matter_of_layout(repo):
    (repo / "a.py").write_bytes(OLD + b"# why\n")
    (repo / "conftest.py").symlink_to("/dev/null")
    assert change_asked_about(repo, None, "HEAD").others == ("conftest.py",)
    assert answer(repo) is None


def test_a_file_that_is_gone_is_a_change(repo):
    (repo / "a.py").unlink()
    assert answer(repo) is None


def test_a_patch_that_changes_no_byte_says_so(repo):
    patch = b"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 1\n"
    result = answer_unchanged(str(repo), change_asked_about(repo, patch, None), None)
    assert (result.status, result.messages) == (Status.UNCHANGED, ("The patch changes no byte of any file.",))


def test_an_empty_patch_stays_an_error(repo):
    # What should have printed it may have failed, and nothing that failed looks like consent.
    with pytest.raises(UsageError, match="changes no file"):
        change_asked_about(repo, b"", None)


def test_a_patch_that_is_applied_already_is_taken_as_it_was(repo):
    patch = b"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 0\n+    return 1\n"
    change = change_of(patch, reader(repo))
    assert change == Change((("a.py", OLD.replace(b"1", b"0")),), (("a.py", OLD),))
    assert is_in_place(change, reader(repo))


MORE = OLD + b"\n\ndef g():\n    return 2\n"
ADDED = b"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,6 @@\n def f():\n     return 1\n+\n+\n+def g():\n+    return 2\n"
TAKEN = b"--- a/a.py\n+++ b/a.py\n@@ -1,6 +1,2 @@\n def f():\n     return 1\n-\n-\n-def g():\n-    return 2\n"


@pytest.mark.parametrize(
    ("patch", "before", "after"), [(ADDED, OLD, MORE), (TAKEN, MORE, OLD)], ids=["added at the end", "removed there"]
)
@pytest.mark.parametrize("in_place", [True, False])
def test_what_changed_at_the_end_of_a_file_is_read_one_way(repo, patch, before, after, in_place):
    """Its lines stand behind the same lines before and after, so the text of the patch fits both trees."""
    (repo / "a.py").write_bytes(after if in_place else before)
    change = change_of(patch, reader(repo))
    assert change == Change((("a.py", before),), (("a.py", after),))
    assert is_in_place(change, reader(repo)) is in_place


def test_a_file_that_was_empty_has_its_text_once(repo):
    (repo / "a.py").write_bytes(b"x = 1\n")
    assert change_of(b"--- a/a.py\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1\n", reader(repo)) == Change(
        (("a.py", b""),), (("a.py", b"x = 1\n"),)
    )
