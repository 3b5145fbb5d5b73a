"""Small folders in the layouts of published corpora, with programs of our own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path


def put(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files below the folder; gives the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


HALF_BUGGY = '''def half(n):
    return n // 3

"""
Half

Gives the whole part of a half.
"""
'''
HALF_FIXED = '''def half(n):
    return n // 2

"""
def half(n):
    return n >> 1

def half(n):
    return (n - n % 2) // 2
"""
'''
CHAIN_BUGGY = '''from collections import deque

def chain(node):
    def visit(at, seen):
        return seen
    return list(visit(node, deque()))

"""
All values from a node on.
"""
'''
CHAIN_FIXED = '''from collections import deque

def chain(node):
    def visit(at, seen):
        while at is not None:
            seen.append(at.value)
            at = at.successor
        return seen
    return list(visit(node, deque()))

"""
Use a list; no program of its own.
"""
'''
CHOICE = """import pytest

if pytest.use_correct:
    from correct_python_programs.{name} import {name}
else:
    from python_programs.{name} import {name}
"""
HALF_TEST = (
    CHOICE.format(name="half")
    + """
from load_testdata import load_json_testcases

@pytest.mark.parametrize("input_data,expected", load_json_testcases("half"))
def test_half(input_data, expected):
    assert half(*input_data) == expected
"""
)
CHAIN_TEST = (
    CHOICE.format(name="chain")
    + """
from node import Node

def test_chain():
    assert chain(Node(1, Node(2))) == [1, 2]
"""
)
NODE = """class Node:
    def __init__(self, value, successor=None):
        self.value = value
        self.successor = successor
"""
LOAD = """import json
from pathlib import Path

def load_json_testcases(name):
    text = (Path(__file__).parent.parent / "json_testcases" / (name + ".json")).read_text()
    return [json.loads(line) for line in text.splitlines()]
"""
CONFTEST = """import pytest

def pytest_configure(config):
    pytest.use_correct = False
    pytest.run_slow = False
"""


def quixbugs(folder: Path) -> Path:
    """Two programs with tests; a driver and the shared node beside them, as published."""
    return put(
        folder,
        {
            "conftest.py": CONFTEST,
            "python_programs/node.py": NODE,
            "python_programs/half.py": HALF_BUGGY,
            "python_programs/chain.py": CHAIN_BUGGY,
            "python_programs/chain_test.py": "from .chain import chain\nprint(chain(None))\n",
            "python_testcases/node.py": NODE,
            "python_testcases/load_testdata.py": LOAD,
            "python_testcases/test_half.py": HALF_TEST,
            "python_testcases/test_chain.py": CHAIN_TEST,
            "json_testcases/half.json": "[[4], 2]\n[[0], 0]\n[[9], 4]\n",
            "correct_python_programs/half.py": HALF_FIXED,
            "correct_python_programs/chain.py": CHAIN_FIXED,
        },
    )


def flat(folder: Path) -> Path:
    """Two bugs written by hand, one with an answer."""
    return put(
        folder,
        {
            "half/bug.toml": 'function = "half.py:half"\n',
            "half/half.py": "def half(n):\n    return n // 3\n",
            "half/test_half.py": "from half import half\n\ndef test_half():\n    assert half(4) == 2\n",
            "half/reference/half.py": "def half(n):\n    return n // 2\n",
            "twice/twice.py": "def twice(n):\n    return n * 3\n",
            "twice/test_twice.py": "from twice import twice\n\ndef test_twice():\n    assert twice(4) == 8\n",
        },
    )


TWICE = {
    "task_id": "Python/7",
    "prompt": "\nimport math\n\n\ndef unit() -> int:\n    return math.isqrt(4)\n\n\ndef twice(n: int) -> int:\n"
    '    """ Double it. """\n',
    "buggy_solution": "    return n * n\n",
    "canonical_solution": "    return n * unit()\n",
    "test": """


