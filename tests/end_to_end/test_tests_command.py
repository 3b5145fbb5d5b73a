"""``repair tests`` as users start it: on one small project, on broken ones, and on a real library."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from end_to_end.conftest import Command
from fakes.pages import Page

from corpora.environment import environment
from corpora.lab.cases import PYTEST
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import IndexUnreachableError, case_cache, unpack

SHOP = """\
def total(prices):
    if not prices:
        return 0
    return sum(prices)


def discount(price):
    if price < 0:
        raise ValueError("a negative price")
    return price * 9 // 10


def parcel(weight):
    return 5 if weight <= 2 else 4 + weight


def label(name):
    return name.strip().title()


class Box:
    def put(self, thing):
        self.thing = thing

    def take(self):
        return self.thing
"""
TESTS = """\
import os
import pytest
from shop import discount, label, parcel, total


def test_total():
    assert total([1, 2]) == 3
    assert total([]) == 0


def test_discount():
    discount(10)
    assert True


@pytest.mark.parametrize(("weight", "cost"), [(0.5, 5), (2, 5), (3, 7), (10, 14)])
def test_parcel(weight, cost):
    assert parcel(weight) == cost


def test_negative():
    try:
        discount(5)
    except ValueError as problem:
        assert "negative" in str(problem)


def test_label_by_chance():
    assert label(" box ") == ("Box" if os.getpid() % 2 else "box") or not os.path.exists("seen")


def test_wrong():
    assert label("box") == "BOX"
"""
GENERATED = """\
from shop import total


def test_runs():
    total([1])


def test_knows():
    assert total([2]) == 2
"""


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Makes a project of these files."""

    def make(files: Mapping[str, str]) -> Path:
        root = tmp_path / "project"
        for path, text in {"pyproject.toml": "", "shop.py": SHOP, "test_shop.py": TESTS, **files}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return root

    return make


def contents(root: Path) -> dict[str, str]:
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in root.rglob("*") if p.is_file()}


def survey(repair: Command, root: Path, *arguments: str, python: str = sys.executable):
    before = contents(root)
    answer = repair("tests", *arguments, "--root", str(root), "--python", python)
    assert contents(root) == before, "the project was written to"
    assert "Traceback" not in answer.messages
    return answer


def check_files(report: dict, folder: Path, root: Path) -> None:
    """The page and the mutants that were written beside the report say what it says, and fit the sources."""
    written = (folder / "page.html").read_text("utf-8")
    page = Page(written)
    assert len(written.encode()) < 300_000
    assert page.result == report
    assert all(each["function"] in page.text for each in report["functions"])
    mutants = json.loads((folder / "mutants.json").read_text("utf-8"))
    for path, file in mutants["files"].items():
        assert file["source"].rstrip() == (root / path).read_text("utf-8").rstrip()
        lines = file["source"].split("\n")
        for each in file["mutants"]:
            start, end = each["location"]["start"], each["location"]["end"]
            assert 1 <= start["line"] <= end["line"] <= len(lines)
            assert 1 <= start["column"] <= len(lines[start["line"] - 1]) + 1
            if each["status"] == "Killed":
                assert each["killedBy"]
    told = [each["state"] for view in report["functions"] for each in view["mutants_by_line"]]
    counted = report["mutants"]
    assert {state: told.count(state) for state in counted} == counted
    assert sum(len(file["mutants"]) for file in mutants["files"].values()) == len(told)


def test_a_small_project(project, repair, tmp_path):
    root = project({"generated/test_made.py": GENERATED})
    asked = ("--generated", "generated/*", "--mutants", "15", "--require-each", "--max-seconds", "280")
    files = ("--html", str(tmp_path / "page.html"), "--stryker", str(tmp_path / "mutants.json"))
    answer = survey(repair, root, "--json", *asked, *files)
    check_files(answer.result, tmp_path, root)
    first = answer.result["functions"][0]["priority"]
    assert [part["name"] for part in first["parts"]] == ["reach", "history", "open"]
    report = answer.result
    assert answer.status == 1
    assert report["schema"] == "repair.tests/1"
    functions = {f["function"]: f for f in report["functions"]}
    assert {name: f["cases"] for name, f in functions.items()} == {
        "total": 2, "discount": 0, "parcel": 4, "label": 1, "Box.put": 0, "Box.take": 0,
    }  # fmt: skip
    assert functions["discount"]["unfit"] == 2
    assert functions["parcel"]["mutants"]["survived"] == 0
    assert functions["parcel"]["mutants"]["killed"] > 5
    assert functions["label"]["survivors"]  # one loose comparison does not see the strip go
    found = {(f["rule"], f["weight"], f["test"] or f["function"]) for f in report["findings"]}
    assert found >= {
        ("T03", "error", "test_shop.py::test_discount"),
        ("T28", "error", "test_shop.py::test_negative"),
        ("failing", "error", "test_shop.py::test_wrong"),
        ("T02", "error", "generated/test_made.py::test_runs"),
        ("few-cases", "error", ""),
        ("untested", "error", "discount"),
        ("untested", "error", "Box"),
        ("coverage-total", "error", ""),
    }
    assert not [f for f in found if f[1] == "error" and "test_total" in f[2]]


@pytest.mark.parametrize("option", ["--html", "--stryker"])
def test_no_page_lies_in_the_project_or_in_the_place_of_another_file(project, repair, tmp_path, option):
    root = project({})
    inside = survey(repair, root, option, str(root / "page.html"))
    assert (inside.status, (root / "page.html").exists()) == (2, False)
    assert f"Name a file outside of it with {option}" in inside.messages
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    taken = survey(repair, root, option, str(other))
    assert (taken.status, other.read_text()) == (2, "mine")
    assert "is there already, and is something else" in taken.messages


@pytest.mark.parametrize(
    ("files", "status", "said"),
    [
        ({"shop.py": "def f(:\n"}, 3, "SyntaxError: invalid syntax (shop.py, line 1)"),
        ({"test_more.py": "import none_such\n"}, 1, "test_more.py cannot be collected: ModuleNotFoundError"),
    ],
)
def test_broken_projects(project, repair, files, status, said):
    answer = survey(repair, project(files), "--mutants", "0")
    assert answer.status == status
    assert said in answer.output + answer.messages


INFLECTION = SourcePackage("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417")


@pytest.mark.real
def test_a_real_library(repair, tmp_path):
    """A well-tested library of twelve functions: each is vouched for, and no finding counts."""
    try:
        unpack(fetch(INFLECTION, case_cache()), tmp_path / "tree")
        python = environment(PYTEST, case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    files = ("--html", str(tmp_path / "page.html"), "--stryker", str(tmp_path / "mutants.json"))
    asked = ("--json", "--mutants", "5", "--max-seconds", "240")
    answer = survey(repair, tmp_path / "tree", *asked, *files, python=python)
    report = answer.result
    check_files(report, tmp_path, tmp_path / "tree")
    assert answer.status == 0, report["findings"]
    assert len(report["functions"]) == 12
    assert all(f["cases"] > 2 for f in report["functions"])
    assert report["tests"]["vouching"] == report["tests"]["cases"] == 455
    assert report["coverage"]["total"]["ran"] >= 40
    assert report["mutants"]["killed"] + sum(f["not_run"] for f in report["functions"]) >= 40  # a busy machine runs few
    assert [f["rule"] for f in report["findings"] if f["weight"] != "note"] == ["coverage"]
