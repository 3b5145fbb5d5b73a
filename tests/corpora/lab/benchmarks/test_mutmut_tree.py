"""What mutmut writes and says, read from a recorded file of its own: names, texts, states."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.lab.benchmarks.mutant_trees import missing_mutants, program
from corpora.lab.benchmarks.mutmut_tree import MutmutRun, Subject, mutants_in, read_mutants, run_mutmut, settle

RECORDED = Path(__file__).parent / "mutmut_3_8"
WRITTEN = (RECORDED / "mutants.txt").read_text(encoding="utf-8")
SOURCE = (RECORDED / "shop.txt").read_bytes()


def subject(qualname: str) -> Subject:
    return Subject("shop.py", qualname, ("tests",))


def recorded(qualname: str, status: int | None = 0) -> list[tuple[str, str, str]]:
    asked = subject(qualname)
    statuses = {f"{asked.names}{number}": status for number in range(1, 40)}
    return [(each.name, each.text, each.state) for each in mutants_in(WRITTEN, statuses, asked)]


@pytest.mark.parametrize(
    ("path", "qualname", "name"),
    [
        ("boltons/strutils.py", "slugify", "boltons.strutils.x_slugify__mutmut_"),
        ("src/humanize/number.py", "Big.intword", "humanize.number.xǁBigǁintword__mutmut_"),
    ],
)
def test_functions_have_the_names_that_mutmut_gives_them(path: str, qualname: str, name: str) -> None:
    assert Subject(path, qualname, ()).names == name


def test_a_method_is_read_with_its_indentation_and_decorator_under_its_own_name() -> None:
    found = recorded("Shop.key")
    assert [name for name, _, _ in found] == [f"shop.xǁShopǁkey__mutmut_{number}" for number in range(1, 15)]
    assert found[0][1].startswith("    @staticmethod\n    def key(word):\n")
    assert all("mutmut" not in text for _, text, _ in found)


def test_without_a_name_the_mutants_of_all_functions_are_read() -> None:
    names = ["Shop.key", "total", "later"]
    statuses = {f"{subject(n).names}{number}": 0 for n in names for number in range(1, 40)}
    with pytest.raises(TargetError, match="says nothing of"):
        list(mutants_in(WRITTEN, statuses, subject("")))
    statuses |= {
        f"{subject(n).names}{number}": 0
        for n in ("Shop.__init__", "count", "order", "grade")
        for number in range(1, 60)
    }
    found = list(mutants_in(WRITTEN, statuses, subject("")))
    assert {each.qualname for each in found} >= {"Shop.__init__", *names}
    assert [each.text for each in found if each.qualname == "total"] == [text for _, text, _ in recorded("total")]


def test_an_async_function_is_read() -> None:
    assert recorded("later")[0][1].startswith("async def later(value=1):\n")


@pytest.mark.parametrize(
    ("status", "state"),
    [
        *[(0, "survived"), (1, "killed"), (3, "killed"), (33, "no tests"), (-24, "timeout"), (36, "timeout")],
        *[(-11, "segfault"), (None, "not checked"), (35, "suspicious"), (77, "suspicious")],
    ],
)
def test_exit_statuses_are_states(status: int | None, state: str) -> None:
    assert {each for _, _, each in recorded("grade", status)} == {state}


def test_a_mutant_without_a_state_is_of_another_run() -> None:
    with pytest.raises(TargetError, match="says nothing of"):
        list(mutants_in(WRITTEN, {}, subject("grade")))


def test_what_a_run_left_is_read_from_the_tree(tmp_path: Path) -> None:
    (tmp_path / "mutants").mkdir()
    (tmp_path / "mutants" / "shop.py").write_text(WRITTEN, encoding="utf-8")
    statuses = {f"shop.x_order__mutmut_{number}": 1 for number in range(1, 9)}
    (tmp_path / "mutants" / "shop.py.meta").write_text(json.dumps({"exit_code_by_key": statuses}), encoding="utf-8")
    assert [each.state for each in read_mutants(tmp_path, subject("order"))] == ["killed"] * 8


REGROUPED = {"count": ["rate |= 1 << 2 & 4 & 8", "rate |= 1 << 2 ^ 4 | 8", "return rate / -rate * 2"]}
"""mutmut prints the new operator where the old one stood, so that its neighbours bind otherwise; we keep the groups."""


@pytest.mark.parametrize("qualname", ["Shop.__init__", "Shop.key", "total", "count", "order", "grade", "later"])
def test_ours_are_all_mutants_that_mutmut_makes(qualname: str) -> None:
    asked = subject(qualname)
    statuses = {name: 0 for name, _, _ in recorded(qualname)}
    theirs = list(mutants_in(WRITTEN, statuses, asked))
    assert theirs
    missing = [each.partition(": ")[2] for each in missing_mutants(asked, SOURCE, theirs)]
    assert missing == REGROUPED.get(qualname, [])


def test_a_mutant_that_we_do_not_make_is_named() -> None:
    asked = subject("order")
    theirs = list(mutants_in(WRITTEN, dict.fromkeys((n for n, _, _ in recorded("order")), 0), asked))
    strange = [replace(each, text=each.text.replace("price = ", "price = 41 + ")) for each in theirs]
    assert len(missing_mutants(asked, SOURCE, strange)) == len(theirs)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a and (b and c)", "(a and b) and c", True),
        ("a or b and c", "(a or b) and c", False),
        ("a - (b - c)", "a - b - c", False),
    ],
)
def test_programs_are_compared_by_what_they_compute(one: str, other: str, same: bool) -> None:
    assert (program(one) == program(other)) is same


def test_settings_are_added_to_those_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[metadata]\nname = shop\n", encoding="utf-8")
    (tmp_path / "pkg").mkdir()
    settle(tmp_path, Subject("pkg/a.py", "f", ("tests/test_a.py", "tests/test_b.py")))
    text = (tmp_path / "setup.cfg").read_text(encoding="utf-8")
    assert text.startswith("[metadata]\nname = shop\n")
    assert "source_paths=pkg/a.py\n" in text
    assert "    tests/test_a.py\n    tests/test_b.py\n" in text
    assert "also_copy=\n    pkg\n" in text


def test_a_project_with_settings_of_its_own_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mutmut]\n", encoding="utf-8")
    with pytest.raises(TargetError, match="has settings of mutmut"):
        settle(tmp_path, subject("grade"))


def told(tmp_path: Path, said: str, status: int = 0, stream: int = 1) -> MutmutRun | None:
    """What is made of a program that says this in mutmut's place."""
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\nprintf '%s\\n' {said!r} >&{stream}\nexit {status}\n", encoding="utf-8")
    os.chmod(script, 0o755)
    return run_mutmut(tmp_path, str(script), "shop.x_grade__mutmut_*", 1)


def test_a_run_says_how_many_mutants_it_tried(tmp_path: Path) -> None:
    run = told(tmp_path, "1/7  2/7  7/7  done 4.50 mutations/second")
    assert run is not None
    assert (run.tried, run.per_second) == (7, 4.5)
    assert run.cost.wall > 0


def test_no_mutant_of_such_a_name_is_no_failure(tmp_path: Path) -> None:
    assert told(tmp_path, "Filtered for specific mutants, but nothing matches", 1, 2) is None


@pytest.mark.parametrize(("said", "status"), [("7/7 4.5 mutations/second", 1), ("nothing was said", 0), ("7/7 ", 0)])
def test_a_run_that_does_not_come_to_its_end_is_refused(tmp_path: Path, said: str, status: int) -> None:
    with pytest.raises(TargetError, match="does not run"):
        told(tmp_path, said, status)
