"""What fix commits say of functions."""

import ast

from analysis.change_history import read_commits
from analysis.specified.commit_facts import commit_facts
from analysis.stated.function import stated_functions

SOURCE = "def total(row):\n    return sum(row)\n\n\ndef other(row):\n    return row\n"
LOG = """\0Fix REQ-7: the sum of nothing
diff --git a/shop.py b/shop.py
--- a/shop.py
+++ b/shop.py
@@ -2 +2 @@ def total(row):
-    return sum(row or [1])
+    return sum(row)
diff --git a/tests/test_shop.py b/tests/test_shop.py
--- a/tests/test_shop.py
+++ b/tests/test_shop.py
@@ -1 +1 @@
-a
+b
\0Add other
diff --git a/shop.py b/shop.py
--- a/shop.py
+++ b/shop.py
@@ -6 +6 @@ def other(row):
-    return 1
+    return row
"""


def test_a_fix_is_told_of_the_function_that_it_changed():
    functions = {f"shop.py:{each.qualname}": each for each in stated_functions("shop.py", ast.parse(SOURCE))}
    (fact,) = commit_facts(read_commits(LOG), functions)
    assert (fact.subject, fact.requirement) == ("shop.py:total", "REQ-7")
    assert fact.quote == "Fix REQ-7: the sum of nothing (with tests/test_shop.py)"