def check(twice):
    # some words
    print
    assert twice(2) == 4
    assert twice(unit()) == 4, f"first\\nsecond"
    few = [1, 5]
    assert [twice(n) for n in few] == [2, 10]

check(twice)""",
    "entry_point": "twice",
    "docstring": "Double it.",
}
THRICE = {
    "task_id": "Python/8",
    "prompt": "def thrice(n):\n",
    "buggy_solution": "    while n:\n        pass\n    return n\n",
    "canonical_solution": "    return n + n + n\n",
    "test": "def check(candidate):\n    assert candidate(0) == 0\n    assert candidate(2) == 6\n",
    "entry_point": "thrice",
}


def humaneval(folder: Path) -> Path:
    """Two functions, one of them in the way of older files, where the check names its argument otherwise."""
    return put(folder, {"humanevalpack.jsonl": "".join(json.dumps(row) + "\n" for row in (TWICE, THRICE))})


def refactory(folder: Path) -> Path:
    """Two questions; the second with code around each answer, and a pair that is there twice."""
    pairs = ("apart(5, 2)", "3"), ("apart(2, 5)", "3"), ("apart(1, 1)", "0"), ("apart(2, 5)", "3")
    more = ("least(SOME)", "1"), ("least([])", "None")
    answers = {
        "question_1/description.txt": "Task: the distance of two numbers\n",
        "question_1/code/wrong/wrong_1_001.py": "def apart(a, b):\n    return a - b\n",
        "question_1/code/wrong/wrong_1_002.py": "def apart(a, b):\n    return minus(b, a)\n\n"
        "def minus(a, b):\n    return a - b\n",
        "question_1/code/wrong/wrong_1_003.py": "def apart(a, b)\n    return 1\n",
        "question_1/code/wrong/wrong_1_004.py": "def far(a, b):\n    return 1\n",
        "question_1/code/correct/correct_1_001.py": "def apart(a, b):\n    return abs(b - a)\n",
        "question_1/code/reference/reference.py": "def apart(a, b):\n    return max(a, b) - min(a, b)\n",
        "question_2/code/global.py": "SOME = [3, 1, 2]\n",
        "question_2/code/wrong/wrong_2_001.py": "def test_it():\n    pass\n\ndef least(few):\n    return few[0]\n",
        "question_2/code/reference/reference.py": "def least(few):\n    return min(few, default=None)\n",
    }
    for question, some in ("question_1", pairs), ("question_2", more):
        for number, (call, result) in enumerate(some, 1):
            answers[f"{question}/ans/input_{number:03}.txt"] = call + "\n"
            answers[f"{question}/ans/output_{number:03}.txt"] = result + "\n"
    return put(folder, answers)


def clone(folder: Path, *commits: Mapping[str, str]) -> tuple[str, ...]:
    """A bare git repository with these trees as its history; gives the ids of the commits."""
    lines: list[bytes] = []
    for number, files in enumerate(commits, 1):
        lines += [b"commit refs/heads/main", b"mark :%d" % number, b"committer A <a@example.org> %d +0000" % 1.6e9]
        lines += [b"data 0", b"deleteall"]
        for path, text in files.items():
            lines += [b"M 100644 inline " + path.encode(), b"data %d" % len(text.encode()), text.encode()]
        lines.append(b"")
    folder.mkdir(parents=True)
    git = ["git", "--git-dir", str(folder)]
    subprocess.run([*git, "init", "--quiet", "--bare"], check=True)
    marks = folder / "marks"
    subprocess.run([*git, "fast-import", "--quiet", f"--export-marks={marks}"], input=b"\n".join(lines), check=True)
    ids = dict(line.split() for line in marks.read_text().splitlines())
    return tuple(ids[f":{number}"] for number in range(1, len(commits) + 1))


LIBRARY = {
    "lib/half.py": "def half(n):\n    return n // 3\n",
    "tests/test_half.py": "from lib.half import half\n\n\ndef test_none():\n    assert half(0) == 0\n",
    ".gitattributes": "tests export-ignore\n",
}
PATCH = """diff --git a/lib/half.py b/lib/half.py
--- a/lib/half.py
+++ b/lib/half.py
@@ -1,2 +1,2 @@
 def half(n):
