"""HumanEvalPack: lines become programs and tests; broken lines are told by number."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import published

from analysis.errors import TargetError
from corpora.bug import Bug, Environment, Fault, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.humaneval import PUBLISHED, HumanEval


@pytest.fixture
def corpus(tmp_path: Path) -> HumanEval:
    return HumanEval(published.humaneval(tmp_path / "published"))


def bugs_of(*rows: object, folder: Path) -> list[Bug | SetAside]:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    published.put(folder, {"humanevalpack.jsonl": "\n".join(lines) + "\n"})
    return list(HumanEval(folder).bugs())


def test_a_line_is_a_bug(corpus: HumanEval):
    twice, thrice = corpus.bugs()
    assert isinstance(twice, Bug)
    assert (twice.id, twice.description) == ("Python-7", "Double it.")
    assert twice.fault == Fault("solution.py", "twice")
    assert twice.environment == Environment(tests=("test_solution.py",))
    assert thrice.id == "Python-8"


TESTS = """from solution import twice, unit


def test_1():
    assert twice(2) == 4


def test_2():
    assert twice(unit()) == 4, f'first\\nsecond'


def test_3():
    few = [1, 5]
    assert [twice(n) for n in few] == [2, 10]
"""


def test_a_check_becomes_one_test_for_each_assertion(corpus: HumanEval, tmp_path: Path):
    twice, thrice = (bug for bug in corpus.bugs() if isinstance(bug, Bug))
    corpus.write_tree(twice, tmp_path / "twice")
    assert (tmp_path / "twice/test_solution.py").read_text() == TESTS
    corpus.write_tree(thrice, tmp_path / "thrice")
    assert "def test_2():\n    candidate = thrice\n" in (tmp_path / "thrice/test_solution.py").read_text()


def failing(tree: Path) -> list[str]:
    """The tests of the tree that raise, run without a runner."""
    names: dict[str, Any] = {}
    exec((tree / "solution.py").read_text(), names)
    exec((tree / "test_solution.py").read_text().partition("\n")[2], names)
    return [name for name, test in names.items() if name.startswith("test_") and raises(test)]


def raises(test: Callable[[], None]) -> bool:
    try:
        test()
    except AssertionError:
        return True
    return False


def test_the_tests_fail_and_pass_with_the_reference(corpus: HumanEval, tmp_path: Path):
    twice, _ = corpus.bugs()
    assert isinstance(twice, Bug)
    corpus.write_tree(twice, tmp_path / "tree")
    assert failing(tmp_path / "tree") == ["test_3"]
    ((path, text),) = corpus.oracle(twice).reference
    (tmp_path / "tree" / path).write_bytes(text)
    assert failing(tmp_path / "tree") == []


def test_random_numbers_are_seeded_where_they_are_drawn(tmp_path: Path):
    check = "def check(f):\n    from random import random\n    assert twice(1)\n    assert twice(random())\n"
    (bug,) = bugs_of({**published.TWICE, "test": check}, folder=tmp_path)
    assert isinstance(bug, Bug)
    HumanEval(tmp_path).write_tree(bug, tmp_path / "tree")
    first, second = (tmp_path / "tree/test_solution.py").read_text().split("def test_2")
    assert "seed" not in first
    assert "_random.seed(0)" in second


def test_a_checkout_holds_the_file_where_it_was_published(tmp_path: Path):
    published.put(tmp_path, {PUBLISHED: json.dumps(published.TWICE)})
    (bug,) = open_corpus(f"humaneval:{tmp_path}").bugs()
    assert bug.id == "Python-7"


@pytest.mark.parametrize(
    ("row", "id", "said"),
    [
        ("{", "line-2", "Line 2 is not JSON"),
        ("[1]", "line-2", "Line 2 is no JSON object"),
        ("[" * 100_000, "line-2", "Line 2 is not JSON"),
        ({"task_id": "Python/8"}, "line-2", "Line 2 has no text under 'prompt'"),
        ({**published.THRICE, "test": None}, "line-2", "Line 2 has no text under 'test'"),
        (published.TWICE, "line-2", "Line 2 has the same task_id as line 1"),
        ({**published.THRICE, "test": "def chek(f): pass"}, "Python-8", "Line 2 cannot be used: its test has no check"),
        ({**published.THRICE, "test": "def check(:"}, "Python-8", "Line 2 cannot be used: "),
        ({**published.THRICE, "buggy_solution": "    return ("}, "Python-8", "Line 2 cannot be used: "),
    ],
)
def test_a_line_that_cannot_be_used_is_set_aside(tmp_path: Path, row: object, id: str, said: str):
    good, bad = bugs_of(published.TWICE, row, folder=tmp_path)
    assert isinstance(good, Bug)
    assert isinstance(bad, SetAside)
    assert bad.id == id
    assert bad.reason.startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (b'{"task_id": 3}\n', "Line 1 has no text under 'task_id'"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_file_without_one_good_line_is_refused(tmp_path: Path, content: bytes, said: str):
    (tmp_path / "humanevalpack.jsonl").write_bytes(content)
    with pytest.raises(TargetError, match=said):
        open_corpus(f"humaneval:{tmp_path}/humanevalpack.jsonl")
