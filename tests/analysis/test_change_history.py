"""How often functions were changed, by the differences of commits."""

import pytest

from analysis.change_history import CommittedChange, History, count_changes, read_commits

NOW = {"a.py": [("one", 1, 3), ("two", 5, 8)]}


def log(*commits):
    return "".join(f"\0{subject}\n\n{text}" for subject, text in commits)


def diff(*hunks, old="a.py", new="a.py"):
    before = f"a/{old}" if old else "/dev/null"
    return f"diff --git a/{old} b/{new}\n--- {before}\n+++ b/{new}\n" + "".join(hunks)


def changes(text):
    found = count_changes(NOW, read_commits(text))
    return {name: (each.changes, each.fixes) for (_, name), each in found.items()}


def test_a_changed_line_counts_for_its_function():
    text = log(("Fix two", diff("@@ -6 +6 @@ def two\n-    x\n+    y\n")), ("More", diff("@@ -2 +2 @@\n-a\n+b\n")))
    assert changes(text) == {"one": (1, 0), "two": (1, 1)}


def test_lines_keep_their_function_however_far_they_move():
    moved = diff("@@ -0,0 +1,3 @@\n+a\n+b\n+c\n")  # one was written: two stood three lines higher
    text = log(("Write one", moved), ("Fix #3", diff("@@ -2 +2 @@\n-x\n+y\n")))
    assert changes(text) == {"one": (1, 0), "two": (1, 1)}


def test_what_is_not_committed_shifts_lines_and_counts_for_nothing():
    text = log(("", diff("@@ -0,0 +1,3 @@\n+a\n+b\n+c\n")), ("Change", diff("@@ -2 +2 @@\n-x\n+y\n")))
    assert changes(text) == {"one": (0, 0), "two": (1, 0)}


def test_lines_that_were_taken_out_count_for_the_function_around_them():
    assert changes(log(("Less", diff("@@ -7,2 +6,0 @@\n-x\n-y\n")))) == {"one": (0, 0), "two": (1, 0)}
    assert changes(log(("Less", diff("@@ -4,2 +3,0 @@\n-x\n-y\n")))) == {"one": (0, 0), "two": (0, 0)}


def test_a_renamed_file_keeps_its_history_and_a_new_one_has_none_before():
    renamed = diff("@@ -1 +1 @@\n-x\n+y\n", old="b.py", new="a.py")
    before = diff("@@ -6 +6 @@\n-x\n+y\n", old="b.py", new="b.py")
    assert changes(log(("Move", renamed), ("Mend", before))) == {"one": (1, 0), "two": (1, 0)}
    born = diff("@@ -0,0 +1,8 @@\n" + "+x\n" * 8, old="", new="a.py")
    assert changes(log(("Begin", born), ("Earlier", diff("@@ -1 +1 @@\n-x\n+y\n")))) == {"one": (1, 0), "two": (1, 0)}


def test_lines_of_a_diff_that_look_like_headers_are_lines():
    text = diff("@@ -1,2 +1,2 @@\n---- a/x\n-diff --git a/a.py b/a.py\n+++++ b/evil.py\n+@@ -9 +9 @@\n")
    (commit,) = read_commits(log(("Odd", text)))
    assert [(each.new_path, len(each.hunks)) for each in commit.files] == [("a.py", 1)]


@pytest.mark.parametrize("text", ["", "no mark", "\0", "\0x\n@@ -1 +1 @@\n", "\0x\n--- a/a.py\n@@ -9999999999 +1 @@\n"])
def test_a_log_that_is_none_tells_nothing(text):
    assert changes(text) == {"one": (0, 0), "two": (0, 0)}


@pytest.mark.parametrize(
    ("subject", "is_fix"),
    [("Fix the rounding", True), ("fixes #12", True), ("A regression in price()", True), ("Prefix names", False)],
)
def test_the_author_says_what_is_a_fix(subject, is_fix):
    assert CommittedChange(subject, ()).is_fix is is_fix


def test_hunks_beyond_the_known_lines_touch_nothing():
    assert (
        count_changes(NOW, read_commits(log(("x", diff("@@ -90 +90,2 @@\n-a\n+b\n+c\n")))))["a.py", "two"] == History()
    )


def test_a_sign_within_a_file_begins_no_commit():
    """A text whose first zero byte comes late is no binary file to git."""
    text = log(("One", diff("@@ -2 +2,2 @@\n-a\n+b\0Fix it\n+c\n")))
    (commit,) = read_commits(text)
    assert (commit.subject, len(commit.files)) == ("One", 1)
