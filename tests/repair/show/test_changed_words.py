import pytest

from repair.show.changed_words import changed_region, read_rows, without_context

DIFF = """\
--- a/a.py
+++ b/a.py
@@ -3,4 +3,5 @@ def f(x):
 def f(x):
-    if x > 5:
+    if x >= 5:
+        log(x)
     return x
 # the end
"""


def marked(row):
    return [row.text[begin:end] for begin, end in row.marked]


def test_lines_have_the_numbers_of_their_files():
    assert [(row.sign, row.old, row.new) for row in read_rows(DIFF)] == [
        (" ", 3, 3), ("-", 4, 0), ("+", 0, 4), ("+", 0, 5), (" ", 5, 6), (" ", 6, 7)
    ]  # fmt: skip


def test_words_that_differ_are_marked_and_lines_that_are_new_as_a_whole_are_not():
    rows = read_rows(DIFF)
    assert [marked(row) for row in rows] == [[], [">"], [">="], [], [], []]


@pytest.mark.parametrize(
    ("old", "new", "ours", "theirs"),
    [
        ("return a", "return a or b", [], ["or b"]),
        ("f(1, 2)", "f(2, 1)", ["1", "2"], ["2", "1"]),
        ("total = 0", "print('no likeness at all')", [], []),
        ("    return a", "        return a", [], []),
        ("x = a - b", "x = a -- b", ["-"], ["--"]),
    ],
)
def test_what_is_marked(old, new, ours, theirs):
    removed, added = read_rows(f"@@ -1 +1 @@\n-{old}\n+{new}\n")
    assert [each.strip() for each in marked(removed)] == [each.strip() for each in ours]
    assert [each.strip() for each in marked(added)] == [each.strip() for each in theirs]


def test_context_is_cut_to_what_is_near():
    assert [row.old or row.new for row in without_context(read_rows(DIFF), 1)] == [3, 4, 4, 5, 5]
    assert [row.sign for row in without_context(read_rows(DIFF), 0)] == ["-", "+", "+"]


def test_the_region_is_that_of_the_changed_lines_alone():
    assert changed_region(DIFF) == (4, 4)
    assert changed_region(DIFF, after=True) == (4, 5)


def test_lines_that_are_only_added_lie_before_an_old_line():
    only_added = "@@ -7,2 +7,3 @@\n a\n+b\n c\n"
    assert changed_region(only_added) == (8, 8)
    assert changed_region(only_added, after=True) == (8, 8)
    assert changed_region("@@ -7,2 +7,3 @@\n a\n c\n+b\n") == (8, 8)
    assert changed_region("@@ -0,0 +1 @@\n+b\n") == (1, 1)
    assert changed_region("") == (0, 0)


@pytest.mark.parametrize(
    ("count", "tail", "is_marked"),
    [(2, "", True), (80, "", False), (2, "w " * 300, False), (2, " or w" * 60, True), (9, ",w" * 90, False)],
)
def test_a_block_that_nobody_reads_by_words_is_not_marked(count, tail, is_marked):
    removed, added = ("".join(f"{sign} x{n} = a {sign} b{tail}\n" for n in range(count)) for sign in "-+")
    rows = read_rows(f"@@ -1,{count} +1,{count} @@\n{removed}{added}")
    assert [row.sign for row in rows] == ["-"] * count + ["+"] * count
    assert any(row.marked for row in rows) is is_marked


def test_all_blocks_of_a_diff_share_what_may_be_compared():
    line = "a, " * 120
    rows = read_rows("@@ -1,40 +1,40 @@\n" + f"-{line}1\n+{line}2\n \n" * 20)
    assert [row.sign for row in rows if row.marked] == ["-", "+"] * 3


def test_the_region_does_not_pay_for_marks(monkeypatch):
    monkeypatch.setattr("repair.show.changed_words.SequenceMatcher", None)
    assert changed_region(DIFF) == (4, 4)
