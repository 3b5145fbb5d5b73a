"""Which files that cannot be collected a patch may mend, and the tests that they hide."""

import pytest
from fakes.toy import ToySandbox

from analysis.facts import Limits, Outcome, Phase, TestId
from repair.observe.baseline import observe
from repair.observe.observation import NothingToMend
from repair.observe.uncollected import file_of, find_hidden, uncollected_tests

TABLE = b"""def entry(name, more=None):
    return [name] + more


def twice(value):
    return value * 2
"""
AT_IMPORT = b"""import pytest
from table import entry, twice

FIRST = entry("a")


def test_first():
    assert FIRST == ["a"]
"""
AS_ARGUMENT = b"""from table import entry


def parametrize(values):
    return lambda function: function


@parametrize(entry("a"))
def test_entry():
    pass
"""


def run(tests, table=TABLE, trace=False):
    sandbox = ToySandbox((("table.py", table), ("test_table.py", tests)))
    return sandbox.run([], trace=trace), sandbox.sources()


@pytest.mark.parametrize("tests", [AT_IMPORT, AS_ARGUMENT], ids=["at import", "an argument of a test"])
def test_a_function_that_is_called_at_import_may_be_mended(tests):
    (found,) = uncollected_tests(*run(tests))
    assert (found.test, found.outcome, found.phase) == ("test_table.py", Outcome.ERROR, Phase.COLLECT)
    assert found.exceptions[0].frames[-1].name == "entry"


@pytest.mark.parametrize(
    "table",
    [b"entry = twice = None\nMORE = 1 + None\n", b"def twice(value):\n    return value\n"],
    ids=["raises", "lacks"],
)
def test_module_level_code_is_a_cause_too(table):
    (found,) = uncollected_tests(*run(AT_IMPORT, table))
    assert found.test == "test_table.py"


@pytest.mark.parametrize("tests", [b"import nowhere_at_all\n", b"def test(:\n", b"unknown_name\n"])
def test_what_no_edit_of_the_project_answers_is_no_test(tests):
    found, sources = run(tests)
    assert found.collection_errors
    assert uncollected_tests(found, sources) == ()


def test_the_baseline_has_the_file_as_a_failing_test_with_the_lines_of_its_import():
    sandbox = ToySandbox((("table.py", TABLE), ("test_table.py", AT_IMPORT)))
    seen = observe(sandbox, [], limits=Limits(), seed=0)
    assert seen.failing == ("test_table.py",)
    assert 2 in dict(dict(seen.traced.line_map)[TestId("test_table.py")])["table.py"]


def test_a_change_from_elsewhere_is_held_to_the_tests_that_it_lets_be_collected():
    sandbox = ToySandbox((("table.py", TABLE), ("test_table.py", AT_IMPORT)))
    assert observe(sandbox, [], limits=Limits(), seed=0, expect_failure=False).failing == ()


def test_a_file_that_a_missing_package_hides_leaves_nothing_to_mend():
    sandbox = ToySandbox((("table.py", TABLE), ("test_table.py", b"import nowhere_at_all\n")))
    found = observe(sandbox, ["test_table.py"], limits=Limits(), seed=0)
    assert isinstance(found, NothingToMend)
    assert found.status == "environment"


def test_a_run_says_of_a_file_whether_it_was_collected():
    broken, _ = run(AT_IMPORT)
    whole, _ = run(AT_IMPORT, TABLE.replace(b"+ more", b"+ (more or [])"))
    file = TestId("test_table.py")
    assert [each.outcome(file) for each in (broken, whole)] == [Outcome.ERROR, Outcome.PASSED]
    assert whole.outcome(TestId("test_other.py")) is Outcome.MISSING


def test_hidden_tests_are_those_of_the_files_that_nobody_knew():
    whole, _ = run(AT_IMPORT, TABLE.replace(b"+ more", b"+ (more or [])"))
    file, test = TestId("test_table.py"), TestId("test_table.py::test_first")
    assert file_of(test) == file
    assert [each.test for each in find_hidden(whole, [file], [])] == [test]
    assert not [*find_hidden(whole, [file], [test]), *find_hidden(whole, [], [])]
