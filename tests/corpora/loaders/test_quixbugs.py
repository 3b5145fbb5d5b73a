"""QuixBugs: what is read, what is kept from the tree, and that the published tests run there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from fakes import published

from analysis.errors import TargetError
from analysis.facts import Outcome, TestRun
from corpora.bug import Bug, Environment, Fault, SetAside
from corpora.catalog import open_corpus
from corpora.loaders.quixbugs import QuixBugs, other_fixes
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return published.quixbugs(tmp_path / "published")


@pytest.fixture
def corpus(folder: Path) -> QuixBugs:
    return QuixBugs(folder)


def bug_of(corpus: QuixBugs, name: str) -> Bug:
    (found,) = (bug for bug in corpus.bugs() if bug.id == name)
    assert isinstance(found, Bug)
    return found


def test_drivers_and_shared_code_are_no_bugs(corpus: QuixBugs):
    assert [bug.id for bug in corpus.bugs()] == ["chain", "half"]


def test_the_specification_is_the_description(corpus: QuixBugs):
    assert bug_of(corpus, "half").description == "Half\n\nGives the whole part of a half."
    assert bug_of(corpus, "half").environment == Environment(tests=("python_testcases/test_half.py",))


def test_the_fault_is_the_innermost_function_that_differs(corpus: QuixBugs):
    assert bug_of(corpus, "half").fault == Fault("python_programs/half.py", "half")
    assert bug_of(corpus, "chain").fault == Fault("python_programs/chain.py", "chain.visit")


def test_a_tree_has_the_program_and_what_its_tests_need(corpus: QuixBugs, tmp_path: Path):
    corpus.write_tree(bug_of(corpus, "half"), tmp_path / "tree")
    written = sorted(p.relative_to(tmp_path / "tree").as_posix() for p in (tmp_path / "tree").rglob("*") if p.is_file())
    assert written == [
        "conftest.py",
        "json_testcases/half.json",
        "python_programs/half.py",
        "python_testcases/load_testdata.py",
        "python_testcases/node.py",
        "python_testcases/test_half.py",
    ]


def test_fixes_in_trailing_strings_are_alternatives(corpus: QuixBugs):
    oracle = corpus.oracle(bug_of(corpus, "half"))
    assert oracle.reference == (("python_programs/half.py", published.HALF_FIXED.encode()),)
    first, second = (dict(files)["python_programs/half.py"].decode() for files in oracle.alternatives)
    assert first.startswith("def half(n):\n    return n >> 1\n")
    assert second.startswith("def half(n):\n    return (n - n % 2) // 2\n")


def test_prose_in_a_reference_is_no_alternative(corpus: QuixBugs):
    assert corpus.oracle(bug_of(corpus, "chain")).alternatives == ()
    assert other_fixes(b'x = 1\n"""\ndef half(n): return 1\n"""\n', "half") == ()


def test_the_published_tests_fail_and_the_reference_mends_them(corpus: QuixBugs, tmp_path: Path):
    bug = bug_of(corpus, "half")
    corpus.write_tree(bug, tmp_path / "tree")
    target = open_target(str(tmp_path / "tree"), python=sys.executable, environ=dict(os.environ))
    with LocalSandbox(target, selection=bug.environment.tests) as sandbox:
        before, after = sandbox.run(()), sandbox.run((), corpus.oracle(bug).reference)
    assert isinstance(before, TestRun)
    assert isinstance(after, TestRun)
    outcomes = {str(result.test): result.outcome for result in before.results}
    assert outcomes["python_testcases/test_half.py::test_half[input_data2-4]"] is Outcome.FAILED
    assert {result.outcome for result in after.results} == {Outcome.PASSED}


def test_a_program_without_tests_is_set_aside(folder: Path):
    published.put(folder, {"python_programs/lone.py": "def lone():\n    pass\n"})
    *_, lone = QuixBugs(folder).bugs()
    assert lone == SetAside("lone", "It has no tests: python_testcases/test_lone.py is missing.")


def test_a_program_that_is_no_python_is_set_aside(folder: Path):
    published.put(folder, {"python_programs/half.py": "def half(:\n"})
    chain, half = QuixBugs(folder).bugs()
    assert isinstance(chain, Bug)
    assert isinstance(half, SetAside)
    assert "cannot be parsed" in half.reason


def test_without_a_reference_the_answer_is_unknown(folder: Path):
    (folder / "correct_python_programs/half.py").unlink()
    half = bug_of(QuixBugs(folder), "half")
    assert half.fault is None
    assert QuixBugs(folder).oracle(half).reference == ()


def test_what_is_missing_is_named(folder: Path):
    (folder / "conftest.py").unlink()
    with pytest.raises(TargetError, match=r"it has no conftest\.py"):
        open_corpus(f"quixbugs:{folder}")
