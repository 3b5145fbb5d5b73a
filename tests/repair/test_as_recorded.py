"""A replay runs the tests as the recorded run did, unless it is told otherwise."""

import sys

import pytest

from analysis.errors import UsageError
from repair.records.config import Options
from repair.store.certificate import restore_options as recorded

RECORDED = {
    "target": {
        "python": sys.executable,
        "tests": ["tests/a.py"],
        "pytest_args": ["-m", "quick"],
        "pass_env": ["LANG"],
        "gates": "strict",
    }
}


def as_recorded(certificate, options):
    return recorded(certificate, options, is_foreign=False)


def test_a_foreign_record_chooses_no_program_image_or_variable():
    machine = {**RECORDED["target"], "isolation_image": "evil", "pass_env": ["LANG", "GITHUB_TOKEN"]}
    options = recorded({"target": machine}, Options(root="/p"), is_foreign=True)
    assert (options.python, options.isolation_image, options.pass_env) == ("", "", ())
    assert (options.tests, options.gates) == (("tests/a.py",), "strict")


def test_what_is_not_given_comes_from_the_record():
    options = as_recorded(RECORDED, Options(root="/p"))
    assert (options.python, options.tests, options.pytest_args) == (sys.executable, ("tests/a.py",), ("-m", "quick"))
    assert (options.pass_env, options.gates) == (("LANG",), "strict")


def test_what_is_given_wins_but_gates_are_never_loosened():
    options = as_recorded(RECORDED, Options(root="/p", python="/other/python", tests=("t.py",), gates="standard"))
    assert (options.python, options.tests, options.gates) == ("/other/python", ("t.py",), "strict")


def test_a_record_cannot_ask_for_a_secret():
    record = {"target": {"pass_env": ["LANG", "GITHUB_TOKEN"]}}
    with pytest.raises(UsageError, match="asks for GITHUB_TOKEN") as caught:
        as_recorded(record, Options(root="/p"))
    assert "REPAIR_PASS_ENV" in caught.value.remedy
    assert as_recorded(record, Options(root="/p", pass_env=("GITHUB_TOKEN",))).pass_env == ("GITHUB_TOKEN",)


def test_an_interpreter_that_is_gone_leaves_the_choice_to_the_project():
    assert as_recorded({"target": {"python": "/no/such/python"}}, Options(root="/p")).python == ""


def test_a_record_without_settings_changes_nothing():
    assert as_recorded({}, Options(root="/p")) == Options(root="/p")


def test_a_certificate_that_is_none_is_named():
    with pytest.raises(UsageError, match="certificate"):
        as_recorded([1], Options(root="/p"))


@pytest.mark.parametrize("target", ["text", 3, ["list"]])
def test_a_damaged_record_is_named(target):
    with pytest.raises(UsageError, match="certificate"):
        as_recorded({"target": target}, Options(root="/p"))
