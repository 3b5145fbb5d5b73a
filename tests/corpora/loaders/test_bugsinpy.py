"""BugsInPy over local clones: trees as its checkout makes them, tests of three runners, filters, gaps told."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import published

from analysis.errors import RepairError, TargetError
from corpora.bug import Bug, Fault, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.bugsinpy import BugsInPy, numbers, read_command
from corpora.loaders.old_python import PLUGIN, RAISED, SHIMS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return published.bugsinpy(tmp_path / "published")


def bugs_of(folder: Path) -> tuple[Bug, Bug]:
    lib, old = BugsInPy(folder, {}).bugs()
    assert isinstance(lib, Bug)
    assert isinstance(old, Bug)
    return lib, old


def test_bugs_come_by_project_and_number(folder: Path):
    lib, old = bugs_of(folder)
    assert (lib.id, lib.group, lib.fault) == ("lib-2", "lib", Fault("lib/half.py", "half"))
    assert (old.id, old.group, old.fault) == ("old-10", "old", Fault("src/old.py", "third"))
    assert (lib.provenance.date, lib.provenance.source) == ("2020-09-13", "https://example.org/some/lib")


def test_the_tests_of_both_runners_become_node_ids(folder: Path):
    lib, old = bugs_of(folder)
    assert lib.failing == ("tests/test_half.py::test_half",)
    assert old.failing == ("test/test_old.py::OldTest::test_third",)
    assert old.environment.tests == ("test/test_old.py",)


def test_the_environment_declares_what_was_changed(folder: Path):
    lib, old = bugs_of(folder)
    raised = tuple(f"{name}=={version}" for name, version in RAISED)
    assert lib.environment.requirements == tuple(sorted((*raised, "six==1.15.0")))
    assert lib.environment.shims == (*SHIMS, "pytest 7.4.4 instead of 5.4.2")
    assert lib.environment.pytest_args == ("-p", PLUGIN)
    assert old.environment.requirements == raised
    assert old.provenance.marks == ("not run: pip install cython", "not run: python setup.py build_ext")


def test_a_tree_is_the_buggy_commit_with_the_fixed_tests(folder: Path, tmp_path: Path):
    corpus = BugsInPy(folder, {})
    lib, old = bugs_of(folder)
    corpus.write_tree(lib, tmp_path / "lib")
    assert "n // 3" in (tmp_path / "lib/lib/half.py").read_text()
    assert "def test_half" in (tmp_path / "lib/tests/test_half.py").read_text()
    assert (tmp_path / "lib/tests/data/half.json").read_text() == "2\n"
    corpus.write_tree(old, tmp_path / "old")
    files = {path.relative_to(tmp_path / "old").as_posix() for path in (tmp_path / "old").rglob("*.*")}
    assert files == {f"{PLUGIN}.py", "src/old.py", "test/__init__.py", "test/test_old.py"}
    assert "PATHS = ['src', 'lib', 'lib/x']" in (tmp_path / f"old/{PLUGIN}.py").read_text()


def test_the_reference_is_the_fixed_program_without_its_tests(folder: Path):
    lib, _ = bugs_of(folder)
    assert BugsInPy(folder, {}).oracle(lib).reference == (("lib/half.py", b"def half(n):\n    return n // 2\n"),)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("projects=old", ["old-10"]),
        ("projects=lib,old&bugs=2", ["lib-2"]),
        ("bugs=3-12", ["old-10"]),
        ("bugs=1,2", ["lib-2"]),
        ("bugs=7", []),
    ],
)
def test_projects_and_bugs_can_be_chosen(folder: Path, query: str, found: list[str]):
    corpus = open_corpus(f"bugsinpy:{folder}?{query}")
    assert [bug.id for bug in corpus.bugs()] == found
    assert corpus.name == f"bugsinpy:{folder}?{query}"


def test_the_python_can_be_named(folder: Path):
    bug = next(iter(open_corpus(f"bugsinpy:{folder}?python=3.8").bugs()))
    assert isinstance(bug, Bug)
    assert bug.environment.python == "3.8"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("projects=libs", "no project 'libs'"),
        ("bugs=1-", "'1-' is no number of a bug"),
        ("bugs=x", "Write bugs=1-5,8"),
        ("bug=1", "knows no option 'bug'"),
    ],
)
def test_a_wrong_choice_is_told(folder: Path, query: str, said: str):
    with pytest.raises(RepairError, match=said):
        open_corpus(f"bugsinpy:{folder}?{query}")


def test_numbers_are_ranges_and_single_ones():
    assert numbers("1-3,8") == {1, 2, 3, 8}
    assert numbers("") == frozenset()


@pytest.mark.parametrize(
    ("text", "runner", "tests"),
    [
        ("pytest -q -s tests/a.py::t tests/b.py\n", "pytest", ("tests/a.py::t", "tests/b.py")),
        ("py.test a.py::t", "pytest", ("a.py::t",)),
        ("python3 -m pytest a.py\n\npytest b.py", "pytest", ("a.py", "b.py")),
        ("tox a.py::T::t", "pytest", ("a.py::T::t",)),
        ("python -m unittest -q a.B.c\n", "unittest", ("a.B.c",)),
    ],
)
def test_commands_of_the_runners_are_read(text: str, runner: str, tests: tuple[str, ...]):
    assert read_command(text) == (runner, tests)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no tests of one runner"),
        ("pytest -q", "names no tests of one runner"),
        ("pytest a.py\npython -m unittest a.B", "names no tests of one runner"),
        ("make test", "not understood: make test"),
        ("pytest 'a.py", "not understood"),
    ],
)
def test_other_commands_are_refused(text: str, said: str):
    with pytest.raises(TargetError, match=said):
        read_command(text)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("bug.info", 'buggy_commit_id="12"', "bug.info names no buggy and fixed commit"),
        ("bug.info", None, "There is no bug.info"),
        ("run_test.sh", None, "There is no run_test.sh"),
        ("run_test.sh", "pytest 'tests", "not understood"),
        ("bug_patch.txt", "prose", "A patch is no unified diff"),
        ("../../project.info", "", "project.info names no github_url"),
    ],
)
def test_gaps_set_one_bug_aside(folder: Path, file: str, text: str | None, said: str):
    path = folder / "projects/lib/bugs/2" / file
    path.write_text(text) if text is not None else path.unlink()
    lib, old = BugsInPy(folder, {}).bugs()
    assert isinstance(lib, SetAside)
    assert said in lib.reason
    assert isinstance(old, Bug)


def test_a_missing_clone_or_commit_is_told_with_the_command(folder: Path):
    info = folder / "projects/lib/bugs/2/bug.info"
    info.write_text(info.read_text().replace('fixed_commit_id ="', 'fixed_commit_id ="000'))
    (folder.parent / "clones/old").rename(folder.parent / "clones/other")
    lib, old = BugsInPy(folder, {}).bugs()
    assert isinstance(lib, SetAside)
    assert isinstance(old, SetAside)
    assert f"git -C {folder.parent}/clones/lib fetch origin 000" in lib.reason
    assert f"git clone https://example.org/some/old {folder.parent}/clones/old" in old.reason


def test_a_test_file_that_the_fix_lacks_is_told(folder: Path):
    info = folder / "projects/lib/bugs/2/bug.info"
    info.write_text(info.read_text().replace("tests/test_half.py", "tests/test_other.py"))
    lib, _ = BugsInPy(folder, {}).bugs()
    assert isinstance(lib, SetAside)
    assert "no test file tests/test_other.py" in lib.reason