-    return n // 3
+    return n // 2
"""
TEST_PATCH = """diff --git a/tests/test_half.py b/tests/test_half.py
--- a/tests/test_half.py
+++ b/tests/test_half.py
@@ -3,3 +3,7 @@ from lib.half import half
\x20
 def test_none():
     assert half(0) == 0
+
+
+def test_half():
+    assert half(4) == 2
"""


def swebench(folder: Path) -> Path:
    """Two instances of a project whose clone lies beside the file; gives the file."""
    (base,) = clone(folder / "clones/some__lib", LIBRARY)
    first = {
        "instance_id": "some__lib-1",
        "repo": "some/lib",
        "base_commit": base,
        "patch": PATCH,
        "test_patch": TEST_PATCH,
        "problem_statement": "half(4) gives 1",
        "created_at": "2024-05-06T07:08:09Z",
        "FAIL_TO_PASS": '["tests/test_half.py::test_half"]',
        "PASS_TO_PASS": '["tests/test_half.py::test_none"]',
    }
    second = {**first, "instance_id": "some__lib-2", "FAIL_TO_PASS": ["test_half"]}
    del second["PASS_TO_PASS"], second["created_at"]
    put(folder, {"instances.jsonl": "".join(json.dumps(row) + "\n" for row in (first, second))})
    return folder / "instances.jsonl"


def bugsinpy(folder: Path) -> Path:
    """Two projects, one bug for pytest and one for unittest, with clones beside the checkout; gives the checkout."""
    fixed = {**LIBRARY, "lib/half.py": LIBRARY["lib/half.py"].replace("// 3", "// 2")}
    new_test = LIBRARY["tests/test_half.py"] + "\n\ndef test_half():\n    assert half(4) == 2\n"
    tests = {"tests/test_half.py": new_test, "tests/data/half.json": "2\n"}
    buggy, mended = clone(folder / "clones/lib", LIBRARY, {**fixed, **tests})
    old = {"src/old.py": "def third(n):\n    return n // 4\n", "test/test_old.py": "import unittest\n"}
    case = "import unittest, old\n\nclass OldTest(unittest.TestCase):\n    def test_third(self):\n"
    newer = {"src/old.py": old["src/old.py"].replace("4", "3"), "test/test_old.py": f"{case}        old.third(3)\n"}
    before, after = clone(folder / "clones/old", old, newer)
    info = 'python_version="3.7.0"\nbuggy_commit_id="{}"\nfixed_commit_id ="{}"\ntest_file="{}"'
    return put(
        folder / "BugsInPy",
        {
            "projects/lib/project.info": 'github_url="https://example.org/some/lib/"\nstatus="OK"\n',
            "projects/lib/bugs/2/bug.info": info.format(buggy, mended, "tests/test_half.py"),
            "projects/lib/bugs/2/run_test.sh": "pytest -q tests/test_half.py::test_half",
            "projects/lib/bugs/2/bug_patch.txt": PATCH,
            "projects/lib/bugs/2/requirements.txt": "six==1.15.0\npytest==5.4.2\n-e git+https://x#egg=lib\nlib==1.0\n",
            "projects/old/project.info": 'github_url="https://example.org/some/old"\n',
            "projects/old/bugs/10/bug.info": info.format(before, after, "test/test_old.py")
            + '\npythonpath="old/lib/x"',
            "projects/old/bugs/10/run_test.sh": "python -m unittest -q test.test_old.OldTest.test_third\r\n",
            "projects/old/bugs/10/bug_patch.txt": PATCH.replace("lib/half.py", "src/old.py"),
            "projects/old/bugs/10/setup.sh": "touch test/__init__.py\npip install cython\npython setup.py build_ext\n",
        },
    )
