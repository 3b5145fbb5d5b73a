"""A cell from the inside: what the engine is asked, and whose failure each ending is."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.bench import SEARCH, bug, job

from analysis.errors import ModelError, TargetError, UnparseableError, UsageError
from corpora.bench import method
from corpora.bench.method import CellReport, run_method
from corpora.bug import Environment, Fault
from repair.records.result import FailureView, Result, Status

PATCH = '{"instance_id": "half", "model_patch": "a patch"}'


class FakeApi:
    """Says one thing, or raises it, and keeps what it was asked."""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def _do(self, name, tests, options):
        assert Path(options.root, "half.py").is_file()
        assert not Path(options.root, "reference").exists()
        self.asked.append((name, tests, options))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def fix(self, tests, options, listen, env):
        return self._do("fix", tests, options)

    def fix_by_tests(self, tests, options, listen, env, *, at_random=False):
        return self._do("random" if at_random else "tests", tests, options)

    def check(self, patch, since, tests, options, listen, env):
        return self._do(f"check {patch.decode()}", tests, options)

    def explain(self, tests, options, listen, env):
        self._do("explain", tests, options)
        return Result(Status.DIAGNOSED, failures=(FailureView("t.py::found", "logic"),))


@pytest.fixture
def cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "corpus" / "half"
    (folder / "reference").mkdir(parents=True)
    (folder / "half.py").write_text("def half(n):\n    return n // 3\n")
    (tmp_path / "given.jsonl").write_text(PATCH)

    def cell(answer, *, known=None, **fields):
        api = FakeApi(answer)
        monkeypatch.setattr(method, "api", api)
        configuration = replace(SEARCH, **fields)
        asked = job("half", configuration, f"flat:{tmp_path / 'corpus'}")
        return run_method(replace(asked, bug=known or asked.bug), {}), api.asked

    cell.predictions = str(tmp_path / "given.jsonl")
    return cell


def test_the_engine_is_asked_what_the_configuration_says(cell):
    needs = Environment(tests=("tests",), pytest_args=("-p", "no:x"), pass_env=("HOME",))
    known = bug(fault=Fault("half.py", "half"), environment=needs, description="halves")
    report, asked = cell(
        Result(Status.CERTIFIED, root="/tmp/x"), known=known, max_seconds=7.0, gates="strict", fault="given"
    )
    ((name, tests, options),) = asked
    assert (name, tests) == ("fix", ("test_half.py::test_half",))
    assert (options.max_seconds, options.gates, options.jobs, options.seed) == (7.0, "strict", 1, 1)
    assert (options.function, options.task) == ("half.py:half", "halves")
    assert (options.tests, options.pytest_args, options.pass_env) == (("tests",), ("-p", "no:x"), ("HOME",))
    assert report.result == Result(Status.CERTIFIED)
    assert CellReport.from_json(json.loads(json.dumps(report.to_json()))) == report


def test_who_is_to_find_the_fault_is_not_told(cell):
    _, ((_, _, options),) = cell(Result(Status.UNREPAIRED), known=bug(fault=Fault("half.py", "half")))
    assert options.function == ""


def test_an_unknown_fault_cannot_be_told_and_that_is_said(cell):
    report, _ = cell(Result(Status.UNREPAIRED), fault="given")
    assert report.result.warnings == ("the corpus does not know the function at fault",)


def test_tests_that_must_stay_green_are_the_suite(cell):
    _, ((_, _, options),) = cell(Result(Status.UNREPAIRED), known=bug(passing=("t.py::a",)))
    assert options.tests == ("test_half.py::test_half", "t.py::a")


@pytest.mark.parametrize("judging", ["tests", "random"])
def test_who_trusts_the_tests_does_not_meet_the_judge(cell, judging):
    _, ((name, _, _),) = cell(Result(Status.PLAUSIBLE), judging=judging)
    assert name == judging


def test_a_patch_from_outside_meets_the_judge_as_it_is(cell):
    report, ((name, tests, options),) = cell(Result(Status.REJECTED), predictions=cell.predictions, judge_seconds=5.0)
    assert (name, tests, options.max_seconds) == ("check a patch", ("test_half.py::test_half",), 5.0)
    assert (report.result.status, report.submitted) == (Status.REJECTED, "a patch")


def test_tests_that_the_corpus_does_not_name_are_found_before_a_method_is_asked(cell):
    _, asked = cell(Result(Status.PLAUSIBLE), known=bug(failing=()), predictions=cell.predictions)
    assert [(name, tests) for name, tests, _ in asked] == [("explain", ()), ("check a patch", ("t.py::found",))]


@pytest.mark.parametrize("problem", [UsageError("does not apply"), UnparseableError("no program")])
def test_a_patch_that_is_none_is_rejected(cell, problem):
    report, _ = cell(problem, predictions=cell.predictions)
    assert (report.result.status, report.failed) == (Status.REJECTED, "")


@pytest.mark.parametrize(
    ("problem", "status", "failed"),
    [
        (TargetError("does not collect"), Status.ENVIRONMENT, ""),
        (MemoryError(), Status.UNREPAIRED, ""),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), Status.UNREPAIRED, ""),
        (ModelError("no connection"), None, "model_error: no connection"),
        (
            OSError(errno.ENOSPC, "No space left on device", "/x"),
            None,
            "the system refuses: No space left on device (/x)",
        ),
        (Result(Status.ERROR, messages=("odd",)), None, "error: odd"),
    ],
    ids=repr,
)
def test_whose_failure_it_was_is_kept_apart(cell, problem, status, failed):
    report, _ = cell(problem)
    assert (report.result and report.result.status, report.failed.rstrip(". ")) == (status, failed)


def test_a_corpus_cannot_ask_for_a_secret(cell):
    report, asked = cell(Result(Status.CERTIFIED), known=bug(environment=Environment(pass_env=("MY_TOKEN",))))
    assert (report.result.status, asked) == (Status.USAGE, [])


def test_a_tree_that_cannot_be_written_is_the_machines_failure(cell):
    report = run_method(job("half", SEARCH, "flat:/no/such"), {})
    assert report.failed.startswith("There is no such corpus")
