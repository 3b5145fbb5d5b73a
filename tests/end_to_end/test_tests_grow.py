"""``repair tests grow`` as users start it: on a small project in both styles, and on a real library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from end_to_end.conftest import Command
from fakes.cited import complaints

from corpora.environment import environment
from corpora.lab.cases import PYTEST
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import IndexUnreachableError, case_cache, unpack

SHOP = '''\
def total(prices):
    """Add up prices.

    Returns 0 for an empty list.
    """
    if len(prices) == 0:
        return 0
    return sum(prices)


def share(price, people):
    """Returns None if people is 0."""
    return price // people if people > 1 else price


class Cart:
    def __init__(self, items):
        self.items = items

    def dear(self, least):
        return [item for item in self.items if item > least]


class Till:
    def __init__(self, paper):
        self.paper = paper

    def fee(self, amount):
        return max(amount, 5)
'''
PLAIN = """\
from shop import Cart, share, total


def test_total():
    assert total([1, 2]) == 3


def test_share():
    assert share(10, 5) == 2


def test_cart():
    assert Cart([1, 5]).dear(2) == [5]
"""
TILL = """\
import io

import pytest

from shop import Till


@pytest.fixture
def till():
    return Till(io.StringIO())
"""
ON_A_TILL = """

def test_fee(till):
    assert till.fee(7) == 7
"""
CLASSES = """\
import unittest

from shop import Cart, share, total


class TestShop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_share(self):
        self.assertEqual(share(10, 5), 2)

    def test_cart(self):
        self.assertEqual(Cart([1, 5]).dear(2), [5])
"""


def project(tmp_path: Path, tests: str) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (root / "shop.py").write_text(SHOP)
    (root / "tests/test_shop.py").write_text(tests)
    return root


def contents(root: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def plain_pytest(root: Path, *arguments: str, python: str = sys.executable) -> int:
    run = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
    return subprocess.run(
        run, cwd=root, check=False, capture_output=True, env={"PYTHONDONTWRITEBYTECODE": "1"}
    ).returncode


@pytest.mark.parametrize("tests", [PLAIN + ON_A_TILL, CLASSES])
def test_a_small_project(tmp_path: Path, repair: Command, tests: str):
    root = project(tmp_path, tests)
    (root / "tests/conftest.py").write_text(TILL)
    before = contents(root)
    given = ("--root", str(root), "--python", sys.executable, "--max-seconds", "200", "--json")
    answer = repair("tests", "grow", *given)
    assert contents(root) == before
    report = answer.result
    assert report["schema"] == "repair.grown/1"
    functions = {each["function"]: each for each in report["functions"]}
    claimed = {(t["call"], t["claim"]): t for each in functions.values() for t in each["tests"]}
    assert claimed["shop.total([])", "== 0"]["standing"] == "required"
    assert claimed["shop.total([])", "== 0"]["said"] == 'shop.py:4 says "Returns 0 for an empty list."'
    assert [test for test in functions["Cart.dear"]["tests"] if test["call"].startswith("shop.Cart(items=")]
    assert all(test["kills"] for test in claimed.values())
    on_a_till = [call for call, _ in claimed if call.startswith("till.fee(")]
    assert bool(on_a_till) == (tests is not CLASSES), "no constructor makes a till; its fixture does"
    [finding] = report["findings"]
    assert finding["function"] == "share"
    assert finding["call"].endswith(", 0)")
    assert 'says "Returns None if people is 0."' in finding["said"]
    assert answer.status == 1
    [file] = report["files"]
    assert ("unittest.TestCase" in file["text"]) == (tests is CLASSES)
    (root / file["path"]).write_text(file["text"])
    assert plain_pytest(root) == 0


def test_new_files_lie_where_they_were_run(tmp_path: Path, repair: Command):
    root = project(tmp_path, PLAIN)
    before = contents(root)
    given = ("--root", str(root), "--python", sys.executable, "--max-seconds", "100")
    answer = repair("tests", "grow", "share", *given, "--write", str(root / "tests/more"), "--failing")
    assert answer.status == 1
    assert "code or fact? shop.py:11 share(" in answer.output
    new = {Path(path).name: text for path, text in contents(root).items() if path not in before}
    assert {name for name in new if name.endswith(".py")} == {"test_grown_shop.py", "test_findings_shop.py"}
    assert {path: text for path, text in contents(root).items() if path in before} == before
    assert plain_pytest(root, "tests/more/test_grown_shop.py") == 0
    assert plain_pytest(root, "tests/more/test_findings_shop.py") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none_such",), "There is no path and no function 'none_such'"),
        (("src/none_such.py",), "There is no 'src/none_such.py'"),
        (("--write", "/"), "/ lies outside the project"),
        (("--failing",), "--failing writes files"),
        (("--output-format", "sarif"), "Grown tests cannot be shown as sarif"),
    ],
)
def test_what_is_refused(tmp_path: Path, repair: Command, arguments, said):
    root = project(tmp_path, PLAIN)
    answer = repair("tests", "grow", *arguments, "--root", str(root), "--python", sys.executable)
    assert answer.status == 2
    assert said in answer.messages


INFLECTION = SourcePackage("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417")


@pytest.mark.real
def test_a_real_library(repair: Command, tmp_path: Path):
    try:
        unpack(fetch(INFLECTION, case_cache()), tmp_path / "tree")
        python = environment(PYTEST, case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    root = tmp_path / "tree"
    given = ("--root", str(root), "--python", python, "--max-seconds", "240", "--json")
    answer = repair("tests", "grow", "parameterize", "ordinalize", *given)
    functions = {each["function"]: each for each in answer.result["functions"]}
    assert set(functions) == {"parameterize", "ordinalize"}
    assert sum(each["killed"] for each in functions.values()) >= 1
    program = {path: (root / path).read_text() for path in ("inflection/__init__.py",)}
    for file in answer.result["files"]:
        assert complaints(file["text"], program) == []
        (root / file["path"]).write_text(file["text"])
        assert plain_pytest(root, file["path"], python=python) == 0


def test_answers_become_tests(tmp_path: Path, repair: Command):
    root = project(tmp_path, PLAIN)
    answers = ("--answer", "shop.total([5]) == 5", "--answer", "shop.share(4, 0) raises ZeroDivisionError")
    given = ("--root", str(root), "--python", sys.executable, "--max-seconds", "100", "--json")
    report = repair("tests", "grow", *answers, *given).result
    [test] = report["asked"]
    assert (test["standing"], test["call"], test["claim"]) == ("asked", "shop.total([5])", "== 5")
    assert report["functions"] == []
    [finding] = report["findings"]
    assert 'a person answered "shop.share(4, 0) raises ZeroDivisionError"' in finding["said"]
    assert '# Asked: a person answered "shop.total([5]) == 5"' in report["files"][0]["text"]
    assert repair("tests", "grow", "latest", *given).status == 2
